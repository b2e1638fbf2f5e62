#include "checks/check_findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "checks/check_record_fields.h"
#include "checks/check_words.h"

/* --- a side --- */
static void append_source_line(struct buf *b, const struct check_findings *r, const struct source_frame *f)
{
	bool changed;
	const char *text = source_text_line(r->sources, f->file, f->line, &changed);
	if (changed)
		buf_puts(b, "    (the file is newer than the program)\n");
	else if (text && *text)
		buf_printf(b, "    %s\n", text);
}

/* "in add_next, inlined at red.hip:30 in bad" */
static void append_inlining(struct buf *b, const struct source_frames *f)
{
	for (size_t i = source_frames_find_own(f) + 1; i < f->count; i++) {
		const char *inner = f->list[i - 1].function, *outer = f->list[i].function;
		buf_printf(b, "    in %s, inlined at %s:%d%s%s\n", inner ? inner : "a function",
			source_path_shorten(f->list[i].file), f->list[i].line, outer ? " in " : "", outer ? outer : "");
	}
}

/* A function that was not inlined. */
static void append_called_function(struct buf *b, const struct source_frames *f, const char *kernel)
{
	const char *name = f->count ? f->list[f->count - 1].function : NULL;
	if (name && !strstr(kernel, name))
		buf_printf(b, "    in %s\n", name);
}

static void append_position(struct buf *b, const struct code_point *at, int64_t offset)
{
	const struct source_frame *f = &at->frames.list[source_frames_find_own(&at->frames)];
	if (at->frames.count)
		buf_printf(b, "  %s:%d: ", source_path_shorten(f->file), f->line);
	else
		buf_printf(b, "  instruction at byte %" PRId64 ": ", offset);
}

static void append_code(
	struct buf *b, const struct check_findings *r, const struct check_place *p, const struct code_point *at)
{
	if (at->frames.count)
		append_source_line(b, r, &at->frames.list[source_frames_find_own(&at->frames)]);
	else if (*at->instruction)
		buf_printf(b, "    %s\n", at->instruction);
	append_inlining(b, &at->frames);
	append_called_function(b, &at->frames, p->kernel);
}

static void append_item(struct buf *b, const struct check_record *r, const struct check_access *a)
{
	buf_puts(b, "    ");
	item_append_words(b, r, a);
	buf_puts(b, "\n");
}

static void append_sides(struct buf *b, const struct check_findings *r, const struct check_place *p)
{
	const struct check_record *record = p->record;
	append_position(b, &p->at, record->at.offset);
	access_append_words(b, record);
	buf_puts(b, "\n");
	append_code(b, r, p, &p->at);
	append_item(b, record, &record->at);
	if (record->point && *record->point)
		buf_printf(b, "    at %s\n", record->point);
	if (!record->has_other)
		return;
	append_position(b, &p->other, record->other.offset);
	other_append_words(b, record);
	buf_puts(b, "\n");
	if (record->kind != KIND_LANE_RACE) /* it is the same instruction */
		append_code(b, r, p, &p->other);
	append_item(b, record, &record->other);
}

/* --- the allocation --- */
static void append_stack(struct buf *b, const struct check_findings *r, const char *title, const struct host_stack *s)
{
	size_t first, count = host_stack_find_program(r->modules, s, &first);
	if (!count)
		return;
	buf_printf(b, "    %s\n", title);
	for (size_t i = first; i < first + count; i++) {
		char *text = host_frame_describe(r->modules, &s->list[i]);
		buf_printf(b, "      %s\n", text);
		free(text);
	}
}

static void append_allocation(struct buf *b, const struct check_findings *r, const struct check_allocation *a)
{
	if (!a->number)
		return;
	buf_printf(b, a->variable ? "  variable of " : "  buffer of ");
	count_append(b, a->bytes);
	buf_printf(b, " byte%s at 0x%" PRIx64 ", %s%s\n", plural_s(a->bytes), a->address, a->variable ? "" : "from ",
		a->variable ? a->variable : a->how);
	append_stack(b, r, "allocated in", &a->allocated);
	append_stack(b, r, "freed in", &a->freed);
}

