/* Loads and stores of FLAT, GLOBAL, SCRATCH, MUBUF and DS, one kernel for each row and address mode: unaligned offsets,
 * some out of range, some lanes inactive. The expected bytes are derived from the name of the row. */
#include <math.h>

#include "tests/softgpu/core/row_lanes.h"

enum { ADDRESS_MODES = 4, IMM = 12 };
#define MASK UINT64_C(0xfffbf00f5555aaff)

static uint8_t before[MEMORY], lds[LDS_SIZE];

/* The access, from the name of the row: bytes per element, elements (dwords), sign, half, store. */
struct move {
	unsigned bytes, elements;
	bool sign, half, high, store;
};

static struct move move_of(unsigned op)
{
	static const struct {
		const char *part;
		unsigned bytes, elements;
		bool sign;
	} sizes[] = {{"_ubyte", 1, 1, false}, {"_sbyte", 1, 1, true}, {"_byte", 1, 1, false}, {"_ushort", 2, 1, false},
		{"_sshort", 2, 1, true}, {"_short", 2, 1, false}, {"_dwordx16", 4, 16, false},
		{"_dwordx8", 4, 8, false}, {"_dwordx4", 4, 4, false}, {"_dwordx3", 4, 3, false},
		{"_dwordx2", 4, 2, false}, {"_dword", 4, 1, false}, {"_u8", 1, 1, false}, {"_i8", 1, 1, true},
		{"_b8", 1, 1, false}, {"_u16", 2, 1, false}, {"_i16", 2, 1, true}, {"_b16", 2, 1, false},
		{"_b32", 4, 1, false}, {"_b64", 4, 2, false}, {"_b96", 4, 3, false}, {"_b128", 4, 4, false}};
	const char *name = isa_info(op)->name;

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		if (strstr(name, sizes[k].part))
			return (struct move){sizes[k].bytes, sizes[k].elements, sizes[k].sign,
				strstr(name, "_d16") != NULL, strstr(name, "d16_hi") != NULL,
				strstr(name, "store") || strstr(name, "write")};
	fail_msg("%s: unknown access", name);
	return (struct move){0};
}

static const char *const address_modes[][ADDRESS_MODES] = {
	[ENC_GLOBAL] = {"%s %r, v[4:5], %d, off offset:12", "%s %r, v2, %d, s[4:5] offset:12"},
	[ENC_FLAT] = {"%s %r, v[4:5], %d offset:12", "%s %r, v[6:7], %d offset:12", "%s %r, v[8:9], %d offset:12"},
	[ENC_SCRATCH] = {"%s %r, v2, %d, off offset:12", "%s %r, off, %d, s20 offset:12"},
	[ENC_MUBUF] = {"%s %m, v2, s[16:19], s20 offen offset:12", "%s %m, v3, s[24:27], 0 idxen offset:12",
		"%s %m, off, s[16:19], s20 offset:12", "%s %m, v[2:3], s[28:31], s20 idxen offen offset:12"},
	[ENC_DS] = {"%s %r, v2, %d offset:12"},
};

/* Format of an address mode: %s is the name, %r the destination of a load, %d the data of a store, %m either. */
static void write_text(FILE *f, const char *mode, const char *name, const struct move *m)
{
	char load[16], store[16];

	snprintf(load, sizeof load, m->elements > 1 ? "v[20:%u]" : "v20", 19 + m->elements);
	snprintf(store, sizeof store, m->elements > 1 ? "v[10:%u]" : "v10", 9 + m->elements);
	fputc('\t', f);
	for (const char *p = mode; *p; p++) {
		char what = *p == '%' ? *++p : 0;
		bool drop = (what == 'r' && m->store) || (what == 'd' && !m->store);
		if (!what)
			fputc(*p, f);
		else if (what == 's')
			fputs(name, f);
		else if (what == 'd' && drop) /* and the comma before it */
			fseek(f, -2, SEEK_CUR);
		else if (drop)
			p += 2;
		else
			fputs(what == 'd' || (what == 'm' && m->store) ? store : load, f);
	}
	fputc('\n', f);
}

static bool has_accesses(unsigned op)
{
	return is_plain_memory(op) && !is_row_of_gfx11(op) && isa_info(op)->enc != ENC_SMEM &&
		target_has_row(op, lanes_target);
}

