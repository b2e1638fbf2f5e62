/* The steps page: the next instruction of a wave, the registers of a lane before it, what the last step wrote and
 * how its memory access went. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "tui/views/inspector/inspector_draw.h"

enum {
	REGISTER_NAME = 6 /* with its mark and a blank */,
	ACCESS_ROWS = 3,
	SPECIAL_ROWS = 3,
	LIST_LEAST = 34,
	MEMORY_LABEL = 7, /* "+0x040 " */
	MEMORY_ACROSS = 8 /* dwords in a row */
};

static void draw_step_header(const struct app *a, struct area at)
{
	const struct inspector *v = inspector_of(a);
	const struct wave_steps *t = &v->steps;
	char text[200];
	snprintf(text, sizeof text,
		"step %llu%s of wave %d, cycle %llu   CU %d SIMD %d slot %d   loaded: steps %llu..%llu",
		(unsigned long long)t->first + v->at, t->ended && v->at == t->steps - 1 ? ", the last," : "", t->wave,
		(unsigned long long)t->step[v->at].cycle, t->cu, t->simd, t->slot, (unsigned long long)t->first,
		(unsigned long long)t->first + t->steps - 1);
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_TEXT, text);
}

/* --- registers --- */
static uint64_t draw_register_pair(const struct wave_registers *r, int s)
{
	return (uint64_t)r->s[s + 1] << 32 | r->s[s];
}

static int register_is_written(const struct wave_steps *t, int at, int reg)
{
	return wave_steps_changed_lanes(t, at - 1, reg) ? ROLE_WARN : ROLE_TEXT;
}

static int written_pair(const struct wave_steps *t, int at, int reg)
{
	return register_is_written(t, at, reg) == ROLE_WARN ? ROLE_WARN : register_is_written(t, at, reg + 1);
}

static void draw_special_registers(const struct inspector *v, const struct wave_registers *r, struct area at)
{
	const struct wave_steps *t = &v->steps;
	uint64_t exec = draw_register_pair(r, REG_EXEC), vcc = draw_register_pair(r, REG_VCC);
	area_printf(at, 0, 0, written_pair(t, v->at, REG_EXEC), "%cexec %016llx %d on",
		written_pair(t, v->at, REG_EXEC) == ROLE_WARN ? '*' : ' ', (unsigned long long)exec,
		__builtin_popcountll(exec));
	area_printf(at, 0, 1, written_pair(t, v->at, REG_VCC), "%cvcc  %016llx",
		written_pair(t, v->at, REG_VCC) == ROLE_WARN ? '*' : ' ', (unsigned long long)vcc);
	area_printf(at, 22, 1, register_is_written(t, v->at, REG_SCC), "%cscc %u",
		register_is_written(t, v->at, REG_SCC) == ROLE_WARN ? '*' : ' ', r->scc);
	area_printf(at, 0, 2, ROLE_TITLE, " lane %d%s", v->lane, exec >> v->lane & 1 ? "" : ", off");
	area_printf(at, 16, 2, register_is_written(t, v->at, REG_M0), "%cm0 %08x",
		register_is_written(t, v->at, REG_M0) == ROLE_WARN ? '*' : ' ', r->s[REG_M0]);
}

/* Scalar registers that are not zero in these steps; a kernel may use 102 but usually uses few. */
static int scalars_used(const struct wave_steps *t)
{
	enum { SGPRS_NAMED = 102, LEAST = 16 };
	int n = LEAST;
	for (int k = LEAST; k < SGPRS_NAMED; k++)
		n = t->start->s[k] ? k + 1 : n;
	for (int k = 0; k < t->changes; k++)
		n = t->change[k].reg < SGPRS_NAMED && t->change[k].reg >= n ? t->change[k].reg + 1 : n;
	return n;
}

