/* The steps of a wave as JSON: registers in hexadecimal, 8 digits per lane. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/worker/inside/launch_profile.h"

static void put_hex(struct buf *b, uint32_t v)
{
	char text[9];
	snprintf(text, sizeof text, "%08x", v);
	buf_add(b, text, 8);
}

static json_t *buf_to_json(struct buf *b)
{
	json_t *text = json_stringn(b->data ? b->data : "", b->len);
	buf_free(b);
	return text;
}

static json_t *hex_words(const uint32_t *v, size_t n)
{
	struct buf b = {0};
	for (size_t k = 0; k < n; k++)
		put_hex(&b, v[k]);
	return buf_to_json(&b);
}

static json_t *lane_mask(uint64_t lanes)
{
	return json_sprintf("%llx", (unsigned long long)lanes);
}

/* A register whose lanes are all 0 becomes an empty string. */
static json_t *nonzero_vgprs(const struct softgpu_trace *t)
{
	static const uint32_t zeros[64];
	json_t *list = json_array();
	for (uint32_t k = 0; k < t->vgprs; k++)
		json_array_append_new(
			list, hex_words(t->vgpr + 64 * k, memcmp(t->vgpr + 64 * k, zeros, sizeof zeros) ? 64 : 0));
	return list;
}

static json_t *register_change(const struct softgpu_change *c)
{
	struct buf b = {0};
	for (uint64_t e = c->lanes; e; e &= e - 1)
		put_hex(&b, c->value[__builtin_ctzll(e)]);
	return json_pack("[i,o,o]", (int)c->reg, lane_mask(c->lanes), buf_to_json(&b));
}

static json_t *lane_addresses(const struct softgpu_access *a)
{
	json_t *list = json_array();
	for (uint64_t e = a->lanes; e; e &= e - 1)
		json_array_append_new(list, json_integer((json_int_t)a->at[__builtin_ctzll(e)]));
	return list;
}

static json_t *access_way(const struct softgpu_access *a, const json_t *causes)
{
	json_t *list = json_array();
	for (unsigned k = 0; k < a->segments; k++)
		json_array_append_new(list,
			json_pack(
				"[O,I]", json_array_get(causes, a->segment[k].cause), (json_int_t)a->segment[k].until));
	return list;
}

static json_t *access_lines(const struct softgpu_access *a, const struct softgpu_line *l)
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
		"bytes", (int)a->bytes, "lanes", lane_mask(a->lanes), "at", lane_addresses(a), "lines",
		access_lines(a, l), "cycles", (int)a->cycles, "conflict", (int)a->conflict, "begin",
		(json_int_t)a->begin, "end", (json_int_t)a->end, "way", access_way(a, causes));
}

static json_t *trace_steps(const struct softgpu_trace *t, const json_t *causes)
{
	const struct softgpu_change *c = t->change;
	const struct softgpu_access *a = t->access;
	const struct softgpu_line *l = t->line;
	json_t *list = json_array();
	for (size_t k = 0; k < t->steps; k++) {
		json_t *changes = json_array(), *accesses = json_array();
		for (uint32_t n = 0; n < t->step[k].changes; n++)
			json_array_append_new(changes, register_change(c++));
		for (uint32_t n = 0; n < t->step[k].accesses; n++, l += a++->lines)
			json_array_append_new(accesses, access_json(a, l, causes));
		json_array_append_new(list,
			json_pack("[I,I,o,o]", (json_int_t)t->step[k].cycle, (json_int_t)t->step[k].offset, changes,
				accesses));
	}
	return list;
}

static json_t *watched_memory(const struct softgpu_trace *t)
{
	json_t *list = json_array();
	for (size_t k = 0; k < t->memories; k++)
		json_array_append_new(list,
			json_pack("[i,o]", (int)t->memory[k].step, hex_words(t->memory[k].value, t->memory[k].dwords)));
	return list;
}

json_t *launch_profile_trace(const struct softgpu_trace *t, const json_t *causes)
{
	return json_pack("{s:i,s:i,s:i,s:i,s:I,s:b,s:i,s:o,s:o,s:o,s:o}", "wave", (int)t->wave, "cu", (int)t->cu,
		"simd", (int)t->simd, "slot", (int)t->slot, "first", (json_int_t)t->first, "ended", t->ended, "scc",
		(int)t->scc, "s", hex_words(t->sgpr, SOFTGPU_SGPRS), "v", nonzero_vgprs(t), "steps",
		trace_steps(t, causes), "memory", watched_memory(t));
}
