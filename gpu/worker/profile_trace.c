/* A wave's steps as JSON: registers in hexadecimal, 8 digits a lane. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/worker/launch_profile.h"

static void put_word(struct buf *b, uint32_t v)
{
	char text[9];
	snprintf(text, sizeof text, "%08x", v);
	buf_add(b, text, 8);
}

static json_t *taken(struct buf *b)
{
	json_t *text = json_stringn(b->data ? b->data : "", b->len);
	buf_free(b);
	return text;
}

static json_t *words(const uint32_t *v, size_t n)
{
	struct buf b = {0};
	for (size_t k = 0; k < n; k++)
		put_word(&b, v[k]);
	return taken(&b);
}

static json_t *mask(uint64_t lanes)
{
	return json_sprintf("%llx", (unsigned long long)lanes);
}

/* Registers of all zeros are empty texts. */
static json_t *vgprs(const struct softgpu_trace *t)
{
	static const uint32_t zeros[64];
	json_t *list = json_array();
	for (uint32_t k = 0; k < t->vgprs; k++)
		json_array_append_new(
			list, words(t->vgpr + 64 * k, memcmp(t->vgpr + 64 * k, zeros, sizeof zeros) ? 64 : 0));
	return list;
}

static json_t *change(const struct softgpu_change *c)
{
	struct buf b = {0};
	for (uint64_t e = c->lanes; e; e &= e - 1)
		put_word(&b, c->value[__builtin_ctzll(e)]);
	return json_pack("[i,o,o]", (int)c->reg, mask(c->lanes), taken(&b));
}

static json_t *addresses(const struct softgpu_access *a)
{
	json_t *list = json_array();
	for (uint64_t e = a->lanes; e; e &= e - 1)
		json_array_append_new(list, json_integer((json_int_t)a->at[__builtin_ctzll(e)]));
	return list;
}

static json_t *way(const struct softgpu_access *a, const json_t *causes)
{
	json_t *list = json_array();
	for (unsigned k = 0; k < a->segments; k++)
		json_array_append_new(list,
			json_pack(
				"[O,I]", json_array_get(causes, a->segment[k].cause), (json_int_t)a->segment[k].until));
	return list;
}

static json_t *lines(const struct softgpu_access *a, const struct softgpu_line *l)
{
	json_t *list = json_array();
	for (uint32_t k = 0; k < a->lines; k++, l++)
		json_array_append_new(
			list, json_pack("[I,i,i,i]", (json_int_t)l->at, (int)l->channel, (int)l->l1, (int)l->l2));
	return list;
}

static json_t *access_json(const struct softgpu_access *a, const struct softgpu_line *l, const json_t *causes)
{
	static const char *const kinds[] = {"vector", "lds", "scalar"}, *const ops[] = {"load", "store", "atomic"};
	return json_pack("{s:s,s:s,s:i,s:o,s:o,s:o,s:i,s:i,s:I,s:I,s:o}", "kind", kinds[a->kind], "op", ops[a->op],
		"bytes", (int)a->bytes, "lanes", mask(a->lanes), "at", addresses(a), "lines", lines(a, l), "cycles",
		(int)a->cycles, "conflict", (int)a->conflict, "begin", (json_int_t)a->begin, "end", (json_int_t)a->end,
		"way", way(a, causes));
}

static json_t *steps(const struct softgpu_trace *t, const json_t *causes)
{
	const struct softgpu_change *c = t->change;
	const struct softgpu_access *a = t->access;
	const struct softgpu_line *l = t->line;
	json_t *list = json_array();
	for (size_t k = 0; k < t->steps; k++) {
		json_t *changes = json_array(), *accesses = json_array();
		for (uint32_t n = 0; n < t->step[k].changes; n++)
			json_array_append_new(changes, change(c++));
		for (uint32_t n = 0; n < t->step[k].accesses; n++, l += a++->lines)
			json_array_append_new(accesses, access_json(a, l, causes));
		json_array_append_new(list,
			json_pack("[I,I,o,o]", (json_int_t)t->step[k].cycle, (json_int_t)t->step[k].offset, changes,
				accesses));
	}
	return list;
}

json_t *launch_profile_trace(const struct softgpu_trace *t, const json_t *causes)
{
	return json_pack("{s:i,s:i,s:i,s:i,s:I,s:b,s:i,s:o,s:o,s:o}", "wave", (int)t->wave, "cu", (int)t->cu, "simd",
		(int)t->simd, "slot", (int)t->slot, "first", (json_int_t)t->first, "ended", t->ended, "scc",
		(int)t->scc, "s", words(t->sgpr, SOFTGPU_SGPRS), "v", vgprs(t), "steps", steps(t, causes));
}
