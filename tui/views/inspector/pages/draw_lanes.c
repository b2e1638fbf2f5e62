/* The lanes page: the lanes of one access on LDS banks, group by group, or on cache lines and L2 channels. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "tui/views/inspector/lane_map.h"
#include "tui/views/inspector/inspector_draw.h"

enum { LIST_ROWS = 5, MAP_AT = 14 };

/* --- which access --- */
static int draw_access_list(const struct app *a, struct area at, int rows)
{
	const struct issued_code *c = &inspector_of(a)->code;
	int count = 0, here = 0, n = 0, y = 0;
	for (int i = 0; i < c->lines; i++) {
		here = i == inspector_of(a)->line ? count : here;
		count += instruction_memory_path(c->line[i].text) != MEMORY_PATH_NONE;
	}
	int first = list_first_visible_row(here, rows, count);
	for (int i = 0; i < c->lines && y < rows; i++) {
		bool chosen = i == inspector_of(a)->line;
		int role = chosen ? ROLE_SELECTED : ROLE_TEXT;
		if (instruction_memory_path(c->line[i].text) == MEMORY_PATH_NONE || n++ < first)
			continue;
		for (int x = 0; chosen && x < at.r.w; x++)
			area_draw_text(at, x, y, role, " ");
		area_draw_text(at, 0, y, role, chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
		area_printf(at, 2, y, chosen ? role : ROLE_DIM, "+%06llx %9llu time%s",
			(unsigned long long)c->line[i].offset, (unsigned long long)c->line[i].count,
			plural_s(c->line[i].count));
		area_draw_fitted(at, 27, y++, at.r.w - 27, role, c->line[i].text);
	}
	return y;
}

static void draw_access_header(const struct app *a, struct area at, const struct wave_access *x)
{
	const struct inspector *v = inspector_of(a);
	char way[200], text[360];
	access_format_path(x, way, sizeof way);
	snprintf(text, sizeof text, "execution %llu of wave %d (CU %d SIMD %d), %d lane%s of %u B%s",
		(unsigned long long)v->nth_loaded + 1, v->lanes.wave, v->lanes.cu, v->lanes.simd,
		__builtin_popcountll(x->lanes), __builtin_popcountll(x->lanes) == 1 ? "" : "s", x->bytes,
		v->lanes.step[0].accesses > 1 ? "; v shows the other access" : "");
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_TEXT, text);
	snprintf(text, sizeof text, "issued at cycle %llu, %s after %llu cycles: issue %llu, %s",
		(unsigned long long)v->lanes.step[0].cycle, access_end_label(x),
		(unsigned long long)(x->end - v->lanes.step[0].cycle),
		(unsigned long long)(x->begin - v->lanes.step[0].cycle), way);
	area_draw_fitted(at, 1, 1, at.r.w - 1, ROLE_DIM, text);
}

/* --- LDS --- */
static void count_text(int n, char out[2])
{
	out[0] = n == 0 ? '.' : n < 10 ? (char)('0' + n) : '#';
	out[1] = 0;
}

static void bank_row(const struct bank_group *g, struct area at, int y, int banks, int lane)
{
	char text[2];
	area_printf(at, 1, y, ROLE_DIM, "lanes %2d..%2d", g->first, g->first + g->lanes - 1);
	for (int b = 0; b < banks; b++) {
		count_text(g->words[b], text);
		area_draw_text(at, MAP_AT + b, y, g->words[b] > 1 ? ROLE_BAD : g->words[b] ? ROLE_OK : ROLE_DIM, text);
		if (g->on[b] >> lane & 1)
			area_add_attr(at, MAP_AT + b, y, 1, ATTR_REVERSE);
	}
	area_printf(at, MAP_AT + banks + 1, y, g->cycles > 1 ? ROLE_WARN : ROLE_OK, "%d cycle%s", g->cycles,
		g->cycles > 1 ? "s" : "");
}

static void bank_ruler(struct area at, int y, int banks)
{
	area_draw_text(at, 1, y, ROLE_DIM, "dwords, bank");
	for (int b = 0; b < banks; b += 8)
		area_printf(at, MAP_AT + b, y, ROLE_DIM, "%d", b);
}

static void lane_on_bank(
	const struct wave_access *x, const struct bank_group *g, struct area at, int y, int banks, int lane)
{
	if (!(x->lanes >> lane & 1)) {
		area_printf(at, 1, y, ROLE_CURSOR, "lane %d is inactive", lane);
		return;
	}
	int bank = (int)(x->at[lane] / 4 % (uint64_t)banks);
	while (lane >= g->first + g->lanes)
		g++;
	area_printf(at, 1, y, ROLE_CURSOR, "lane %d: LDS byte %llu, bank %d; lanes %d..%d access %d dword%s of it",
		lane, (unsigned long long)x->at[lane], bank, g->first, g->first + g->lanes - 1, g->words[bank],
		plural_s((unsigned)g->words[bank]));
}

/* Sixteen lanes in a row: the bank of each. */
static void lane_banks(const struct app *a, const struct wave_access *x, struct area at, int y, int banks)
{
	for (int l = 0; l < WAVE_LANES; l++) {
		int row = y + 1 + l / 16, column = MAP_AT + l % 16 * 4;
		if (l % 16 == 0)
			area_printf(at, 1, row, ROLE_DIM, "lanes %2d..%2d", l, l + 15);
		if (x->lanes >> l & 1)
			area_printf(at, column, row, ROLE_TEXT, "%3d", (int)(x->at[l] / 4 % (uint64_t)banks));
		else
			area_draw_text(at, column, row, ROLE_DIM, "  -");
		if (l == inspector_of(a)->lane_cursor)
			area_add_attr(at, column, row, 3, ATTR_REVERSE);
	}
}

