#include "tui/views/inspector/wave_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* --- reading --- */
static json_int_t json_address(const json_t *row, size_t i)
{
	return json_integer_value(json_array_get(row, i));
}
static json_int_t json_number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static uint64_t json_mask(const json_t *text)
{
	return strtoull(json_string_value(text) ? json_string_value(text) : "0", NULL, 16);
}

/* Up to `n` dwords of 8 hexadecimal digits; missing ones keep their value. */
static void read_words(const json_t *text, uint32_t *out, size_t n)
{
	const char *s = json_string_value(text);
	size_t there = json_string_length(text) / 8;
	char digits[9] = "";
	for (size_t k = 0; s && k < n && k < there; k++, s += 8) {
		memcpy(digits, s, 8);
		out[k] = (uint32_t)strtoul(digits, NULL, 16);
	}
}

static void copy_text(char *out, size_t size, const json_t *text)
{
	snprintf(out, size, "%s", json_string_value(text) ? json_string_value(text) : "");
}

static void read_change(struct register_change *c, const json_t *r)
{
	c->reg = (int)json_address(r, 0);
	c->lanes = json_mask(json_array_get(r, 1));
	c->value = xcalloc((size_t)__builtin_popcountll(c->lanes) + 1, sizeof *c->value);
	read_words(json_array_get(r, 2), c->value, (size_t)__builtin_popcountll(c->lanes));
}

static void read_lines(struct wave_access *a, const json_t *list)
{
	a->lines = (int)json_array_size(list) < LINES_MAX ? (int)json_array_size(list) : LINES_MAX;
	a->line = xcalloc((size_t)a->lines + 1, sizeof *a->line);
	for (int k = 0; k < a->lines; k++) {
		const json_t *r = json_array_get(list, (size_t)k);
		a->line[k] = (struct wave_line){(uint64_t)json_address(r, 0), (int)json_address(r, 1),
			(int)json_address(r, 2), (int)json_address(r, 3)};
	}
}

static void read_access(struct wave_access *a, const json_t *o)
{
	const json_t *list = json_object_get(o, "at"), *way = json_object_get(o, "way");
	size_t n = 0;
	copy_text(a->kind, sizeof a->kind, json_object_get(o, "kind"));
	copy_text(a->op, sizeof a->op, json_object_get(o, "op"));
	a->bytes = (uint32_t)json_number(o, "bytes");
	a->lanes = json_mask(json_object_get(o, "lanes"));
	for (uint64_t e = a->lanes; e; e &= e - 1)
		a->at[__builtin_ctzll(e)] = (uint64_t)json_address(list, n++);
	read_lines(a, json_object_get(o, "lines"));
	a->cycles = (int)json_number(o, "cycles");
	a->conflict = (int)json_number(o, "conflict");
	a->begin = (uint64_t)json_number(o, "begin");
	a->end = (uint64_t)json_number(o, "end");
	for (; a->ways < 8 && (size_t)a->ways < json_array_size(way); a->ways++) {
		const json_t *r = json_array_get(way, (size_t)a->ways);
		copy_text(a->way[a->ways].cause, sizeof a->way[0].cause, json_array_get(r, 0));
		a->way[a->ways].until = (uint64_t)json_address(r, 1);
	}
}

static void count_elements(const json_t *steps, int *changes, int *accesses)
{
	for (size_t k = 0; k < json_array_size(steps); k++) {
		*changes += (int)json_array_size(json_array_get(json_array_get(steps, k), 2));
		*accesses += (int)json_array_size(json_array_get(json_array_get(steps, k), 3));
	}
}

static void read_steps(struct wave_steps *t, const json_t *steps)
{
	int changes = 0, accesses = 0;
	count_elements(steps, &changes, &accesses);
	t->steps = (int)json_array_size(steps);
	t->step = xcalloc((size_t)t->steps + 1, sizeof *t->step);
	t->change = xcalloc((size_t)changes + 1, sizeof *t->change);
	t->access = xcalloc((size_t)accesses + 1, sizeof *t->access);
	for (int k = 0; k < t->steps; k++) {
		const json_t *r = json_array_get(steps, (size_t)k), *c = json_array_get(r, 2),
			     *a = json_array_get(r, 3);
		t->step[k] = (struct wave_step){(uint64_t)json_address(r, 0), json_address(r, 1), t->changes,
			(int)json_array_size(c), t->accesses, (int)json_array_size(a)};
		for (size_t n = 0; n < json_array_size(c); n++)
			read_change(&t->change[t->changes++], json_array_get(c, n));
		for (size_t n = 0; n < json_array_size(a); n++)
			read_access(&t->access[t->accesses++], json_array_get(a, n));
	}
}

