#include "gpu/worker/buffers/out_of_bounds.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/paths.h"
#include "kernels/inspect/source_map.h"

enum { DIMENSIONS = 3, PLACE_MAX = 48 };

/* "copy.hip:6", or "kernel copy+0x40" without line tables. */
static void describe_instruction(
	const struct softgpu_out_of_bounds *s, const char *file, const struct loaded_kernel *k, char *out, size_t size)
{
	struct kernel_line line = {.va = k->info.code_va + (uint64_t)s->pc_offset};
	int number = 0;
	if (source_map_build(k->object, file, &line, 1, &number) && number)
		snprintf(out, size, "%s:%d", path_basename(file), number);
	else
		snprintf(out, size, "kernel %s%+" PRId64, k->info.name, s->pc_offset);
}

/* "to[16]", or "to[16] + 2 bytes" if the access is not at the start of an element. */
static void describe_element(const struct job_buffer *b, int64_t offset, char *out, size_t size)
{
	int64_t bytes = (int64_t)b->type->size, into = (offset % bytes + bytes) % bytes;
	int n = snprintf(out, size, "%s[%" PRId64 "]", b->name, (offset - into) / bytes);
	if (into && n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, " + %" PRId64 " byte%s", into, into == 1 ? "" : "s");
}

/* "16", or "(3, 1)" for a shape of two dimensions. */
static void describe_place(const uint32_t at[DIMENSIONS], const uint32_t shape[DIMENSIONS], char out[PLACE_MAX])
{
	int most = shape[2] > 1 ? 3 : shape[1] > 1 ? 2 : 1, n = 0;
	for (int i = 0; i < most; i++)
		n += snprintf(out + n, (size_t)(PLACE_MAX - n), "%s%" PRIu32 "%s",
			i                  ? ", "
				: most > 1 ? "("
					   : "",
			at[i], most > 1 && i == most - 1 ? ")" : "");
}

static int find_bounded(const struct buffers *b, uint64_t address)
{
	for (int i = 0; i < b->job->buffer_count; i++)
		if ((uintptr_t)b->in_kernel[i] == address)
			return i;
	return 0;
}

bool out_of_bounds_set_error(
	const struct softgpu_out_of_bounds *s, const struct buffers *b, const struct loaded_kernel *k, struct err *e)
{
	static const char *const verbs[] = {
		[SOFTGPU_LOADS] = "reads", [SOFTGPU_STORES] = "writes", [SOFTGPU_ATOMICS] = "updates"};
	const struct job_buffer *buffer = &b->job->buffers[find_bounded(b, s->buffer)];
	char instruction[200], element[80], group[PLACE_MAX], item[PLACE_MAX];
	describe_instruction(s, b->job->file, k, instruction, sizeof instruction);
	describe_element(buffer, s->offset, element, sizeof element);
	describe_place(s->workgroup, s->grid, group);
	describe_place(s->work_item, s->block, item);
	return err_set(e, ST_FAILED,
		"%s %s %" PRIu64 " byte%s at %s; buffer %s has %zu element%s (workgroup %s, work-item %s)", instruction,
		verbs[s->op], s->bytes, s->bytes == 1 ? "" : "s", element, buffer->name, buffer->count,
		buffer->count == 1 ? "" : "s", group, item);
}
