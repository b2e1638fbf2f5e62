/* Loads and stores of FLAT, GLOBAL, SCRATCH, MUBUF, DS and SMEM, a kernel for each row and way of addressing: unaligned
 * offsets, some outside the buffer or LDS, part of the lanes off. What is read, written and kept is worked out byte by byte
 * from the row's name. */
#include "tests/core/device.h"

#include "tests/isa/row_tests.h"

enum { LANE_COUNT = 64, MEMORY = 65536, LDS_SIZE = 2048, RECORDS = 4001, STRIDE = 20, INDICES = 50, WAYS = 4, IMM = 12, SOFFSET = 36 };
#define MASK UINT64_C(0xfffbf00f5555aaff)

/* Arguments: memory, offsets, data, results, EXEC. */
static struct device d;
static uint8_t *memory;
static uint32_t *offset, (*data)[4], (*result)[4];
static uint8_t before[MEMORY], lds[LDS_SIZE];

/* The row's name says what it moves: bytes an element, elements (dwords), sign, half, store. */
struct move { unsigned bytes, elements; bool sign, half, high, store; };

static struct move move_of(unsigned op)
{
	static const struct { const char *part; unsigned bytes, elements; bool sign; } sizes[] = {
		{ "_ubyte", 1, 1, false }, { "_sbyte", 1, 1, true }, { "_byte", 1, 1, false }, { "_ushort", 2, 1, false }, { "_sshort", 2, 1, true },
		{ "_short", 2, 1, false }, { "_dwordx16", 4, 16, false }, { "_dwordx8", 4, 8, false }, { "_dwordx4", 4, 4, false },
		{ "_dwordx3", 4, 3, false }, { "_dwordx2", 4, 2, false }, { "_dword", 4, 1, false }, { "_u8", 1, 1, false }, { "_i8", 1, 1, true },
		{ "_b8", 1, 1, false }, { "_u16", 2, 1, false }, { "_i16", 2, 1, true }, { "_b16", 2, 1, false }, { "_b32", 4, 1, false },
		{ "_b64", 4, 2, false }, { "_b96", 4, 3, false }, { "_b128", 4, 4, false } };
	const char *name = isa_info(op)->name;

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		if (strstr(name, sizes[k].part))
			return (struct move){ sizes[k].bytes, sizes[k].elements, sizes[k].sign, strstr(name, "_d16") != NULL,
				strstr(name, "d16_hi") != NULL, strstr(name, "store") || strstr(name, "write") };
	fail_msg("%s moves nothing known", name);
	return (struct move){ 0 };
}

static const char *const ways[][WAYS] = {
	[ENC_GLOBAL] = { "%s %r, v[4:5], %d, off offset:12", "%s %r, v2, %d, s[4:5] offset:12" },
	[ENC_FLAT] = { "%s %r, v[4:5], %d offset:12", "%s %r, v[6:7], %d offset:12", "%s %r, v[8:9], %d offset:12" },
	[ENC_SCRATCH] = { "%s %r, v2, %d, off offset:12", "%s %r, off, %d, s20 offset:12" },
	[ENC_MUBUF] = { "%s %m, v2, s[16:19], s20 offen offset:12", "%s %m, v3, s[24:27], 0 idxen offset:12", "%s %m, off, s[16:19], s20 offset:12",
		"%s %m, v[2:3], s[28:31], s20 idxen offen offset:12" },
	[ENC_DS] = { "%s %r, v2, %d offset:12" },
};

