#include "softgpu/driver/faults/user_memory.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "softgpu/driver/faults/fault_handler.h"

enum { MASK_BYTES = 8 /* of the kernel's signal set */, PAGE = 4096 };

/* The kernel reads the new signal mask before it checks the first argument, so this call tells whether the 8 bytes that
 * contain `at` can be read, and does nothing. */
static bool is_readable(const char *at)
{
	int saved = errno;
	const void *aligned = (const void *)((uintptr_t)at & ~(uintptr_t)(MASK_BYTES - 1));
	bool readable = !syscall(SYS_rt_sigprocmask, -1, aligned, NULL, MASK_BYTES) || errno != EFAULT;

	errno = saved;
	return readable && aligned; /* a NULL mask is not read */
}

bool is_user_string(const char *s)
{
	for (size_t done = 0; done < PATH_MAX;) { /* not by pointers: s may be the last address */
		if (!is_readable(s + done))
			return false;
		size_t left = PAGE - (uintptr_t)(s + done) % PAGE; /* all bytes of a page can be read */
		if (memchr(s + done, 0, left))
			return true;
		done += left;
	}
	return true;
}

/* --- copies --- */
/* Returns how many bytes are left. One instruction makes all accesses, with the count in rcx; after a fault in it, the
 * handler goes on behind it. The Linux kernel copies in this way, too. */
size_t move_user_bytes(void *to, const void *from, size_t size) __attribute__((visibility("hidden")));
extern const char user_bytes_access[] __attribute__((visibility("hidden")));
extern const char user_bytes_end[] __attribute__((visibility("hidden")));
__asm__(".text\n"
	".globl move_user_bytes, user_bytes_access, user_bytes_end\n"
	".type move_user_bytes, @function\n"
	"move_user_bytes:\n"
	"	mov %rdx, %rcx\n"
	"user_bytes_access:\n"
	"	rep movsb\n"
	"user_bytes_end:\n"
	"	mov %rcx, %rax\n"
	"	ret\n"
	".size move_user_bytes, . - move_user_bytes\n");

bool user_memory_take_fault(void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (registers[REG_RIP] != (greg_t)(uintptr_t)user_bytes_access)
		return false;
	registers[REG_RIP] = (greg_t)(uintptr_t)user_bytes_end;
	return true;
}

static bool copy_checked(void *to, const void *from, size_t size)
{
	fault_handler_install();
	if (!move_user_bytes(to, from, size))
		return true;
	errno = EFAULT;
	return false;
}

bool copy_from_user(void *to, const void *from, size_t size)
{
	return copy_checked(to, from, size);
}

bool copy_to_user(void *to, const void *from, size_t size)
{
	return copy_checked(to, from, size);
}

void *copy_array_from_user(const void *from, size_t count, size_t size)
{
	void *copy;

	if (count > USER_ARRAY_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	copy = malloc(count ? count * size : 1);
	if (copy && !copy_from_user(copy, from, count * size)) {
		free(copy);
		errno = EFAULT;
		return NULL;
	}
	return copy;
}

bool clear_user_memory(void *at, size_t size)
{
	static const char zeros[PAGE];
	bool good = true;

	for (size_t done = 0, part; good && done < size; done += part) {
		part = size - done < sizeof zeros ? size - done : sizeof zeros;
		good = copy_to_user((char *)at + done, zeros, part);
	}
	return good;
}

/* MS_ASYNC only looks at the mappings. */
bool is_user_range_mapped(const void *start, size_t size)
{
	int saved = errno;
	bool mapped = !msync((void *)start, size, MS_ASYNC);

	errno = saved;
	return mapped;
}