/* The lane's vector registers, then the scalar ones; those written by the last step are marked. */
static void draw_registers(const struct inspector *v, const struct wave_registers *r, struct area at)
{
	const int scalars = scalars_used(&v->steps), columns = REGISTER_NAME + register_text_width(v->format);
	int across = at.r.w / columns > 0 ? at.r.w / columns : 1, vector = (v->steps.vgprs + across - 1) / across;
	int rows = vector + (scalars + across - 1) / across,
	    first = v->first_register > rows - at.r.h ? rows - at.r.h : v->first_register;
	for (int y = 0; y < at.r.h && (first < 0 ? 0 : first) + y < rows; y++)
		for (int x = 0; x < across; x++) {
			int row = (first < 0 ? 0 : first) + y, n = (row < vector ? row : row - vector) * across + x;
			bool is_vector = row < vector;
			char text[32];
			if (n >= (is_vector ? v->steps.vgprs : scalars))
				continue;
			uint64_t lanes = wave_steps_changed_lanes(&v->steps, v->at - 1, is_vector ? REG_VGPR0 + n : n);
			bool mine = is_vector ? lanes >> v->lane & 1 : lanes != 0;
			area_printf(at, x * columns, y,
				mine                ? ROLE_WARN
					: lanes     ? ROLE_RIGHT
					: is_vector ? ROLE_TEXT
						    : ROLE_DIM,
				"%c%c%-3d%s", lanes ? '*' : ' ', is_vector ? 'v' : 's', n,
				register_format_value(
					is_vector ? r->v[n][v->lane] : r->s[n], v->format, text, sizeof text));
		}
}

/* --- the last access --- */
static void tell_lines(const struct wave_access *x, struct buf *b)
{
	int l1[2] = {0, 0}, l2[2] = {0, 0};
	for (int k = 0; k < x->lines; k++) {
		if (x->line[k].l1 >= 0)
			l1[x->line[k].l1]++;
		if (x->line[k].l2 >= 0)
			l2[x->line[k].l2]++;
	}
	buf_printf(b, "%d line%s: ", x->lines, x->lines == 1 ? "" : "s");
	if (l1[0] + l1[1])
		buf_printf(b, "%s %d hit, %d miss; ", strcmp(x->kind, "scalar") ? "L1" : "scalar cache", l1[1], l1[0]);
	if (l2[0] + l2[1])
		buf_printf(b, "L2 %d hit, %d miss; ", l2[1], l2[0]);
}

static void tell_access(const struct inspector *v, const struct wave_access *x, struct buf *b)
{
	bool scalar = !strcmp(x->kind, "scalar"), lds = !strcmp(x->kind, "lds");
	int lane = scalar ? 0 : v->lane;
	char where[48];
	if (!(x->lanes >> lane & 1))
		buf_printf(b, "lane %d was inactive; ", lane);
	else if (lds)
		buf_printf(b, "lane %d: LDS byte %llu; ", lane, (unsigned long long)x->at[lane]);
	else
		buf_printf(b, "%s %d: %s; ", scalar ? "wave" : "lane", scalar ? v->steps.wave : lane,
			address_format(x->at[lane], where, sizeof where));
	if (lds)
		buf_printf(b, "banks %d cycle%s, %d conflict%s; ", x->cycles, plural_s((unsigned)x->cycles),
			x->conflict, plural_s((unsigned)x->conflict));
	else
		tell_lines(x, b);
	buf_printf(b, "%s at cycle %llu, after %llu", access_end_label(x), (unsigned long long)x->end,
		(unsigned long long)(x->end - x->begin));
}

/* The last step, and its memory access. */
static void last_shown_step(const struct inspector *v, struct area at)
{
	const struct wave_steps *t = &v->steps;
	struct buf b = {0};
	if (v->at == 0) {
		area_draw_text(at, 1, 0, ROLE_DIM,
			t->first ? "earlier steps are not loaded; Left loads them" : "first step of the wave");
		return;
	}
	buf_printf(&b, "done: %s", issued_code_text(&v->code, t->step[v->at - 1].offset));
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_CURSOR, b.data);
	const struct wave_access *x = wave_steps_access(t, v->at - 1, 0);
	buf_clear(&b);
	if (x)
		tell_access(v, x, &b);
	for (int y = 1; x && y < at.r.h && b.len; y++) {
		size_t n = text_fit_bytes(b.data, at.r.w > 12 ? at.r.w - 2 : 10);
		area_printf(at, 1, y, ROLE_TEXT, "%.*s", (int)n, b.data);
		buf_consume(&b, n < b.len && b.data[n] == ' ' ? n + 1 : n);
	}
	buf_free(&b);
}

