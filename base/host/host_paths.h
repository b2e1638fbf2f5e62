/* Where the software of this machine is. For tests, $WAVEDECK_SYSROOT=DIR replaces the machine: /usr, /opt, /etc,
 * /run/wavedeck and the processes of KFD are then looked for below DIR; programs are looked for in PATH as always. */
#ifndef BASE_HOST_HOST_PATHS_H
#define BASE_HOST_HOST_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* $WAVEDECK_SYSROOT; "" for this machine. */
const char *host_root(void);
/* The path below the root; the caller frees it. */
char *host_path(const char *path);
/* An executable file: a path, or a name that is looked for in PATH. The caller frees it; NULL: not found. */
char *host_find_program(const char *name);

/* A list of strings that owns them. */
struct text_list {
	char **items;
	size_t count;
};
void text_list_add(struct text_list *l, char *owned);
void text_list_free(struct text_list *l);

/* Adds the existing paths that match a pattern of glob(3), the newest version ("rocm-6.10" before "rocm-6.9") first. */
void host_list_newest(struct text_list *l, const char *pattern);
/* Adds the folders where ROCm's own packages are installed: the default, then the newest version first. */
void host_list_rocm(struct text_list *l);

#endif
