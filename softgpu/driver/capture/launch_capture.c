#include "softgpu/driver/capture/launch_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/capture/captured_launch.h"
#include "softgpu/core/launch/saved_state.h"
#include "softgpu/core/model_config.h"
#include "softgpu/driver/capture/code_objects.h"
#include "softgpu/driver/capture/first_touch.h"
#include "softgpu/driver/capture/kept_launches.h"
#include "softgpu/driver/capture/program_memory.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/launch_slots.h"

enum { MAPPINGS_MAX = 1 << 16, PAGE = 4096 };
_Static_assert(CAPTURE_HOST_AT == GTT_OFFSET, "a capture tells host memory from device memory as the driver does");

/* The launch that is being kept. */
static struct captured_launch kept;
static const struct active_launch *of; /* NULL: none */
static struct gpu_mapping *mappings;
static size_t mapping_count;

void launch_capture_prepare(void)
{
	if (kept_launches_folder())
		code_objects_find_list();
}

static void note_reason(const char *text)
{
	if (!*kept.reason)
		snprintf(kept.reason, sizeof kept.reason, "%s", text);
}

/* Not a bounded buffer, which is another mapping's memory. */
static bool is_whole(const struct gpu_mapping *m)
{
	return m->size % PAGE == 0 && m->va % PAGE == 0;
}

/* In the order of their addresses; the caller frees them. NULL: out of memory. */
static struct gpu_mapping *list_mappings(struct gpu *g, size_t *count)
{
	*count = gpu_list_mappings(g, NULL, 0);
	struct gpu_mapping *list = calloc(*count + 1, sizeof *list);
	if (list)
		gpu_list_mappings(g, list, *count);
	return list;
}

/* --- before the launch --- */
static bool note_mappings(struct gpu *g)
{
	free(mappings);
	mappings = list_mappings(g, &mapping_count);
	return mappings && mapping_count <= MAPPINGS_MAX;
}

static void keep_program_memory(void)
{
	uint64_t at = CAPTURE_PROGRAM_AT, unused;

	for (size_t i = 0; i < mapping_count; i++) {
		const struct gpu_mapping *m = &mappings[i];
		if (!is_whole(m) || first_touch_offset(m->host, &unused))
			continue;
		if (!program_memory_keep(m->host, m->size, at))
			note_reason("it can reach more of the program's own memory than can be kept");
		at += m->size;
	}
}

/* Without them, the launch can be run again, but its checks do not know where buffers end. */
static void keep_allocations(void)
{
	const size_t count = allocations_list_live(NULL, 0);
	struct allocation *list = count <= CAPTURE_ALLOCATIONS_MAX ? calloc(count + 1, sizeof *list) : NULL;

	kept.allocations = list ? calloc(count + 1, sizeof *kept.allocations) : NULL;
	if (kept.allocations)
		kept.allocation_count = min_u64(allocations_list_live(list, count), count);
	for (size_t i = 0; i < kept.allocation_count; i++) {
		struct captured_allocation *a = &kept.allocations[i];
		a->va = list[i].address;
		a->bytes = list[i].bytes;
		snprintf(a->how, sizeof a->how, "%s", list[i].how);
	}
	free(list);
}

/* The code of the kernel: what an earlier launch has decoded is not read again. */
static void keep_code(uint64_t kernel_object)
{
	for (size_t i = 0; i < mapping_count; i++)
		if (kernel_object - mappings[i].va < mappings[i].size)
			first_touch_keep(mappings[i].host, mappings[i].size);
}

void launch_capture_begin(struct active_launch *r)
{
	if (of || !kept_launches_want(r->kernel, r->number))
		return;
	memset(&kept, 0, sizeof kept);
	kept.number = r->number;
	kept.dispatch = r->dispatch;
	kept.has_gws = r->dispatch.gws != NULL;
	if (kept.has_gws)
		kept.gws = *r->dispatch.gws;
	snprintf(kept.kernel, sizeof kept.kernel, "%s", r->kernel);
	if (!model_format(gpu_model(r->gpu), kept.model, sizeof kept.model) || !note_mappings(r->gpu))
		return;
	kept.state = gpu_save_state(r->gpu, &kept.state_bytes);
	if (!kept.state || !first_touch_begin()) {
		free(kept.state);
		return;
	}
	keep_code(r->dispatch.kernel_object);
	keep_program_memory();
	keep_allocations();
	of = r;
}

