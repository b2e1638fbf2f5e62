#include "softgpu/driver/interpose/runtime_callers.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>

static const struct {
	const char *name;
	enum caller caller;
} libraries[] = {
	{"/libamdhip64.so", CALLER_HIP},
	{"/libamdocl64.so", CALLER_HIP}, /* OpenCL, on the same ROCclr */
	{"/libhsa-runtime64.so", CALLER_RUNTIME},
	{"/libhsakmt.so", CALLER_RUNTIME},
	{"/libamd_comgr.so", CALLER_RUNTIME},
	{"/libhiprtc.so", CALLER_RUNTIME},
	{"/librocm_smi64.so", CALLER_RUNTIME},
	{"/libdrm.so", CALLER_RUNTIME},
	{"/libdrm_amdgpu.so", CALLER_RUNTIME},
	{"/libsoftgpu.so", CALLER_RUNTIME},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* The segments in memory of each library that has been found; size 0: the end. A process may load several copies. */
enum { RANGES = 4 * LIBRARIES };
static struct {
	_Atomic uintptr_t start, size;
	enum caller caller;
} found[RANGES];

static void note_range(uintptr_t start, uintptr_t size, enum caller caller)
{
	unsigned i = 0;

	while (i < RANGES && found[i].size && found[i].start != start)
		i++;
	if (i == RANGES)
		return;
	found[i].caller = caller;
	found[i].start = start;
	found[i].size = size;
}

static void note_segments(const struct dl_phdr_info *info, enum caller caller)
{
	uintptr_t start = UINTPTR_MAX, end = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		start = at < start ? at : start;
		end = at + p->p_memsz > end ? at + p->p_memsz : end;
	}
	if (end > start)
		note_range(start, end - start, caller);
}

static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (unsigned i = 0; info->dlpi_name && i < LIBRARIES; i++)
		if (strstr(info->dlpi_name, libraries[i].name))
			note_segments(info, libraries[i].caller);
	return 0;
}

void runtime_callers_find(void)
{
	dl_iterate_phdr(find_library, NULL);
}

enum caller runtime_caller_of(uintptr_t return_address)
{
	for (unsigned i = 0; i < RANGES && found[i].size; i++)
		if (return_address - found[i].start < found[i].size)
			return found[i].caller;
	return CALLER_PROGRAM;
}