/* %s the name, %r the destination of a load, %d the data of a store, %m either. */
static void write_text(FILE *f, const char *way, const char *name, const struct move *m)
{
	char load[16], store[16];

	snprintf(load, sizeof load, m->elements > 1 ? "v[20:%u]" : "v20", 19 + m->elements);
	snprintf(store, sizeof store, m->elements > 1 ? "v[10:%u]" : "v10", 9 + m->elements);
	fputc('\t', f);
	for (const char *p = way; *p; p++) {
		char what = *p == '%' ? *++p : 0;
		bool drop = (what == 'r' && m->store) || (what == 'd' && !m->store);
		if (!what)
			fputc(*p, f);
		else if (what == 's')
			fputs(name, f);
		else if (what == 'd' && drop) /* with the comma before it */
			fseek(f, -2, SEEK_CUR);
		else if (drop)
			p += 2;
		else
			fputs(what == 'd' || (what == 'm' && m->store) ? store : load, f);
	}
	fputc('\n', f);
}

static void write_frame(FILE *f)
{
	fprintf(f, "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_next_free_vgpr 40\n"
		"\t.amdhsa_next_free_sgpr 60\n\t.amdhsa_group_segment_fixed_size %d\n\t.end_amdhsa_kernel\n\t.text\n\\name:\n"
		"\ts_load_dwordx8 s[4:11], s[0:1], 0x0\n\ts_load_dwordx2 s[12:13], s[0:1], 0x20\n\tv_lshlrev_b32 v1, 2, v0\n"
		"\tv_lshlrev_b32 v19, 4, v0\n\ts_waitcnt lgkmcnt(0)\n\tglobal_load_dword v2, v1, s[6:7]\n"
		"\tglobal_load_dwordx4 v[10:13], v19, s[8:9]\n\tglobal_load_dwordx4 v[20:23], v19, s[10:11]\n", LDS_SIZE);
	for (int k = 0; k < LDS_SIZE / 256; k++) /* LDS begins as the memory's first bytes */
		fprintf(f, "\tglobal_load_dword v24, v1, s[4:5] offset:%d\n\ts_waitcnt vmcnt(0)\n\tds_write_b32 v1, v24 offset:%d\n", k * 256, k * 256);
	fprintf(f, "\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v5, s5\n\tv_add_co_u32 v4, vcc, s4, v2\n\tv_addc_co_u32 v5, vcc, 0, v5, vcc\n"
		"\tv_mov_b32 v6, v2\n\tv_mov_b32 v7, 0x20000\n\tv_mov_b32 v8, v2\n\tv_mov_b32 v9, 0x10000\n"
		"\tv_and_b32 v9, 63, v2\n\tv_cmp_gt_u32 vcc, 32, v9\n\tv_mov_b32 v9, 0x10000\n" /* ways of flat: some lanes in LDS, some in memory */
		"\tv_cndmask_b32 v8, v4, v2, vcc\n\tv_cndmask_b32 v9, v5, v9, vcc\n"
		"\tv_and_b32 v3, 63, v2\n\ts_mov_b32 flat_scratch_lo, s4\n\ts_mov_b32 flat_scratch_hi, s5\n"
		"\ts_mov_b32 s16, s4\n\ts_mov_b32 s17, s5\n\ts_movk_i32 s18, %d\n\ts_mov_b32 s19, 0x27000\n\ts_movk_i32 s20, %d\n"
		"\ts_mov_b32 s24, s4\n\ts_or_b32 s25, s5, 0x%x\n\ts_movk_i32 s26, %d\n\ts_mov_b32 s27, 0x27000\n"
		"\ts_mov_b32 s28, s4\n\ts_or_b32 s29, s5, 0x%x\n\ts_movk_i32 s30, %d\n\ts_mov_b32 s31, 0x27000\n"
		"\ts_mov_b64 exec, s[12:13]\n.endm\n"
		".macro finish\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_mov_b64 exec, -1\n\tglobal_store_dwordx4 v19, v[20:23], s[10:11]\n",
		RECORDS, SOFFSET, STRIDE << 16, INDICES, STRIDE << 16, INDICES);
	for (int k = 0; k < LDS_SIZE / 256; k++)
		fprintf(f, "\tds_read_b32 v24, v1 offset:%d\n\ts_waitcnt lgkmcnt(0)\n\tglobal_store_dword v1, v24, s[8:9] offset:%d\n", k * 256, 1024 + k * 256);
	fprintf(f, "\ts_endpgm\n.endm\n");
}

