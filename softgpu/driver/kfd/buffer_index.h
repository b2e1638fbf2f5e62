/* Where the buffers of a process are, by address: a search takes the logarithm of their number. Under the lock of the
 * buffers (kfd_buffer.h).
 *
 * libhsakmt gives each buffer addresses of its own. If a program asks for buffers at the same addresses, one of them is
 * found there, or none. */
#ifndef SOFTGPU_DRIVER_KFD_BUFFER_INDEX_H
#define SOFTGPU_DRIVER_KFD_BUFFER_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False if memory runs out. */
bool buffer_index_add(uint64_t va, uint64_t size, size_t number);
void buffer_index_remove(uint64_t va, size_t number);
/* The number of the buffer that contains the address; 0: none. */
size_t buffer_index_find(uint64_t va);
/* The child has no buffers. */
void buffer_index_reset_in_child(void);

#endif