static void read_memory(struct wave_steps *t, const json_t *list)
{
	t->memories = (int)json_array_size(list);
	t->memory = xcalloc((size_t)t->memories + 1, sizeof *t->memory);
	for (int k = 0; k < t->memories; k++) {
		const json_t *r = json_array_get(list, (size_t)k), *words = json_array_get(r, 1);
		struct watched_memory *m = &t->memory[k];
		const int n = (int)(json_string_length(words) / 8);
		m->step = (int)json_address(r, 0);
		m->dwords = n < WATCHED_DWORDS ? n : WATCHED_DWORDS;
		read_words(words, m->value, WATCHED_DWORDS);
	}
}

static void read_start(struct wave_steps *t, const json_t *o)
{
	const json_t *v = json_object_get(o, "v");
	t->start = xcalloc(1, sizeof *t->start);
	t->vgprs = (int)json_array_size(v) < WAVE_VGPRS_MAX ? (int)json_array_size(v) : WAVE_VGPRS_MAX;
	read_words(json_object_get(o, "s"), t->start->s, WAVE_SGPRS);
	t->start->scc = (uint32_t)json_number(o, "scc");
	for (int k = 0; k < t->vgprs; k++)
		read_words(json_array_get(v, (size_t)k), t->start->v[k], WAVE_LANES);
}

void wave_steps_read(struct wave_steps *t, const json_t *o)
{
	wave_steps_free(t);
	t->loaded = json_is_object(o);
	if (!t->loaded)
		return;
	t->wave = (int)json_number(o, "wave");
	t->cu = (int)json_number(o, "cu");
	t->simd = (int)json_number(o, "simd");
	t->slot = (int)json_number(o, "slot");
	t->first = (uint64_t)json_number(o, "first");
	t->ended = json_is_true(json_object_get(o, "ended"));
	read_start(t, o);
	read_steps(t, json_object_get(o, "steps"));
	read_memory(t, json_object_get(o, "memory"));
}

void wave_steps_free(struct wave_steps *t)
{
	for (int k = 0; k < t->changes; k++)
		free(t->change[k].value);
	for (int k = 0; k < t->accesses; k++)
		free(t->access[k].line);
	free(t->step);
	free(t->change);
	free(t->access);
	free(t->memory);
	free(t->start);
	memset(t, 0, sizeof *t);
}

/* --- lookup --- */
static void apply_register_change(struct wave_registers *r, const struct register_change *c)
{
	const uint32_t *value = c->value;
	if (c->reg == REG_SCC)
		r->scc = *value;
	else if (c->reg < WAVE_SGPRS)
		r->s[c->reg] = *value;
	else if (c->reg >= REG_VGPR0 && c->reg < REG_VGPR0 + WAVE_VGPRS_MAX)
		for (uint64_t e = c->lanes; e; e &= e - 1)
			r->v[c->reg - REG_VGPR0][__builtin_ctzll(e)] = *value++;
}

void wave_steps_registers(const struct wave_steps *t, int k, struct wave_registers *out)
{
	memset(out, 0, sizeof *out);
	if (!t->loaded)
		return;
	*out = *t->start;
	int changes = k < t->steps ? t->step[k].change : t->changes;
	for (int n = 0; n < changes; n++)
		apply_register_change(out, &t->change[n]);
}

uint64_t wave_steps_changed_lanes(const struct wave_steps *t, int k, int reg)
{
	if (k < 0 || k >= t->steps)
		return 0;
	for (int n = t->step[k].change; n < t->step[k].change + t->step[k].changes; n++)
		if (t->change[n].reg == reg)
			return t->change[n].lanes;
	return 0;
}

int wave_steps_next_access(const struct wave_steps *t, int k)
{
	for (; k < t->steps; k++)
		if (t->step[k].accesses)
			return k;
	return -1;
}

int wave_steps_next_at(const struct wave_steps *t, int k, int64_t offset)
{
	for (; k < t->steps; k++)
		if (t->step[k].offset == offset)
			return k;
	return -1;
}

const struct wave_access *wave_steps_access(const struct wave_steps *t, int k, int which)
{
	if (k < 0 || k >= t->steps || which < 0 || which >= t->step[k].accesses)
		return NULL;
	return &t->access[t->step[k].access + which];
}

static const struct watched_memory *memory_before(const struct wave_steps *t, int k)
{
	const struct watched_memory *out = NULL;
	for (int n = 0; n < t->memories && t->memory[n].step <= k; n++)
		out = &t->memory[n];
	return out;
}

const struct watched_memory *wave_steps_memory(const struct wave_steps *t, int k, const struct watched_memory **before)
{
	const struct watched_memory *now = memory_before(t, k);
	*before = k > 0 ? memory_before(t, k - 1) : now;
	return now;
}