static void write_rows(FILE *f)
{
	write_frame(f);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		struct move m;
		if (!is_plain_memory(op) || isa_info(op)->enc == ENC_SMEM)
			continue;
		m = move_of(op);
		for (int way = 0; way < WAYS && ways[isa_info(op)->enc][way]; way++) {
			fprintf(f, "\tkernel row%u_%d\n", op, way);
			write_text(f, ways[isa_info(op)->enc][way], isa_info(op)->name, &m);
			fprintf(f, "\tfinish\n");
		}
	}
}

static int open_rows(void **state)
{
	char path[64], co[80], command[300], why[256];

	(void)state;
	snprintf(path, sizeof path, "/tmp/wavedeck-memory-%d.s", (int)getpid());
	FILE *f = fopen(path, "w");
	if (!f)
		return 1;
	write_rows(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "clang-15 " ASSEMBLE " -o %s %s", co, path);
	assert_int_equal(system(command), 0);
	d.gpu = open_gpu("mi25");
	bool loaded = object_load(&d.object, d.gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	device_map(&d);
	device_args(&d);
	memory = (uint8_t *)push_buffer(&d, MEMORY, 0);
	offset = push_buffer(&d, 4096, 0);
	data = (uint32_t (*)[4])push_buffer(&d, 8192, 0);
	result = (uint32_t (*)[4])push_buffer(&d, 4096, 0);
	return 0;
}

static uint32_t rnd(void)
{
	static uint64_t seed = 7;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33);
}

/* Where byte b of lane l's access lies; NULL for nowhere. */
static uint8_t *byte_at(unsigned op, int way, unsigned l, unsigned b, unsigned bytes, unsigned span)
{
	uint32_t o = offset[l] + IMM, s = b / 4 * 256 + b % 4;

	(void)bytes;
	switch (isa_info(op)->enc) {
	case ENC_DS: return o + span <= LDS_SIZE ? lds + o + b : NULL;
	case ENC_GLOBAL: return before + o + b;
	case ENC_FLAT:
		if (way == 2 && (offset[l] & 63) < 32)
			return o + span <= LDS_SIZE ? lds + o + b : NULL;
		if (way != 1)
			return before + o + b;
		s = (o + b) / 4 * 256 + (o + b) % 4;
		return before + s + l * 4;
	case ENC_SCRATCH:
		o = way ? SOFFSET + IMM : o;
		return before + (o + b) / 4 * 256 + l * 4 + (o + b) % 4;
	default: /* MUBUF */
		if (way == 1 || way == 3) {
			uint32_t index = offset[l];
			return index < INDICES ? before + index * STRIDE + IMM + (way == 3 ? index + SOFFSET : 0) + b : NULL;
		}
		o = (way == 0 ? offset[l] : 0) + IMM;
		return o + span <= RECORDS - SOFFSET ? before + SOFFSET + o + b : NULL;
	}
}

static uint32_t loaded(const struct move *m, uint8_t *const byte[4], uint32_t old)
{
	uint32_t v = 0;

	for (unsigned b = 0; b < m->bytes; b++)
		v |= byte[b] ? (uint32_t)*byte[b] << 8 * b : 0;
	if (m->sign)
		v = m->bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
	return !m->half ? v : m->high ? (old & 0xffff) | v << 16 : (old & 0xffff0000) | (v & 0xffff);
}

/* Applies the access of all active lanes to `before`, `lds` and `want`. */
static void apply(unsigned op, int way, const struct move *m, uint32_t (*want)[4])
{
	unsigned span = m->bytes * m->elements;

	for (unsigned l = 0; l < LANE_COUNT; l++)
		for (unsigned e = 0; e < m->elements && MASK >> l & 1; e++) {
			uint8_t *byte[4] = { 0 };
			for (unsigned b = 0; b < m->bytes; b++)
				byte[b] = byte_at(op, way, l, e * 4 + b, m->bytes, span);
			if (!m->store)
				want[l][e] = loaded(m, byte, want[l][e]);
			for (unsigned b = 0; b < m->bytes && m->store; b++)
				if (byte[b])
					*byte[b] = data[l][e] >> (8 * b + (m->high ? 16 : 0));
		}
}

