#include "checks/check_places.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "checks/check_record_fields.h"
#include "checks/code_points.h"
#include "kernels/inspect/readable_name.h"

/* --- order --- */
static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_names(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_frames(const struct source_frames *a, const struct source_frames *b)
{
	for (size_t i = 0; i < a->count && i < b->count; i++) {
		int order = compare_names(a->list[i].file, b->list[i].file);
		order = order ? order : compare_numbers((uint64_t)a->list[i].line, (uint64_t)b->list[i].line);
		order = order ? order : compare_names(a->list[i].function, b->list[i].function);
		if (order)
			return order;
	}
	return compare_numbers(a->count, b->count);
}

/* Instructions of one line are one point; those without a line stay apart. */
static int compare_points(const struct code_point *a, int64_t offset_a, const struct code_point *b, int64_t offset_b)
{
	int order = compare_frames(&a->frames, &b->frames);
	if (order || a->frames.count)
		return order;
	return (offset_a > offset_b) - (offset_a < offset_b);
}

static int compare_accesses(const struct check_access *a, const struct check_access *b)
{
	int order = compare_numbers(a->access, b->access);
	return order ? order : compare_numbers(a->bytes, b->bytes);
}

static int compare_stacks(const struct host_stack *a, const struct host_stack *b)
{
	for (size_t i = 0; i < a->count && i < b->count; i++) {
		int order = strcmp(a->list[i].module, b->list[i].module);
		order = order ? order : compare_numbers(a->list[i].offset, b->list[i].offset);
		if (order)
			return order;
	}
	return compare_numbers(a->count, b->count);
}

/* Allocations of one place in the program count together: numbers differ between processes, and in a loop. */
static int compare_allocations(const struct check_allocation *a, const struct check_allocation *b)
{
	int order = compare_names(a->how, b->how);
	order = order ? order : compare_stacks(&a->allocated, &b->allocated);
	return order || a->allocated.count ? order : compare_numbers(a->number, b->number);
}

static int compare_same_place(const struct check_place *a, const struct check_place *b)
{
	const struct check_record *r = a->record, *s = b->record;
	int order = strcmp(a->kernel, b->kernel);
	order = order ? order : strcmp(r->kernel, s->kernel);
	order = order ? order : compare_points(&a->at, r->at.offset, &b->at, s->at.offset);
	order = order ? order : compare_numbers(r->kind, s->kind);
	order = order ? order : compare_points(&a->other, r->other.offset, &b->other, s->other.offset);
	order = order ? order : compare_numbers(r->space, s->space);
	order = order ? order : compare_accesses(&r->at, &s->at);
	order = order ? order : compare_accesses(&r->other, &s->other);
	return order ? order : compare_allocations(&r->allocation, &s->allocation);
}

static int compare_for_sort(const void *a, const void *b)
{
	const struct check_place *p = a, *q = b;
	int order = compare_same_place(p, q);
	order = order ? order
		      : (p->record->point_number > q->record->point_number) -
			(p->record->point_number < q->record->point_number);
	return order ? order : (p->record > q->record) - (p->record < q->record); /* the first one found goes first */
}

/* --- joining --- */
static void free_place(struct check_place *p)
{
	free(p->kernel);
	free(p->offsets);
	source_frames_free(&p->at.frames);
	source_frames_free(&p->other.frames);
}

static void add_offset(struct check_place *p, int64_t offset)
{
	for (size_t i = 0; i < p->offset_count; i++)
		if (p->offsets[i] == offset)
			return;
	p->offsets = xrealloc(p->offsets, (p->offset_count + 1) * sizeof *p->offsets);
	p->offsets[p->offset_count++] = offset;
}

/* The launches of instructions of one line are the same ones: the most is a lower bound, and for one process the
 * number.
 */
static void join_place(struct check_place *to, struct check_place *p)
{
	to->count = count_add(to->count, p->count);
	to->launches = to->launches > p->launches ? to->launches : p->launches;
	add_offset(to, p->record->at.offset);
	free_place(p);
}

static void join_equal_places(struct check_places *p)
{
	size_t kept = 0;
	for (size_t i = 0; i < p->count; i++)
		if (kept && !compare_same_place(&p->list[kept - 1], &p->list[i]))
			join_place(&p->list[kept - 1], &p->list[i]);
		else
			p->list[kept++] = p->list[i];
	p->count = kept;
}

static void find_code(struct code_points *code, const struct check_record *r, const struct check_access *a,
	const struct code_point *known, struct code_point *out)
{
	if (!r->point) {
		code_points_find(code, r->code, r->kernel, a->offset, out);
		return;
	}
	*out = *known;
	source_frames_copy(&out->frames, &known->frames);
}

void check_places_collect(const struct check_journals *j, const char *folder, struct check_places *out)
{
	struct code_points *code = code_points_new(folder);
	*out = (struct check_places){xcalloc(j->count + 1, sizeof *out->list), j->count};
	for (size_t i = 0; i < j->count; i++) {
		const struct check_record *r = &j->records[i];
		struct check_place *p = &out->list[i];
		*p = (struct check_place){.record = r, .count = r->count, .launches = r->launches};
		p->kernel = kernel_readable_name(r->kernel);
		find_code(code, r, &r->at, &r->at_code, &p->at);
		if (r->has_other)
			find_code(code, r, &r->other, &r->other_code, &p->other);
		add_offset(p, r->at.offset);
	}
	code_points_free(code);
	qsort(out->list, out->count, sizeof *out->list, compare_for_sort);
	join_equal_places(out);
}

void check_places_free(struct check_places *p)
{
	for (size_t i = 0; i < p->count; i++)
		free_place(&p->list[i]);
	free(p->list);
	*p = (struct check_places){0};
}

size_t check_places_count_suppressed(const struct check_places *p)
{
	size_t count = 0;
	for (size_t i = 0; i < p->count; i++)
		count += p->list[i].suppressed;
	return count;
}
