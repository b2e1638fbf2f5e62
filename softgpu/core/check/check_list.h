/* Lists of checks, such as "memory,race". */
#ifndef SOFTGPU_CORE_CHECK_CHECK_LIST_H
#define SOFTGPU_CORE_CHECK_CHECK_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a list into enum check; NULL: empty. Unknown words are left out; then false, and `why` names the first. */
bool check_list_read(const char *list, unsigned *out, char *why, size_t size);

#endif