/* Offsets that no two lanes share any byte of: which lane's store comes last is not told. Scratch is read by dwords. */
static void prepare(unsigned op, int way, const struct move *m)
{
	enum isa_enc enc = isa_info(op)->enc;
	unsigned step = enc == ENC_DS ? 37 : enc == ENC_FLAT && way == 2 ? 29 : 67;
	bool scratch = enc == ENC_SCRATCH || (enc == ENC_FLAT && way == 1);

	for (unsigned k = 0; k < MEMORY; k++)
		memory[k] = rnd();
	for (unsigned l = 0; l < LANE_COUNT; l++) {
		offset[l] = (l * 27 % 64) * step + rnd() % (step > 40 ? 16 : 8);
		if (scratch) /* a lane has 32 dwords of its own */
			offset[l] = rnd() % 100;
		if (enc == ENC_MUBUF && (way == 1 || way == 3)) /* an index, and the offset, too */
			offset[l] = l * 27 % 64;
		for (int e = 0; e < 4; e++)
			data[l][e] = rnd() * 2 + (rnd() & 1), result[l][e] = rnd() * 2 + (rnd() & 1);
	}
	(void)m;
	memcpy(before, memory, MEMORY);
	memcpy(lds, memory, LDS_SIZE);
}

/* A store by every lane to one place: the lanes' order is the hardware's, so only one lane's worth is compared. */
static bool is_one_place(unsigned op, int way)
{
	return isa_info(op)->enc == ENC_MUBUF && way == 2;
}

static unsigned check(unsigned op, int way)
{
	const struct move m = move_of(op);
	uint32_t want[LANE_COUNT][4];
	uint64_t mask = MASK;
	char name[32];

	if (m.store && is_one_place(op, way))
		return 0;
	prepare(op, way, &m);
	memcpy(want, result, sizeof want);
	apply(op, way, &m, want);
	d.used = 32;
	push(&d, &mask, 8);
	snprintf(name, sizeof name, "row%u_%d", op, way);
	if (device_launch(&d, name, LANE_COUNT, LANE_COUNT) != LAUNCH_OK)
		fail_msg("%s way %d: %s", isa_info(op)->name, way, d.out.message);
	for (unsigned l = 0; l < LANE_COUNT; l++)
		if (memcmp(result[l], want[l], 16))
			fail_msg("%s way %d lane %u offset %u: %08x %08x %08x %08x, expected %08x %08x %08x %08x", isa_info(op)->name, way, l, offset[l],
				result[l][0], result[l][1], result[l][2], result[l][3], want[l][0], want[l][1], want[l][2], want[l][3]);
	for (unsigned k = 0; k < MEMORY; k++)
		if (memory[k] != before[k])
			fail_msg("%s way %d: byte %u of memory is %02x, expected %02x", isa_info(op)->name, way, k, memory[k], before[k]);
	if (memcmp((uint8_t *)data + 1024, lds, LDS_SIZE))
		fail_msg("%s way %d: LDS differs", isa_info(op)->name, way);
	return 1;
}

static void test_vector_memory(void **state)
{
	unsigned rows = 0, cases = 0;

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		if (!is_plain_memory(op) || isa_info(op)->enc == ENC_SMEM)
			continue;
		rows++;
		for (int way = 0; way < WAYS && ways[isa_info(op)->enc][way]; way++)
			cases += check(op, way);
	}
	printf("# %u rows, %u ways\n", rows, cases);
	assert_true(rows >= 105);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_vector_memory) };

	return cmocka_run_group_tests_name("row memory", tests, open_rows, NULL);
}
