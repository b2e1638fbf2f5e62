#include "softgpu/driver/kfd/ioctl_argument.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "softgpu/driver/faults/user_memory.h"

static size_t copied_bytes(unsigned long request)
{
	size_t size = _IOC_SIZE(request);

	return size < sizeof(struct ioctl_argument) ? size : sizeof(struct ioctl_argument);
}

int ioctl_argument_read(struct ioctl_argument *a, unsigned long request, const void *from)
{
	memset(a, 0, sizeof *a);
	if (!(_IOC_DIR(request) & _IOC_WRITE))
		return 0;
	return copy_from_user(a->bytes, from, copied_bytes(request)) ? 0 : EFAULT;
}

int ioctl_argument_write(const struct ioctl_argument *a, unsigned long request, void *to)
{
	if (!(_IOC_DIR(request) & _IOC_READ))
		return 0;
	return copy_to_user(to, a->bytes, copied_bytes(request)) ? 0 : EFAULT;
}