/* All lanes access scratch. */
static bool is_scratch_access(unsigned op, int mode)
{
	return isa_info(op)->enc == ENC_SCRATCH || (isa_info(op)->enc == ENC_FLAT && mode == 1);
}

static void write_rows(FILE *f)
{
	for (unsigned op = 1; op < OP_COUNT; op++) {
		struct move m;
		if (!has_accesses(op))
			continue;
		m = move_of(op);
		for (int mode = 0; mode < ADDRESS_MODES && address_modes[isa_info(op)->enc][mode]; mode++) {
			bool scratch = is_scratch_access(op, mode);
			fprintf(f, "\tkernel row%u_%d\n%s", op, mode, scratch ? "\tscratch_in\n" : "");
			write_text(f, address_modes[isa_info(op)->enc][mode], row_mnemonic(op, lanes_target), &m);
			fprintf(f, "%s\tfinish\n", scratch ? "\tscratch_out\n" : "");
		}
	}
}

/* The address of byte b of the access of lane l; NULL: out of range. */
static uint8_t *byte_at(unsigned op, int mode, unsigned l, unsigned b, unsigned span)
{
	const uint32_t row = 4 * lane_count; /* of dwords of scratch */
	uint32_t o = offset[l] + IMM;

	switch (isa_info(op)->enc) {
	case ENC_DS: return o + span <= LDS_SIZE ? lds + o + b : NULL;
	case ENC_GLOBAL: return before + o + b;
	case ENC_FLAT:
		if (mode == 2 && (offset[l] & 63) < 32)
			return o + span <= LDS_SIZE ? lds + o + b : NULL;
		if (mode != 1)
			return before + o + b;
		return before + (o + b) / 4 * row + l * 4 + (o + b) % 4;
	case ENC_SCRATCH: o = mode ? SOFFSET + IMM : o; return before + (o + b) / 4 * row + l * 4 + (o + b) % 4;
	default: /* MUBUF */
		if (mode == 1 || mode == 3) {
			uint32_t index = offset[l];
			return index < INDICES ? before + index * STRIDE + IMM + (mode == 3 ? index + SOFFSET : 0) + b
					       : NULL;
		}
		o = (mode == 0 ? offset[l] : 0) + IMM;
		return o + span <= RECORDS - SOFFSET ? before + SOFFSET + o + b : NULL;
	}
}

static uint32_t loaded_value(const struct move *m, uint8_t *const byte[4], uint32_t old)
{
	uint32_t v = 0;

	for (unsigned b = 0; b < m->bytes; b++)
		v |= byte[b] ? (uint32_t)*byte[b] << 8 * b : 0;
	if (m->sign)
		v = m->bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
	old = target_clears_other_half(lanes_target) ? 0 : old;
	return !m->half ? v : m->high ? (old & 0xffff) | v << 16 : (old & 0xffff0000) | (v & 0xffff);
}

/* Applies the access of all active lanes to `before`, `lds` and `expected`. */
static void apply_access(unsigned op, int mode, const struct move *m, uint32_t (*expected)[4])
{
	unsigned span = m->bytes * m->elements;

	for (unsigned l = 0; l < lane_count; l++)
		for (unsigned e = 0; e < m->elements && MASK >> l & 1; e++) {
			uint8_t *byte[4] = {0};
			for (unsigned b = 0; b < m->bytes; b++)
				byte[b] = byte_at(op, mode, l, e * 4 + b, span);
			if (!m->store)
				expected[l][e] = loaded_value(m, byte, expected[l][e]);
			for (unsigned b = 0; b < m->bytes && m->store; b++)
				if (byte[b])
					*byte[b] = data[l][e] >> (8 * b + (m->high ? 16 : 0));
		}
}

