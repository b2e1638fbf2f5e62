/* Memory that a program passes to a hook, which may be a bad pointer. The kernel answers EFAULT; so must a hook. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_USER_MEMORY_H
#define SOFTGPU_DRIVER_INTERPOSE_USER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a string can be read up to its end, or up to PATH_MAX bytes. Keeps errno. */
bool is_user_string(const char *s);

/* False with EFAULT if `to` cannot be written. */
bool copy_to_user(void *to, const void *from, size_t size);

#endif
