/* The functions of probe.h for allocations. */
#include <stdio.h>

#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/host_stack.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/probe.h"

EXPORT int softgpu_extent(uint64_t va, struct softgpu_extent *out)
{
	struct check_extent e;
	const bool known = allocations_find_extent(va, &e);

	*out = (struct softgpu_extent){e.va, e.bytes, e.state, e.allocation};
	return known ? 0 : -1;
}

EXPORT int softgpu_allocation(uint32_t number, struct softgpu_allocation *out)
{
	struct allocation a;

	if (out->size < sizeof *out || !allocations_get(number, &a))
		return -1;
	*out = (struct softgpu_allocation){out->size, a.freed, a.address, a.bytes, a.how, a.allocated_by, a.freed_by};
	return 0;
}

EXPORT size_t softgpu_stack(uint32_t stack, char *out, size_t size)
{
	struct strbuf text = {0};
	size_t length;

	host_stack_append(&text, stack);
	length = text.length;
	snprintf(out, size, "%s", text.data ? text.data : "");
	strbuf_free(&text);
	return length;
}

EXPORT size_t softgpu_leaks(uint32_t *out, size_t max, uint64_t *bytes)
{
	return allocations_list_leaks(out, max, bytes);
}