void check_place_append_text(struct buf *b, const struct check_findings *r, const struct check_place *p)
{
	if (p->record->kind != KIND_LEAK)
		append_sides(b, r, p);
	append_stack(b, r, "copied to the host in", &p->record->read);
	append_allocation(b, r, &p->record->allocation);
}

/* --- all --- */
static void append_number_of(struct buf *b, uint64_t n, const char *noun, const char *plural)
{
	count_append(b, n);
	buf_printf(b, " %s%s", noun, n == 1 ? "" : plural);
}

static void append_title(struct buf *b, const struct check_place *p)
{
	buf_printf(b, "wavedeck: %s, ", check_kind_text(p->record->kind));
	if (p->record->kind == KIND_LEAK) {
		append_number_of(b, p->record->room, "byte", "s");
		buf_puts(b, " in ");
		append_number_of(b, p->count, "allocation", "s");
		buf_puts(b, "\n");
		return;
	}
	count_append_times(b, p->count);
	buf_printf(b, ": %s\n", p->kernel);
}

/* "memory, race in 20 launches" */
static void append_checked(struct buf *b, const struct check_findings *r, const char *joint)
{
	for (const char *at = r->checks; *at; at++)
		*at == ',' ? buf_puts(b, ", ") : buf_add(b, at, 1);
	buf_puts(b, joint);
	append_number_of(b, r->journals->launches, "launch", "es");
}

static void append_suppressed(struct buf *b, size_t count)
{
	if (!count)
		return;
	buf_puts(b, "; ");
	count_append(b, count);
	buf_puts(b, " suppressed");
}

static void append_summary(struct buf *b, const struct check_findings *r, size_t places, uint64_t accesses)
{
	if (!r->journals->launches && !places && strcmp(r->checks, "leak")) {
		buf_puts(b,
			"wavedeck: the program launched no kernel of its own on the software GPU; nothing was checked\n");
		return;
	}
	buf_puts(b, "wavedeck: ");
	if (places) {
		append_number_of(b, places, "place", "s");
		buf_puts(b, ", ");
		append_number_of(b, accesses, "access", "es");
		buf_puts(b, "; checked ");
		append_checked(b, r, " in ");
	} else {
		buf_puts(b, "no faults found (");
		append_checked(b, r, "; ");
		buf_puts(b, ")");
	}
	append_suppressed(b, check_places_count_suppressed(r->places));
	buf_puts(b, "\n");
}

static void append_notes(struct buf *b, const struct check_findings *r, size_t hidden, bool without_lines)
{
	if (hidden) {
		buf_puts(b, "wavedeck: ");
		append_number_of(b, hidden, "more place", "s");
		buf_puts(b, "; --check-limit N shows more\n");
	}
	if (r->journals->left_out) {
		buf_puts(b, "wavedeck: ");
		append_number_of(b, r->journals->left_out, "more access", "es");
		buf_puts(b, " at further places; fix some of those above and run it again\n");
	}
	if (without_lines)
		buf_puts(b, "wavedeck: compile with -g for source lines\n");
	if (r->journals->damaged) {
		buf_puts(b, "wavedeck: ");
		append_number_of(b, r->journals->damaged, "line", "s");
		buf_puts(b, " of what the checks wrote could not be read\n");
	}
}

void check_report_append_text(struct buf *b, const struct check_findings *r, size_t limit)
{
	size_t places = 0;
	uint64_t accesses = 0;
	bool without_lines = false;
	for (size_t i = 0; i < r->places->count; i++) {
		const struct check_place *p = &r->places->list[i];
		if (p->suppressed)
			continue;
		if (p->record->kind != KIND_LEAK)
			accesses = count_add(accesses, p->count);
		if (places++ >= limit)
			continue;
		append_title(b, p);
		check_place_append_text(b, r, p);
		without_lines |= *p->at.instruction && !p->at.frames.count;
	}
	append_notes(b, r, places > limit ? places - limit : 0, without_lines);
	if (accesses && r->steps)
		buf_printf(b, "wavedeck: %s, show the steps\n", r->steps);
	append_summary(b, r, places, accesses);
}