/* No two lanes access the same byte, because the order of stores is not defined. Scratch is accessed by dwords. */
static void prepare_memory(unsigned op, int mode)
{
	enum isa_enc enc = isa_info(op)->enc;
	unsigned step = enc == ENC_DS ? 37 : enc == ENC_FLAT && mode == 2 ? 29 : 67;

	for (unsigned k = 0; k < MEMORY; k++)
		memory[k] = random_u32();
	for (unsigned l = 0; l < lane_count; l++) {
		offset[l] = (l * 27 % 64) * step + random_u32() % (step > 40 ? 16 : 8);
		if (is_scratch_access(op, mode)) /* each lane has 32 dwords */
			offset[l] = random_u32() % 100;
		if (enc == ENC_MUBUF && (mode == 1 || mode == 3)) /* an index, or an index and an offset */
			offset[l] = l * 27 % 64;
		for (int e = 0; e < 4; e++)
			data[l][e] = random_u32(), result[l][e] = random_u32();
	}
	memcpy(before, memory, MEMORY);
	memcpy(lds, memory, LDS_SIZE);
}

/* All lanes store to the same address. The order is not defined, so stores are not compared. */
static bool is_same_address(unsigned op, int mode)
{
	return isa_info(op)->enc == ENC_MUBUF && mode == 2;
}

static unsigned check_access(unsigned op, int mode)
{
	const struct move m = move_of(op);
	uint32_t expected[MAX_LANES][4];
	char name[64];

	if (m.store && is_same_address(op, mode))
		return 0;
	prepare_memory(op, mode);
	memcpy(expected, result, sizeof expected);
	apply_access(op, mode, &m, expected);
	snprintf(name, sizeof name, "row%u_%d", op, mode);
	launch_lanes(name, isa_info(op)->name, MASK);
	snprintf(name, sizeof name, "%s address mode %d", isa_info(op)->name, mode);
	check_results(name, expected);
	check_bytes(name, "memory", memory, before, MEMORY);
	check_bytes(name, "LDS", lds_after(), lds, LDS_SIZE);
	return 1;
}

static void check_accesses(enum isa_target target, unsigned least)
{
	unsigned rows = 0, accesses = 0;

	open_lanes(target, write_rows);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		if (!has_accesses(op))
			continue;
		rows++;
		for (int mode = 0; mode < ADDRESS_MODES && address_modes[isa_info(op)->enc][mode]; mode++)
			accesses += check_access(op, mode);
	}
	printf("# %s, %u lanes: %u rows, %u kernels\n", target_arch(target), lane_count, rows, accesses);
	assert_true(rows >= least);
	device_close(&d);
}

static void loads_and_stores_match_bytewise(void **state)
{
	(void)state;
	check_accesses(ISA_GFX900, 105);
	check_accesses(ISA_GFX90A, 105);
	check_accesses(ISA_GFX1100_WAVE64, 105);
	check_accesses(ISA_GFX1100_WAVE32, 105);
}

/* --- atomics of floats, gfx908 and gfx90a --- */
static bool is_tested_atomic(unsigned op)
{
	return is_float_atomic(op) && isa_info(op)->targets & lanes_target;
}

/* With a returned value in v[20:21], on gfx90a, and without. A buffer atomic returns it in the data's registers. */
static void write_atomic(FILE *f, unsigned op, bool returns)
{
	const struct isa_info *row = isa_info(op);
	const char *cell = isa_type_dwords(row->dst) > 1 ? "v[10:11]" : "v10",
		   *old = isa_type_dwords(row->dst) > 1 ? "v[20:21], " : "v20, ";

	fprintf(f, "\tkernel row%u_%d\n\t%s %s", op, returns, row->name, returns && row->enc != ENC_MUBUF ? old : "");
	if (row->enc == ENC_MUBUF)
		fprintf(f, "%s, v2, s[16:19], s20 offen", cell);
	else
		fprintf(f, "v[4:5], %s%s", cell, row->enc == ENC_GLOBAL ? ", off" : "");
	fprintf(f, " offset:%d%s\n\ts_waitcnt vmcnt(0)\n", IMM, returns ? " glc" : "");
	if (returns && row->enc == ENC_MUBUF)
		fprintf(f, "\tv_mov_b32 v20, v10\n\tv_mov_b32 v21, v11\n");
	fprintf(f, "\tfinish\n");
}

static void write_atomics(FILE *f)
{
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int returns = 0; returns < (lanes_target == ISA_GFX90A ? 2 : 1); returns++)
			if (is_tested_atomic(op))
				write_atomic(f, op, returns);
}

