#include "softgpu/run/checked_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "softgpu/core/check/check_list.h"

enum { MEMORY_MAX = 32 };

static struct {
	uint64_t va, bytes;
} memory[MEMORY_MAX];
static uint32_t count;

static const struct {
	const char *name, *text;
} kinds[] = {
#define CHECK_KIND(id, check, name, text) {name, text},
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
};

static bool find_memory(uint64_t va, struct check_extent *out)
{
	for (uint32_t k = 0; k < count; k++)
		if (va - memory[k].va < memory[k].bytes) {
			*out = (struct check_extent){memory[k].va, memory[k].bytes, EXTENT_LIVE, k + 1};
			return true;
		}
	return false;
}

bool checked_run_begin(struct gpu *g, const char *list, char *why, size_t size)
{
	unsigned checks;

	if (!check_list_read(list, &checks, why, size))
		return false;
	if (!checks || checks & CHECK_LEAK) {
		snprintf(why, size, checks ? "leak is a check of programs, not of kernels" : "no check is named");
		return false;
	}
	if (gpu_set_checks(g, checks, find_memory))
		return true;
	snprintf(why, size, "out of memory");
	return false;
}

void checked_run_add_memory(struct gpu *g, uint64_t va, uint64_t bytes)
{
	if (count == MEMORY_MAX)
		return;
	memory[count].va = va;
	memory[count++].bytes = bytes;
	gpu_define_memory(g, va, bytes);
}

static void print_place(const struct check_report *r)
{
	fprintf(stderr, "%s: %s: count %llu, at %+lld", kinds[r->kind].name, kinds[r->kind].text,
		(unsigned long long)r->count, (long long)r->at.offset);
	if (r->has_other)
		fprintf(stderr, " and %+lld", (long long)r->other.offset);
	fprintf(stderr, ", work-item %u,%u,%u of workgroup %u,%u,%u", r->at.item[0], r->at.item[1], r->at.item[2],
		r->at.group[0], r->at.group[1], r->at.group[2]);
	if (r->at.bytes)
		fprintf(stderr, ", %u bytes at 0x%llx", r->at.bytes, (unsigned long long)r->at.address);
	fprintf(stderr, "\n");
}

size_t checked_run_report(const struct gpu *g)
{
	const size_t n = gpu_read_check_reports(g, NULL, 0);
	struct check_report *found = calloc(n + 1, sizeof *found);

	if (found)
		gpu_read_check_reports(g, found, n);
	for (size_t k = 0; found && k < n; k++)
		print_place(&found[k]);
	free(found);
	return n;
}
