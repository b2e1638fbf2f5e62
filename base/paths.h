/* Where things are: data of the program (source tree or installed), folders of the user by XDG. Returned strings are
 * the caller's to free. */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#include <stdbool.h>

#include "base/err.h"

/* The tree the program runs from: true when it is the source tree (the executable lies in <root>/build...), false when
 * installed. */
bool path_is_source_tree(void);
char *path_self(void);                /* the executable, absolute */
char *path_build(const char *name);   /* what lies beside the executable in the source tree, or PREFIX/lib/wavedeck when
                                         installed: libsoftgpu.so */
char *path_kernels(const char *name); /* kernel source NAME */
char *path_kernel_object(const char *arch, const char *name); /* prebuilt code object */
char *path_catalog(void);                                     /* folder of the experiments */
char *path_published(void);                                   /* folder of the published rows */
char *path_share(const char *name);                           /* lessons, themes, ... */
char *path_user_data(const char *name);                       /* $XDG_DATA_HOME/wavedeck/NAME, sessions live there */
char *path_user_cache(const char *name);
char *path_user_config(const char *name);
const char *path_basename(const char *path); /* what stands behind its last slash; points into it */
void path_abbreviate_home(char *text);       /* paths in the text that lie in the home folder begin with ~ afterwards */
bool path_make_directories(const char *folder, struct err *e); /* like mkdir -p */

#endif
