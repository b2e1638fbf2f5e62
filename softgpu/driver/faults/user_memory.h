/* Memory that a program passes to a hook, which may be a bad pointer. The kernel answers EFAULT; so must a hook. */
#ifndef SOFTGPU_DRIVER_FAULTS_USER_MEMORY_H
#define SOFTGPU_DRIVER_FAULTS_USER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a string can be read up to its end, or up to PATH_MAX bytes. Keeps errno. */
bool is_user_string(const char *s);

/* False with EFAULT if a byte of `from` cannot be read, or of `to` cannot be written; the bytes before it are copied.
 * They make no system calls. */
bool copy_from_user(void *to, const void *from, size_t size);
bool copy_to_user(void *to, const void *from, size_t size);
/* Copies `count` elements of `size` bytes. The caller frees them. NULL with EFAULT, or with ENOMEM, also for more than
 * USER_ARRAY_MAX bytes. */
enum { USER_ARRAY_MAX = 4 << 20 };
void *copy_array_from_user(const void *from, size_t count, size_t size);
/* False with EFAULT as above; writes zeros. */
bool clear_user_memory(void *at, size_t size);

/* Whether all pages of a range are mapped. `start` is the start of a page, `size` in bytes. Keeps errno. */
bool is_user_range_mapped(const void *start, size_t size);

/* For the fault handler: if one of the copies above faulted, changes the context so that the copy ends, and returns
 * true. */
bool user_memory_take_fault(void *context);

#endif
