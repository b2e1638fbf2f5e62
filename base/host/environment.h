/* The environment of a child process. */
#ifndef BASE_HOST_ENVIRONMENT_H
#define BASE_HOST_ENVIRONMENT_H

#include <stdbool.h>

/* The variables of this process that `keep` accepts (NULL: all), and those of `added` (NAME=VALUE, a list that ends
 * with NULL), which replace variables of the same name. The caller frees the list, but not its strings. */
char **environment_make(bool (*keep)(const char *variable), char *const *added);

#endif