/* --- watched memory --- */
static void draw_dword(const struct inspector *v, struct area at, int x, int y, int k, const struct watched_memory *now,
	const struct watched_memory *before)
{
	char text[32] = "-";
	const bool there = k < now->dwords, changed = there && before && before->value[k] != now->value[k],
		   sought = (uint64_t)k == (v->watch.at - memory_watch_begin(&v->watch)) / sizeof now->value[0];
	const int width = register_text_width(v->format);
	if (there)
		register_format_value(now->value[k], v->format, text, sizeof text);
	area_printf(at, x, y,
		changed         ? ROLE_WARN
			: there ? ROLE_TEXT
				: ROLE_DIM,
		"%c%-*s", changed ? '*' : ' ', width, text);
	if (sought)
		area_add_attr(at, x + 1, y, (int)strlen(text), ATTR_REVERSE);
}

/* The dwords before the next instruction; those that the last step changed are marked. */
static void draw_memory(const struct inspector *v, struct area at)
{
	const struct watched_memory *before, *now = wave_steps_memory(&v->steps, v->at, &before);
	const int width = register_text_width(v->format) + 2, room = (at.r.w - MEMORY_LABEL) / width,
		  across = room >= MEMORY_ACROSS ? MEMORY_ACROSS
		: room >= MEMORY_ACROSS / 2      ? MEMORY_ACROSS / 2
						 : 1;
	char title[220], where[80];
	snprintf(title, sizeof title, "memory at %s = %s%s", v->watch.text,
		memory_watch_format(&v->watch, where, sizeof where), now && now->dwords ? "" : ": cannot be read");
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_TITLE, title);
	for (int k = 0; now && now->dwords && k < WATCHED_DWORDS && 1 + k / across < at.r.h; k++) {
		if (k % across == 0)
			area_printf(at, 1, 1 + k / across, ROLE_DIM, "+0x%02x", (unsigned)k * 4);
		draw_dword(v, at, MEMORY_LABEL + k % across * width, 1 + k / across, k, now, before);
	}
}

static int memory_rows(const struct inspector *v, int height)
{
	const struct watched_memory *before, *now = wave_steps_memory(&v->steps, v->at, &before);
	if (!now || !now->dwords)
		return v->watch.on;
	return height < 16 ? 3 : height < 28 ? 5 : 9;
}

void inspector_draw_steps(const struct app *a, struct area at)
{
	static struct wave_registers r; /* 64 KiB: too large for the stack */
	const struct inspector *v = inspector_of(a);
	const struct wave_steps *t = &v->steps;
	if (!t->loaded || v->at >= t->steps) {
		area_draw_text(at, 1, 1, ROLE_DIM, "wave or step not found");
		return;
	}
	int here = issued_code_find_line(&v->code, t->step[v->at].offset),
	    foot = at.r.h > 10 ? ACCESS_ROWS
		: at.r.h > 4   ? 1
			       : 0,
	    memory = memory_rows(v, at.r.h), rows = at.r.h - 2 - foot - memory;
	int columns = REGISTER_NAME + register_text_width(v->format),
	    right = at.r.w >= 2 * LIST_LEAST + 4 ? (at.r.w - 46) / columns * columns : 0;
	if (right && right < 2 * columns)
		right = 2 * columns;
	draw_step_header(a, at);
	inspector_draw_code(a, &v->code, area_sub(at, 0, 1, at.r.w - right - (right ? 1 : 0), rows > 0 ? rows : 1),
		here, rows > 0 ? rows : 1);
	wave_steps_registers(t, v->at, &r);
	struct area side = area_sub(at, at.r.w - right, 1, right, rows);
	draw_special_registers(v, &r, side);
	draw_registers(v, &r, area_sub(side, 0, SPECIAL_ROWS, right, rows - SPECIAL_ROWS));
	if (memory)
		draw_memory(v, area_sub(at, 0, 1 + rows, at.r.w, memory));
	if (foot > 1)
		inspector_draw_source(v, at, at.r.h - foot - 1, t->step[v->at].offset);
	if (foot)
		last_shown_step(v, area_sub(at, 0, at.r.h - foot, at.r.w, foot));
}