static void on_banks(const struct app *a, const struct wave_access *x, struct area at)
{
	int banks = set_geometry_of(SET_LDS, inspector_device_constants(a)).sets, y = 1;
	struct bank_group groups[LANE_GROUPS_MAX];
	int n = lane_map_banks(x, banks, groups);
	bank_ruler(at, 0, banks);
	for (int i = 0; i < n; i++)
		bank_row(&groups[i], at, y++, banks, inspector_of(a)->lane_cursor);
	area_printf(at, 1, y++, x->conflict ? ROLE_WARN : ROLE_OK, "%d cycle%s of the banks, %d of them bank conflicts",
		x->cycles, plural_s((unsigned)x->cycles), x->conflict);
	lane_on_bank(x, groups, at, y++, banks, inspector_of(a)->lane_cursor);
	lane_banks(a, x, at, y, banks);
}

/* --- memory --- */
static char line_letter(int k)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	return k < 52 ? letters[k] : '#';
}

/* The first line that the lane accesses; -1: none. */
static int line_of(const struct wave_access *x, int lane)
{
	for (int k = 0; k < x->lines; k++)
		if (lane_map_line(x, &x->line[k]) >> lane & 1)
			return k;
	return -1;
}

static void lanes_row(const struct app *a, const struct wave_access *x, struct area at)
{
	char letter[2] = "";
	area_draw_text(at, 1, 0, ROLE_DIM, "line of lane");
	for (int l = 0; l < WAVE_LANES; l++) {
		int k = line_of(x, l);
		letter[0] = k < 0 ? '.' : line_letter(k);
		area_draw_text(at, MAP_AT + l, 0, k < 0 ? ROLE_DIM : k % 2 ? ROLE_RIGHT : ROLE_LEFT, letter);
		if (l == inspector_of(a)->lane_cursor)
			area_add_attr(at, MAP_AT + l, 0, 1, ATTR_REVERSE);
	}
}

static const char *format_conflict(int answer)
{
	return answer < 0 ? "-" : answer ? "hit" : "miss";
}

static void channel_row(const struct app *a, const struct wave_access *x, struct area at, int y)
{
	int channels = set_geometry_of(SET_L2, inspector_device_constants(a)).instances;
	char text[2];
	area_draw_text(at, 1, y, ROLE_DIM, "L2 channels");
	for (int c = 0; c < channels; c++) {
		int n = 0;
		for (int k = 0; k < x->lines; k++)
			n += x->line[k].channel == c;
		count_text(n, text);
		area_draw_text(at, MAP_AT + c, y, n > 1 ? ROLE_WARN : n ? ROLE_OK : ROLE_DIM, text);
	}
	area_draw_text(at, MAP_AT + channels + 1, y, ROLE_DIM, "lines each");
}

static void line_rows(const struct app *a, const struct wave_access *x, struct area at, int y)
{
	bool scalar = !strcmp(x->kind, "scalar");
	int here = line_of(x, inspector_of(a)->lane_cursor), rows = at.r.h - y - 1,
	    first = list_first_visible_row(here < 0 ? 0 : here, rows, x->lines);
	area_printf(at, 1, y, ROLE_TITLE, "  line of 64 B at   channel  lanes  %-6s  L2", scalar ? "scalar" : "L1");
	for (int i = 0; i < rows && first + i < x->lines; i++) {
		const struct wave_line *l = &x->line[first + i];
		area_printf(at, 1, y + 1 + i, first + i == here ? ROLE_SELECTED : ROLE_TEXT,
			"%c 0x%-15llx %7d  %5d  %-6s  %s", line_letter(first + i), (unsigned long long)l->at,
			l->channel, scalar ? 1 : __builtin_popcountll(lane_map_line(x, l)), format_conflict(l->l1),
			format_conflict(l->l2));
	}
}

static void on_lines(const struct app *a, const struct wave_access *x, struct area at)
{
	int lane = inspector_of(a)->lane_cursor;
	char where[48];
	lanes_row(a, x, at);
	channel_row(a, x, at, 1);
	if (x->lanes >> lane & 1)
		area_printf(at, 1, 2, ROLE_CURSOR, "lane %d: %s   %d line%s in total", lane,
			address_format(x->at[lane], where, sizeof where), x->lines, plural_s((unsigned)x->lines));
	else
		area_printf(at, 1, 2, ROLE_CURSOR, "lane %d is inactive   %d line%s in total", lane, x->lines,
			plural_s((unsigned)x->lines));
	line_rows(a, x, at, 3);
}

void inspector_draw_lanes(const struct app *a, struct area at)
{
	const struct wave_access *x = wave_steps_access(&inspector_of(a)->lanes, 0, inspector_of(a)->part);
	int rows = at.r.h >= 30 ? 2 * LIST_ROWS : at.r.h >= 18 ? LIST_ROWS : 2, y = draw_access_list(a, at, rows);
	if (!y)
		area_draw_text(at, 1, 0, ROLE_DIM, "this kernel does not access memory or LDS");
	else if (!x)
		area_draw_text(at, 1, y + 1, ROLE_DIM,
			inspector_of(a)->pending ? "profiling" : "no access in this execution: no lane was active");
	else {
		struct area below = area_sub(at, 0, y, at.r.w, at.r.h - y);
		draw_access_header(a, below, x);
		(!strcmp(x->kind, "lds") ? on_banks : on_lines)(
			a, x, area_sub(below, 0, 2 + (below.r.h > 14), below.r.w, below.r.h - 2 - (below.r.h > 14)));
	}
}
