/* Interposed mmap: where the runtime reserves addresses for GPUs (va_quarantine.h). */
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/driver/check/va_quarantine.h"
#include "softgpu/driver/interpose/interpose.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* mmap64 */

typedef void *mmap_fn(void *, size_t, int, int, int, off_t);
static mmap_fn *next_mmap;

/* At the start: dlsym may call an allocator, which may call mmap. */
static __attribute__((constructor)) void find_next_mmap(void)
{
	next_mmap = (mmap_fn *)dlsym(RTLD_NEXT, "mmap");
}

EXPORT void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	if (va_quarantine_serves(address, protection, flags))
		return va_quarantine_reserve(bytes, flags);
	if (next_mmap)
		return next_mmap(address, bytes, protection, flags, fd, offset);
	return (void *)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	return mmap(address, bytes, protection, flags, fd, offset);
}
