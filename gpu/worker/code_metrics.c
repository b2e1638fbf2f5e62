/* Counts the instructions of a kernel, by unit and by mnemonic. */
#include "gpu/worker/code_metrics.h"

#include <stdlib.h>
#include <string.h>

/* Names by issue unit. Global, flat, buffer and scratch instructions count as one kind. */
static const char *const unit_names[UNIT_COUNT] = {
	[UNIT_SALU] = "salu",
	[UNIT_VALU] = "valu",
	[UNIT_SMEM] = "smem",
	[UNIT_VMEM] = "vmem",
	[UNIT_FLAT] = "vmem",
	[UNIT_LDS] = "lds",
	[UNIT_BRANCH] = "branch",
	[UNIT_INTERNAL] = "internal",
};

static void add_to_count(json_t *o, const char *key, json_int_t n)
{
	json_object_set_new(o, key, json_integer(json_integer_value(json_object_get(o, key)) + n));
}

/* "v_fma_f32" from "v_fma_f32_e64 v0, ...": the assembler chooses the encoding. */
static void strip_encoding(const char *text, char *out, size_t size)
{
	static const char *const encodings[] = {"_e32", "_e64", "_sdwa", "_dpp"};
	size_t n = strcspn(text, " \t");
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		size_t m = strlen(encodings[i]);
		if (n > m && !strncmp(text + n - m, encodings[i], m))
			n -= m;
	}
	n = n < size ? n : size - 1;
	memcpy(out, text, n);
	out[n] = 0;
}

/* Fills `o` with the counts of lines [start, end). */
static void count_lines(json_t *o, const struct kernel_line *lines, size_t start, size_t end)
{
	char name[64];
	json_t *named = json_object();
	for (int u = 0; u < UNIT_COUNT; u++)
		add_to_count(o, unit_names[u], 0);
	add_to_count(o, "instructions", (json_int_t)(end - start));
	add_to_count(o, "bytes", 0);
	for (size_t i = start; i < end; i++) {
		add_to_count(o, "bytes", lines[i].inst.size);
		if (lines[i].inst.op == OP_INVALID)
			continue;
		add_to_count(o, unit_names[isa_info(lines[i].inst.op)->unit], 1);
		strip_encoding(lines[i].text, name, sizeof name);
		add_to_count(named, name, 1);
	}
	json_object_set_new(o, "named", named);
}

json_t *code_metrics_record(const struct loaded_kernel *k)
{
	struct err unknown_target;
	size_t count, start, end;
	json_t *o = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "vgprs", (int)k->info.vgprs, "sgprs",
		(int)k->info.sgprs, "lds_bytes", (int)k->info.lds_bytes, "scratch_bytes", (int)k->info.scratch_bytes,
		"waves_per_simd", (int)k->info.waves_per_simd, "wave_size", (int)k->info.wave_size);
	if (k->waves_per_cu)
		json_object_set_new(o, "waves_per_cu", json_integer(k->waves_per_cu));
	if (k->info.code_bytes) /* PTX does not say */
		json_object_set_new(o, "code_bytes", json_integer((json_int_t)k->info.code_bytes));
	struct kernel_line *lines = code_object_disassemble(k->object, &k->info, &count, &start, &end, &unknown_target);
	if (!lines)
		return o;
	count_lines(o, lines, 0, listing_trimmed_count(lines, count));
	if (end > start) {
		json_t *loop = json_object();
		count_lines(loop, lines, start, end);
		json_object_set_new(o, "loop", loop);
	}
	free(lines);
	return o;
}
