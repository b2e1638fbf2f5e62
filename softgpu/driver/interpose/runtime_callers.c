#include "softgpu/driver/interpose/runtime_callers.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>

static const struct {
	const char *name;
	enum caller caller;
} libraries[] = {
	{"/libamdhip64.so", CALLER_HIP},
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

static struct {
	_Atomic uintptr_t start, size; /* of the segments in memory; size 0: not loaded */
} found[LIBRARIES];

static void note_segments(const struct dl_phdr_info *info, unsigned library)
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
	found[library].start = start;
	found[library].size = end > start ? end - start : 0;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (unsigned i = 0; info->dlpi_name && i < LIBRARIES; i++)
		if (strstr(info->dlpi_name, libraries[i].name))
			note_segments(info, i);
	return 0;
}

void runtime_callers_find(void)
{
	dl_iterate_phdr(find_library, NULL);
}

enum caller runtime_caller_of(uintptr_t return_address)
{
	for (unsigned i = 0; i < LIBRARIES; i++)
		if (return_address - found[i].start < found[i].size)
			return libraries[i].caller;
	return CALLER_PROGRAM;
}
