/* Draws the inspector: tabs, then the page or the reason why it is empty. */
#include "tui/views/inspector/inspector_draw.h"

#include <stdio.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "tui/views/inspector/step_source.h"

static const struct {
	const char *key, *title, *action;
	unsigned part;
	void (*draw)(const struct app *a, struct area at);
} pages[INSPECTOR_PAGE_COUNT] = {
#define PAGE_ROW(id, key, title, name, part, draw) [INSPECTOR_##id] = {key, title, "inspector-" name, part, draw},
	INSPECTOR_PAGES(PAGE_ROW)
#undef PAGE_ROW
};

/* --- stall reasons --- */
char stall_letter(const char *cause)
{
	return *cause ? stall_reason_info(stall_reason_find(cause))->letter : '.';
}

const char *access_end_label(const struct wave_access *a)
{
	return !strcmp(a->kind, "lds") ? "done" : !strcmp(a->op, "store") ? "acknowledged" : "back";
}

void access_format_path(const struct wave_access *a, char *out, size_t size)
{
	size_t used = 0;
	uint64_t from = a->begin;
	*out = 0;
	for (int k = 0; k < a->ways && used < size; from = a->way[k++].until)
		used += (size_t)snprintf(out + used, size - used, "%s%s %llu", k ? ", " : "",
			stall_reason_label(a->way[k].cause), (unsigned long long)(a->way[k].until - from));
}

char *address_format(uint64_t at, char *out, size_t size)
{
	enum { SYSTEM_BIT = 46 /* softgpu/core/softgpu.h: VM_SYSTEM */ };
	bool host = at >> SYSTEM_BIT & 1;
	snprintf(out, size, "%s 0x%llx", host ? "host memory" : "device memory",
		(unsigned long long)(at & ((1ull << SYSTEM_BIT) - 1)));
	return out;
}

int inspector_draw_code(const struct app *a, const struct issued_code *c, struct area at, int here, int rows)
{
	int first = list_first_visible_row(here, rows, c->lines), n = c->lines - first < rows ? c->lines - first : rows;
	for (int i = 0; i < n; i++) {
		const struct issued_instruction *l = &c->line[first + i];
		bool current = first + i == here;
		int role = current ? ROLE_SELECTED : ROLE_TEXT;
		for (int x = 0; current && x < at.r.w; x++)
			area_draw_text(at, x, i, role, " ");
		area_draw_text(at, 0, i, role, current ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
		area_printf(at, 2, i, current ? role : ROLE_DIM, "+%06llx", (unsigned long long)l->offset);
		area_draw_fitted(at, 11, i, at.r.w - 11, role, l->text);
	}
	return n;
}

void inspector_draw_source(const struct inspector *v, struct area at, int y, int64_t offset)
{
	int line;
	const char *text = step_source_find(v->model, offset, &line);
	char label[32];
	if (!text)
		return;
	snprintf(label, sizeof label, "line %d ", line);
	int x = 1 + area_draw_text(at, 1, y, ROLE_DIM, label);
	area_draw_fitted(at, x, y, at.r.w - x, ROLE_TITLE, text);
}

/* --- the view --- */
static void draw_tabs(const struct inspector *v, struct area at)
{
	int x = 0;
	for (int i = 0; i < INSPECTOR_PAGE_COUNT; i++) {
		bool here = i == (int)v->page;
		int from = x;
		x += area_printf(at, x, 0, here ? ROLE_SELECTED : ROLE_KEY, " %s ", pages[i].key);
		x += area_printf(at, x, 0, here ? ROLE_SELECTED : ROLE_TEXT, "%s ", pages[i].title) + 1;
		area_add_hit(at, from, 0, x - 1 - from, 1, (struct mouse_region){.click = pages[i].action});
	}
}

static void draw_wrapped_text(struct area at, int y, int role, const char *text)
{
	while (*text && y < at.r.h) {
		size_t n = text_fit_bytes(text, at.r.w > 12 ? at.r.w - 1 : 12);
		area_printf(at, 1, y++, role, "%.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
}

static void draw_waiting(const struct inspector *v, struct area at)
{
	static const char *const doing[] = {
		[BACKGROUND_OPENING] = "opening the device", [BACKGROUND_BUSY] = "profiling the launch"};
	enum background_job_state s = background_job_state(v->job);
	draw_wrapped_text(at, 1, ROLE_DIM,
		s == BACKGROUND_OPENING || s == BACKGROUND_BUSY ? doing[s]
								: "not profiled yet; press r to profile the launch");
	if (s == BACKGROUND_BUSY && v->total)
		area_printf(at, 1, 2, ROLE_DIM, "%lld of %lld workgroups done; Backspace cancels", v->done, v->total);
}

void inspector_draw(const struct app *a, struct area at)
{
	const struct inspector *v = inspector_of(a);
	struct area in = area_inner(at);
	area_draw_frame(at, true, "Inspector", v ? v->title : "");
	if (!v)
		return;
	draw_tabs(v, area_sub(in, 0, 0, in.r.w, 1));
	struct area page = area_sub(in, 0, 1, in.r.w, in.r.h - 1);
	unsigned part = pages[v->page].part;
	if (*v->why && (part || !device_can(a->device, DEVICE_TUNABLE)))
		draw_wrapped_text(page, 1, ROLE_WARN, v->why);
	else if (part && !(v->loaded & part))
		draw_waiting(v, page);
	else
		pages[v->page].draw(a, page);
	if (v->pending && part & v->loaded)
		area_draw_right(in, in.r.w, 0, ROLE_DIM, "profiling");
}
