/* Paths of the program's own files (source tree or installed) and of the user's folders (XDG). The caller frees
 * returned strings, unless noted otherwise. */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#include <stdbool.h>

#include "base/err.h"

/* True if the program runs from the source tree (the executable is below <root>/build), false if it is installed. */
bool path_is_source_tree(void);
char *path_self(void);                /* the executable, absolute */
char *path_build(const char *name);   /* a build product such as libsoftgpu.so: next to the executable, or installed in
                                         PREFIX/lib/wavedeck */
char *path_kernels(const char *name); /* kernel source NAME */
char *path_kernel_object(const char *arch, const char *name); /* prebuilt code object */
char *path_catalog(void);                                     /* folder of the experiments */
char *path_published(void);                                   /* folder of the published rows */
char *path_share(const char *name);                           /* lessons, themes, ... */
/* The user's home folder: $HOME, otherwise the one of the user database; NULL if there is none. Then the three paths
 * below name a folder that does not exist, unless XDG variables set them. Not to be freed. */
const char *path_home(void);
char *path_user_data(const char *name); /* $XDG_DATA_HOME/wavedeck/NAME */
char *path_user_cache(const char *name);
char *path_user_config(const char *name);
const char *path_basename(const char *path);                   /* the part after the last slash; points into `path` */
bool path_has_suffix(const char *path, const char *suffix);    /* and something before it */
char *path_copy_folder(const char *path);                      /* the part before it; "." without one */
void path_abbreviate_home(char *text);                         /* replaces the home folder in the text by ~ */
bool path_make_directories(const char *folder, struct err *e); /* like mkdir -p */

#endif
