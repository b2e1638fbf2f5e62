#include "softgpu/driver/capture/launch_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/core/launch/saved_state.h"
#include "softgpu/core/model_config.h"
#include "softgpu/driver/capture/code_objects.h"
#include "softgpu/driver/capture/first_touch.h"
#include "softgpu/driver/capture/program_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/queues/launch_slots.h"

enum { KERNELS_MAX = 1024, MAPPINGS_MAX = 1 << 16, PAGE = 4096 };
_Static_assert(CAPTURE_HOST_AT == GTT_OFFSET, "a capture tells host memory from device memory as the driver does");

/* The launch that is being kept. */
static struct captured_launch kept;
static const struct active_launch *of; /* NULL: none */
static struct gpu_mapping *mappings;
static size_t mapping_count;
static uint64_t launches;

/* The launch of each kernel that is kept: its file has its number. */
static struct kept_kernel {
	char name[KERNEL_NAME_BYTES];
	uint64_t number, cycles;
} kernels[KERNELS_MAX];
static size_t kernel_count;

static const char *read_setting(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

static const char *capture_folder(void)
{
	return read_setting("SOFTGPU_CAPTURE");
}

void launch_capture_prepare(void)
{
	if (capture_folder())
		code_objects_find_list();
}

static bool is_wanted(const struct active_launch *r)
{
	static const char *folder, *kernel;
	static bool known;

	if (!known) {
		folder = capture_folder();
		kernel = read_setting("SOFTGPU_CAPTURE_KERNEL");
		known = true;
	}
	return folder && (!kernel || strstr(r->kernel, kernel));
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

/* --- before the launch --- */
static bool list_mappings(struct gpu *g)
{
	mapping_count = gpu_list_mappings(g, NULL, 0);
	free(mappings);
	mappings = calloc(mapping_count + 1, sizeof *mappings);
	if (!mappings || mapping_count > MAPPINGS_MAX)
		return false;
	gpu_list_mappings(g, mappings, mapping_count);
	return true;
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

/* The code of the kernel: what an earlier launch has decoded is not read again. */
static void keep_code(uint64_t kernel_object)
{
	for (size_t i = 0; i < mapping_count; i++)
		if (kernel_object - mappings[i].va < mappings[i].size)
			first_touch_keep(mappings[i].host, mappings[i].size);
}

void launch_capture_begin(struct active_launch *r)
{
	const uint64_t number = launches++;

	if (of || !is_wanted(r))
		return;
	memset(&kept, 0, sizeof kept);
	kept.number = number;
	kept.dispatch = r->dispatch;
	kept.has_gws = r->dispatch.gws != NULL;
	if (kept.has_gws)
		kept.gws = *r->dispatch.gws;
	snprintf(kept.kernel, sizeof kept.kernel, "%s", r->kernel);
	if (!model_format(gpu_model(r->gpu), kept.model, sizeof kept.model) || !list_mappings(r->gpu))
		return;
	kept.state = gpu_save_state(r->gpu, &kept.state_bytes);
	if (!kept.state || !first_touch_begin()) {
		free(kept.state);
		return;
	}
	keep_code(r->dispatch.kernel_object);
	keep_program_memory();
	of = r;
}

/* --- after it --- */
static struct kept_kernel *find_kernel(const char *name)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
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

static void name_file(char *out, size_t size, uint64_t number, const char *end)
{
	snprintf(out, size, "%s/%d-%llu.launch%s", capture_folder(), (int)getpid(), (unsigned long long)number, end);
}

static bool write_file(void)
{
	char name[4096], part[4096];

	name_file(name, sizeof name, kept.number, "");
	name_file(part, sizeof part, kept.number, ".part");
	const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* it has the program's data */
	FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
	bool ok = out && captured_launch_write(&kept, out);
	if (out && fclose(out))
		ok = false;
	if (ok && !rename(part, name))
		return true;
	driver_warn(
		"cannot keep launch %llu of %.127s: %s", (unsigned long long)kept.number, kept.kernel, strerror(errno));
	unlink(part);
	return false;
}

static void remove_file(uint64_t number)
{
	char name[4096];

	name_file(name, sizeof name, number, "");
	unlink(name);
}

static void keep_code_object(void)
{
	const uint64_t at = kept.dispatch.kernel_object;

	for (size_t i = 0; i < mapping_count; i++)
		if (at - mappings[i].va < mappings[i].size)
			code_object_keep(
				mappings[i].va, mappings[i].size, capture_folder(), kept.code, sizeof kept.code);
}

/* Keeps the launch in place of a faster one of the kernel. */
static void keep_slowest(void)
{
	struct kept_kernel *k = find_kernel(kept.kernel);
	const bool first = !k;

	if (first && kernel_count == KERNELS_MAX)
		return;
	if (first)
		k = &kernels[kernel_count];
	else if (kept.result.cycles <= k->cycles)
		return;
	keep_code_object();
	if (!write_file())
		return;
	if (first)
		kernel_count++;
	else
		remove_file(k->number);
	snprintf(k->name, sizeof k->name, "%.*s", (int)sizeof k->name - 1, kept.kernel);
	k->number = kept.number;
	k->cycles = kept.result.cycles;
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
	if (lost)
		note_reason("it touches more memory than can be kept");
	if (gpu_list_mappings(r->gpu, NULL, 0) != mapping_count)
		note_reason("memory was mapped or unmapped while it ran");
	if (fill_mappings() && fill_pages(pages, count))
		keep_slowest();
	free(kept.mappings);
	free(kept.pages);
	free(kept.state);
	program_memory_clear();
}
