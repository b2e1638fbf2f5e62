/* The inside view: tabs, the reason why there is nothing, or the page. */
#include "tui/view_inside.h"

#include <stdio.h>
#include <string.h>

#include "gpu/causes.h"

static const struct {
	const char *key, *title, *action;
	unsigned part;
	view_draw_fn *draw;
} pages[INSIDE_PAGE_COUNT] = {
#define PAGE_ROW(id, key, title, name, part, draw) [INSIDE_##id] = {key, title, "inside-" name, part, draw},
	INSIDE_PAGES(PAGE_ROW)
#undef PAGE_ROW
};

/* --- causes: the colours and letters of where the cycles go --- */
char span_letter(const char *cause)
{
	return *cause ? cause_row(cause_named(cause))->letter : '.';
}

int span_role(const char *cause, bool issue)
{
	enum cause_family family = cause_row(cause_named(cause))->family;
	return family == FAMILY_ISSUE && !issue ? ROLE_DIM : ROLE_CAUSE_ISSUE + (int)family;
}

const char *access_end(const struct wave_access *a)
{
	return !strcmp(a->kind, "lds") ? "done" : !strcmp(a->op, "store") ? "acknowledged" : "back";
}

void access_way(const struct wave_access *a, char *out, size_t size)
{
	size_t used = 0;
	uint64_t from = a->begin;
	*out = 0;
	for (int k = 0; k < a->ways && used < size; from = a->way[k++].until)
		used += (size_t)snprintf(out + used, size - used, "%s%s %llu", k ? ", " : "", a->way[k].cause,
			(unsigned long long)(a->way[k].until - from));
}

char *address_text(uint64_t at, char *out, size_t size)
{
	enum { SYSTEM_BIT = 46 /* softgpu/core/gpu.h: VM_SYSTEM */ };
	bool host = at >> SYSTEM_BIT & 1;
	snprintf(out, size, "%s 0x%llx", host ? "host memory" : "device memory",
		(unsigned long long)(at & ((1ull << SYSTEM_BIT) - 1)));
	return out;
}

int code_rows(const struct app *a, const struct inside_code *c, struct area at, int here, int rows)
{
	int first = first_row(here, rows, c->lines), n = c->lines - first < rows ? c->lines - first : rows;
	for (int i = 0; i < n; i++) {
		const struct code_line *l = &c->line[first + i];
		bool current = first + i == here;
		int role = current ? ROLE_SELECTED : ROLE_TEXT;
		for (int x = 0; current && x < at.r.w; x++)
			area_text(at, x, i, role, " ");
		area_text(at, 0, i, role, current ? glyph(a->ascii, GLYPH_SELECT) : " ");
		area_printf(at, 2, i, current ? role : ROLE_DIM, "+%06llx", (unsigned long long)l->offset);
		area_fit(at, 11, i, at.r.w - 11, role, l->text);
	}
	return n;
}

/* --- the whole --- */
static void tabs(const struct inside_view *v, struct area at)
{
	int x = 0;
	for (int i = 0; i < INSIDE_PAGE_COUNT; i++) {
		bool here = i == (int)v->page;
		int from = x;
		x += area_printf(at, x, 0, here ? ROLE_SELECTED : ROLE_KEY, " %s ", pages[i].key);
		x += area_printf(at, x, 0, here ? ROLE_SELECTED : ROLE_TEXT, "%s ", pages[i].title) + 1;
		area_hit(at, from, 0, x - 1 - from, 1, (struct hit){.click = pages[i].action});
	}
}

static void wrapped(struct area at, int y, int role, const char *text)
{
	while (*text && y < at.r.h) {
		size_t n = text_fitting(text, at.r.w > 12 ? at.r.w - 1 : 12);
		area_printf(at, 1, y++, role, "%.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
}

static void waiting(const struct inside_view *v, struct area at)
{
	static const char *const doing[] = {[SIDE_OPENING] = "opening the device to look inside",
		[SIDE_BUSY] = "the launch runs once more, looked into"};
	enum side_state s = side_state(v->side);
	wrapped(at, 1, ROLE_DIM,
		s == SIDE_OPENING || s == SIDE_BUSY ? doing[s] : "nothing has been looked at yet; r looks");
	if (s == SIDE_BUSY && v->total)
		area_printf(at, 1, 2, ROLE_DIM, "%lld of %lld workgroups done; Backspace stops", v->done, v->total);
}

void view_inside(const struct app *a, struct area at)
{
	const struct inside_view *v = a->inside;
	struct area in = area_inside(at);
	area_frame(at, true, "Inside", v ? v->title : "");
	if (!v)
		return;
	tabs(v, area_part(in, 0, 0, in.r.w, 1));
	struct area page = area_part(in, 0, 1, in.r.w, in.r.h - 1);
	unsigned part = pages[v->page].part;
	if (*v->why && (part || strncmp(a->device, "soft:", 5)))
		wrapped(page, 1, ROLE_WARN, v->why);
	else if (part && !(v->there & part))
		waiting(v, page);
	else
		pages[v->page].draw(a, page);
	if (v->asked && part & v->there)
		area_right(in, in.r.w, 0, ROLE_DIM, "looking again");
}
