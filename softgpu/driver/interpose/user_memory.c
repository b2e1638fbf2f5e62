#include "softgpu/driver/interpose/user_memory.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

bool copy_to_user(void *to, const void *from, size_t size)
{
	struct iovec local = {(void *)from, size}, remote = {to, size};
	ssize_t n = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);

	if (n < 0 && errno != EFAULT) { /* not permitted, in a container */
		memcpy(to, from, size);
		n = (ssize_t)size;
	}
	if (n != (ssize_t)size)
		errno = EFAULT;
	return n == (ssize_t)size;
}