/* f32 atomics always flush denormals. */
static uint32_t float_sum(unsigned op, uint32_t a, uint32_t b)
{
	float x, y;
	_Float16 h[2], g[2];

	if (strstr(isa_info(op)->name, "pk_add")) {
		memcpy(h, &a, 4);
		memcpy(g, &b, 4);
		h[0] = (_Float16)((float)h[0] + (float)g[0]);
		h[1] = (_Float16)((float)h[1] + (float)g[1]);
		memcpy(&a, h, 4);
		return a;
	}
	memcpy(&x, &a, 4);
	memcpy(&y, &b, 4);
	x = (fabsf(x) < 0x1p-126f ? copysignf(0, x) : x) + (fabsf(y) < 0x1p-126f ? copysignf(0, y) : y);
	x = fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
	memcpy(&a, &x, 4);
	return a;
}

static uint64_t new_cell(unsigned op, uint64_t old, uint64_t with)
{
	const char *name = isa_info(op)->name;
	double x, y;

	if (!strstr(name, "_f64"))
		return float_sum(op, (uint32_t)old, (uint32_t)with);
	memcpy(&x, &old, 8);
	memcpy(&y, &with, 8);
	x = strstr(name, "_add_") ? x + y : strstr(name, "_min_") ? fmin(x, y) : fmax(x, y);
	memcpy(&old, &x, 8);
	return old;
}

/* Halves, floats and doubles of moderate size, and denormals. */
static uint32_t random_float_bits(unsigned k)
{
	return random_u32() & (k % 3 ? 0xbfffbbff : 0x807f83ff);
}

static void check_atomic(unsigned op, bool returns)
{
	const bool buffer = isa_info(op)->enc == ENC_MUBUF;
	const unsigned bytes = isa_type_dwords(isa_info(op)->dst) * 4;
	uint32_t expected[MAX_LANES][4];
	char name[32];

	for (unsigned k = 0; k < MEMORY / 4; k++)
		((uint32_t *)memory)[k] = random_float_bits(k);
	memcpy(before, memory, MEMORY);
	memcpy(expected, result, sizeof expected);
	for (unsigned l = 0; l < lane_count; l++) {
		offset[l] = l * 27 % 64 * 64 + (bytes == 8 && !buffer ? 4 : 0);
		data[l][0] = random_float_bits(l);
		data[l][1] = random_float_bits(l + 1);
		const uint32_t at = offset[l] + IMM + (buffer ? SOFFSET : 0);
		uint64_t old = 0, with = data[l][0] | (uint64_t)data[l][1] << 32;
		memcpy(&old, before + at, bytes);
		const bool inside = !buffer || offset[l] + IMM + bytes <= RECORDS - SOFFSET;
		const uint64_t new = new_cell(op, old, with), got = inside ? old : 0;
		if (MASK >> l & 1 && inside)
			memcpy(before + at, &new, bytes);
		if (MASK >> l & 1 && returns) {
			memcpy(expected[l], &got, bytes);
			if (buffer && bytes == 4) /* v21 is moved, too */
				expected[l][1] = data[l][1];
		}
	}
	snprintf(name, sizeof name, "row%u_%d", op, returns);
	launch_lanes(name, isa_info(op)->name, MASK);
	check_bytes(isa_info(op)->name, "memory", memory, before, MEMORY);
	check_results(isa_info(op)->name, expected);
}

static void check_float_atomics(enum isa_target target, unsigned least)
{
	unsigned kernels = 0;

	open_lanes(target, write_atomics);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int returns = 0; returns < (target == ISA_GFX90A ? 2 : 1); returns++)
			if (is_tested_atomic(op))
				check_atomic(op, returns), kernels++;
	assert_int_equal(kernels, least);
	device_close(&d);
}

static void float_atomics_flush_denormals_of_f32(void **state)
{
	(void)state;
	check_float_atomics(ISA_GFX908, 4);
	check_float_atomics(ISA_GFX90A, 2 * (4 + 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(loads_and_stores_match_bytewise),
		cmocka_unit_test(float_atomics_flush_denormals_of_f32)};

	return cmocka_run_group_tests_name("row memory", tests, NULL, NULL);
}