/* --- after it --- */
static bool is_same_mapping(const struct gpu_mapping *a, const struct gpu_mapping *b)
{
	return a->va == b->va && a->size == b->size && a->host == b->host && a->phys == b->phys &&
		a->access == b->access;
}

/* Whether all mappings that the launch found are still there. The program may have added others, such as memory for a
 * copy that waits for the launch. If the launch reaches one of these, the replay stops there with a message. */
static bool are_mappings_kept(struct gpu *g)
{
	size_t count, at = 0, found = 0;
	struct gpu_mapping *now = list_mappings(g, &count);

	for (; now && at < count && found < mapping_count; at++)
		found += is_same_mapping(&now[at], &mappings[found]);
	free(now);
	return found == mapping_count;
}

static bool fill_mappings(void)
{
	uint64_t program_at = CAPTURE_PROGRAM_AT;

	kept.mappings = calloc(mapping_count + 1, sizeof *kept.mappings);
	if (!kept.mappings)
		return false;
	for (size_t i = 0; i < mapping_count; i++) {
		const struct gpu_mapping *m = &mappings[i];
		struct captured_mapping *out = &kept.mappings[kept.mapping_count];
		*out = (struct captured_mapping){m->va, m->size, m->phys, 0, m->access};
		if (!is_whole(m))
			continue;
		if (!first_touch_offset(m->host, &out->at)) {
			out->at = program_at;
			program_at += m->size;
		}
		kept.mapping_count++;
	}
	return true;
}

/* Host memory may also be changed by the program meanwhile, so its content after the launch is kept. */
static void add_host_page(uint64_t at, uint64_t bytes, uint8_t *before, const uint8_t *now, bool changed)
{
	kept.pages[kept.page_count++] = (struct captured_page){
		.at = at, .bytes = bytes, .before = before, .after = changed ? (uint8_t *)now : NULL};
}

static void add_device_page(const struct touched_page *p)
{
	kept.pages[kept.page_count++] =
		(struct captured_page){.at = p->at, .bytes = p->bytes, .before = p->before, .written = p->written};
	if (p->written)
		kept.digest = capture_digest(kept.digest, p->at, p->now, p->bytes);
}

static bool fill_pages(const struct touched_page *pages, size_t count)
{
	size_t run_count;
	const struct program_run *runs = program_memory_runs(&run_count);

	kept.pages = calloc(count + run_count + 1, sizeof *kept.pages);
	if (!kept.pages)
		return false;
	for (size_t i = 0; i < count; i++)
		if (pages[i].at % CAPTURE_DEVICE_BYTES < CAPTURE_HOST_AT)
			add_device_page(&pages[i]);
		else
			add_host_page(pages[i].at, pages[i].bytes, pages[i].before, pages[i].now, pages[i].written);
	for (size_t i = 0; i < run_count; i++)
		add_host_page(
			runs[i].at, runs[i].bytes, runs[i].before, runs[i].host, program_memory_has_changed(&runs[i]));
	return true;
}

/* The mapping with the code of the kernel. */
static const struct gpu_mapping *find_code(void)
{
	static const struct gpu_mapping none;
	const uint64_t at = kept.dispatch.kernel_object;

	for (size_t i = 0; i < mapping_count; i++)
		if (at - mappings[i].va < mappings[i].size)
			return &mappings[i];
	return &none;
}

void launch_capture_end(struct active_launch *r)
{
	size_t count;
	bool lost;

	if (of != r)
		return;
	of = NULL;
	const struct touched_page *pages = first_touch_end(&count, &lost);
	kept.result = r->result;
	if (r->device->kernels.overlapped)
		note_reason("other kernels ran next to it");
	if (lost)
		note_reason("it touches more memory than can be kept");
	if (!are_mappings_kept(r->gpu))
		note_reason("memory was unmapped while it ran");
	if (fill_mappings() && fill_pages(pages, count))
		kept_launches_add(&kept, find_code()->va, find_code()->size);
	free(kept.mappings);
	free(kept.pages);
	free(kept.allocations);
	free(kept.state);
	program_memory_clear();
}
