/* More addresses for a part of a GPU's memory: the same bytes, at the same physical addresses.
 *
 * The runtime knows an alias as memory of another process that it has opened: it gets a handle, whose import makes the
 * alias. An alias takes no memory and gives none back; its maker keeps the memory as long. */
#ifndef SOFTGPU_DRIVER_KFD_KFD_ALIAS_H
#define SOFTGPU_DRIVER_KFD_KFD_ALIAS_H

#include <stdbool.h>
#include <stdint.h>

struct buffer;
struct kfd_ipc_import;

enum { RUNTIME_HANDLE_WORDS = 8 };
/* Makes the handle with which the runtime imports an alias of [va, va + size), before kfd_alias_end on this thread.
 * `va` is at the start of a page. False: it is not in the memory of one GPU. */
bool kfd_alias_begin(uint64_t va, uint64_t size, uint32_t handle[RUNTIME_HANDLE_WORDS]);
void kfd_alias_end(void);

/* For the import: fills in the buffer if the thread is between the calls above. */
bool kfd_alias_take(struct kfd_ipc_import *args, struct buffer *out);
/* Lets the GPUs that reach the memory at `va` reach its alias. */
void kfd_alias_follow(uint64_t alias, uint64_t va);

#endif
