/* Buffer instructions with random descriptors: strides, swizzles, lane numbers, and accesses that are partly or wholly
 * outside. The expected bytes follow the guides' formulas (Vega ISA 8.1.5, CDNA4 ISA, buffer addressing, RDNA3
 * ISA 9.4), byte by byte.
 */
#include "tests/softgpu/core/row_lanes.h"

enum { MODES = 4, IMM = 16, START = 16384 /* of the buffers in memory */, ARGUMENTS = 40, LAUNCHES = 10 };

enum kind { LOAD, STORE, ADD, FORMAT_LOAD, FORMAT_STORE };
static const struct buffer_op {
	const char *gfx9, *gfx11;
	enum kind kind;
	unsigned bytes, dwords; /* in memory, and VGPRs */
} ops[] = {
	{"buffer_load_ubyte", "buffer_load_u8", LOAD, 1, 1},
	{"buffer_load_ushort", "buffer_load_u16", LOAD, 2, 1},
	{"buffer_load_dword", "buffer_load_b32", LOAD, 4, 1},
	{"buffer_load_dwordx2", "buffer_load_b64", LOAD, 8, 2},
	{"buffer_load_dwordx3", "buffer_load_b96", LOAD, 12, 3},
	{"buffer_load_dwordx4", "buffer_load_b128", LOAD, 16, 4},
	{"buffer_store_byte", "buffer_store_b8", STORE, 1, 1},
	{"buffer_store_short", "buffer_store_b16", STORE, 2, 1},
	{"buffer_store_dword", "buffer_store_b32", STORE, 4, 1},
	{"buffer_store_dwordx2", "buffer_store_b64", STORE, 8, 2},
	{"buffer_store_dwordx3", "buffer_store_b96", STORE, 12, 3},
	{"buffer_store_dwordx4", "buffer_store_b128", STORE, 16, 4},
	{"buffer_atomic_add", "buffer_atomic_add_u32", ADD, 4, 1},
	{"buffer_atomic_add_x2", "buffer_atomic_add_u64", ADD, 8, 2},
	{"buffer_load_format_x", "buffer_load_format_x", FORMAT_LOAD, 16, 1},
	{"buffer_load_format_xy", "buffer_load_format_xy", FORMAT_LOAD, 16, 2},
	{"buffer_load_format_xyz", "buffer_load_format_xyz", FORMAT_LOAD, 16, 3},
	{"buffer_load_format_xyzw", "buffer_load_format_xyzw", FORMAT_LOAD, 16, 4},
	{"buffer_store_format_xyzw", "buffer_store_format_xyzw", FORMAT_STORE, 16, 4},
	{"tbuffer_load_format_xyzw", "tbuffer_load_format_xyzw", FORMAT_LOAD, 16, 4},
	{"tbuffer_store_format_xyzw", "tbuffer_store_format_xyzw", FORMAT_STORE, 16, 4},
};
enum { OPS = sizeof ops / sizeof *ops };

static const char *const modes[MODES] = {"off", "v31 offen", "v30 idxen", "v[30:31] idxen offen"};

/* What a launch uses; the words of a descriptor without its address are made of it. */
struct buffer_case {
	bool gfx11, idxen, offen, adds_lane, unbound;
	unsigned stride, element, group; /* element: 0: not swizzled, else bytes; group: indices */
	unsigned check;                  /* OOB_SELECT */
	uint32_t records, soffset;
};

static bool has_format(const struct buffer_op *op)
{
	return op->kind == FORMAT_LOAD || op->kind == FORMAT_STORE;
}

static bool is_load(const struct buffer_op *op)
{
	return op->kind == LOAD || op->kind == FORMAT_LOAD;
}

/* 32_32_32_32_UINT, in the instruction. */
static const char *format_text(const struct buffer_op *op)
{
	return *op->gfx9 != 't' ? "" : lanes_target & ISA_GFX11 ? " format:61" : " format:78";
}

/* v30 and v31, the index and the offset, are the halves of v2. */
static void write_buffer_rows(FILE *f)
{
	for (unsigned n = 0; n < OPS; n++)
		for (unsigned m = 0; m < MODES; m++) {
			const char *space = strchr(modes[m], ' ');
			const unsigned last = (is_load(&ops[n]) ? 19 : 9) + ops[n].dwords;
			fprintf(f,
				"\tkernel row%u_%u\n\ts_load_dwordx4 s[36:39], s[0:1], 0x%x\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"
				"\ts_add_u32 s36, s4, %d\n\ts_addc_u32 s40, s5, 0\n\ts_or_b32 s37, s37, s40\n"
				"\ts_load_dword s41, s[0:1], 0x%x\n\tv_lshrrev_b32 v30, 16, v2\n\tv_bfe_i32 v31, v2, 0, 16\n"
				"\ts_waitcnt lgkmcnt(0)\n\t%s v[%u:%u], %.*s, s[36:39], s41%s%s offset:%d%s\n\tfinish\n",
				n, m, ARGUMENTS, START, ARGUMENTS + 16,
				lanes_target & ISA_GFX11 ? ops[n].gfx11 : ops[n].gfx9, last + 1 - ops[n].dwords, last,
				(int)(space ? space - modes[m] : 3), modes[m], format_text(&ops[n]), space ? space : "",
				IMM, ops[n].kind == ADD ? " glc" : "");
		}
}

/* --- the guides' formulas --- */
/* The address of a byte of a lane's access, from the buffer's start. */
static uint64_t byte_address(const struct buffer_case *c, uint32_t index, uint32_t start, unsigned b)
{
	const uint64_t from = (uint64_t)start + b;

	if (!c->element)
		return c->soffset + (uint64_t)c->stride * index + from;
	return c->soffset + ((uint64_t)(index / c->group) * c->stride + from / c->element * c->element) * c->group +
		index % c->group * c->element + from % c->element;
}

/* Whether `payload` bytes at this offset are outside. */
static bool is_outside(const struct buffer_case *c, uint32_t index, uint64_t from, unsigned payload)
{
	const int64_t left = (int64_t)c->records - c->soffset;

	if (c->unbound)
		return true;
	if (!c->gfx11) {
		if (c->adds_lane && !c->idxen)
			return false;
		return c->idxen && c->stride ? index >= c->records : (int64_t)from >= left;
	}
	switch (c->check) {
	case 0: return index >= c->records || from + payload > c->stride;
	case 1: return index >= c->records;
	case 2: return c->records == 0;
	default: break;
	}
	if (c->element && c->stride)
		return (int64_t)index >= left || from + payload > c->stride;
	return (int64_t)(from + payload) > left;
}

/* Loads and stores are checked by dwords, formatted ones and atomics as a whole. */
static bool is_byte_outside(
	const struct buffer_case *c, const struct buffer_op *op, uint32_t index, uint32_t from, unsigned b)
{
	const unsigned payload = op->bytes < 4 ? op->bytes : 4;

	if (op->kind == LOAD || op->kind == STORE)
		return is_outside(c, index, (uint64_t)from + b / 4 * 4, payload);
	for (unsigned k = 0; k < op->bytes; k += 4)
		if (is_outside(c, index, (uint64_t)from + k, payload))
			return true;
	return false;
}

/* --- cases --- */
static unsigned choose(unsigned n)
{
	return random_u32() % n;
}

static struct buffer_case random_case(const struct buffer_op *op, unsigned mode)
{
	static const unsigned strides[] = {0, 4, 20, 24, 32};
	struct buffer_case c = {.gfx11 = lanes_target & ISA_GFX11,
		.idxen = mode >= 2,
		.offen = mode & 1,
		.adds_lane = choose(5) == 0,
		.unbound = choose(12) == 0,
		.stride = strides[choose(5)],
		.group = 8u << choose(4),
		.check = choose(4),
		.soffset = choose(3) ? choose(50) : choose(3) * 1000};

	if (choose(3) == 0 && !(op->kind == ADD && op->bytes == 8)) {
		c.element = c.gfx11 && choose(2) ? 16 : 4;
		c.stride = c.element == 16 ? 32 : c.stride;
	}
	if (op->kind == ADD) { /* atomics are aligned to their size */
		c.soffset &= ~7u;
		c.stride = c.stride / 8 * 8;
	}
	if (has_format(op) || c.element) /* "requires Dword-aligned accesses" */
		c.soffset &= ~3u;
	c.unbound = c.unbound && !c.adds_lane;
	c.records = choose(8) == 0 ? choose(2) * UINT32_MAX : choose(2) ? choose(70) : choose(1100) + c.soffset;
	return c;
}

/* Lanes have their own index, or offsets that do not overlap. */
static void choose_offsets(const struct buffer_case *c, const struct buffer_op *op)
{
	const unsigned align = op->kind == ADD ? 8 : has_format(op) ? 4 : 1, first = choose(16) / align * align;

	for (unsigned l = 0; l < lane_count; l++) {
		unsigned o = c->idxen ? first : l * 16 + first;
		if (c->element) /* dwords, in one element */
			o = c->element == 16 ? l % 4 * 16 : l % 8 * 4;
		offset[l] = (l * 27 % 64) << 16 | (uint16_t)o;
	}
}

static uint32_t index_of_lane(const struct buffer_case *c, unsigned l)
{
	return (c->idxen ? offset[l] >> 16 : 0) + (c->adds_lane ? l : 0);
}

static uint32_t offset_of_lane(const struct buffer_case *c, unsigned l)
{
	return IMM + (c->offen ? (uint32_t)(int16_t)offset[l] : 0);
}

/* The format is 32_32_32_32_UINT, or none. On gfx9 its bits extend the stride if lane numbers are added, except for
 * formatted accesses. */
static void push_descriptor(const struct buffer_case *c, const struct buffer_op *op)
{
	const unsigned selections = 4 | 5 << 3 | 6 << 6 | 7 << 9,
		       swizzle = !c->element ? 0
		: c->gfx11                   ? (c->element == 16 ? 3u << 30 : 1u << 30)
					     : 1u << 31,
		       groups = (unsigned)__builtin_ctz(c->group / 8) << 21 | (unsigned)c->adds_lane << 23;
	uint32_t format = c->gfx11 ? 61u << 12 : 4u << 12 | 14u << 15;

	if (c->unbound || (c->adds_lane && !c->gfx11 && !has_format(op)))
		format = 0;
	d.used = ARGUMENTS;
	push_int(&d, 0);
	push_int(&d, c->stride << 16 | swizzle);
	push_int(&d, c->records);
	push_int(&d, selections | format | groups | (c->gfx11 ? c->check << 28 : 0));
	push_int(&d, c->soffset);
}

/* --- expected bytes --- */
static uint8_t before[MEMORY];
static uint32_t expected[MAX_LANES][4];
static bool is_written[MEMORY];

static void apply_load(const struct buffer_op *op, unsigned l, const uint8_t *value)
{
	memset(expected[l], 0, op->dwords * 4);
	memcpy(expected[l], value, op->bytes < op->dwords * 4 ? op->bytes : op->dwords * 4);
}

static void apply_store(const struct buffer_op *op, unsigned l, uint8_t *const byte[16], const uint8_t *value)
{
	uint64_t sum = 0;

	memcpy(&sum, value, op->kind == ADD ? op->bytes : 0);
	sum += data[l][0] + (op->bytes == 8 ? (uint64_t)data[l][1] << 32 : 0);
	for (unsigned b = 0; b < op->bytes; b++)
		if (byte[b])
			*byte[b] = op->kind == ADD ? (uint8_t)(sum >> 8 * b) : ((uint8_t *)data[l])[b];
}

/* False if lanes store to the same byte: the order is not defined. */
static bool apply_lane(const struct buffer_case *c, const struct buffer_op *op, unsigned l)
{
	const uint32_t index = index_of_lane(c, l), at = offset_of_lane(c, l);
	uint8_t *byte[16] = {0}, value[16] = {0};

	for (unsigned b = 0; b < op->bytes; b++) {
		if (is_byte_outside(c, op, index, at, b))
			continue;
		const uint64_t address = START + byte_address(c, index, at, b);
		if (address >= MEMORY)
			fail_msg("%s: the test's lane %u is outside of its memory", op->gfx9, l);
		byte[b] = before + address;
		value[b] = *byte[b];
		if (!is_load(op) && is_written[address])
			return false;
		is_written[address] = true;
	}
	if (!is_load(op))
		apply_store(op, l, byte, value);
	else
		apply_load(op, l, value);
	return true;
}

static bool apply_lanes(const struct buffer_case *c, const struct buffer_op *op, uint64_t mask)
{
	memset(is_written, 0, sizeof is_written);
	for (unsigned l = 0; l < lane_count; l++)
		if (mask >> l & 1 && !apply_lane(c, op, l))
			return false;
	return true;
}

static bool check_case(unsigned n, unsigned mode, const struct buffer_case *c, uint64_t mask)
{
	const struct buffer_op *op = &ops[n];
	char name[160];

	choose_offsets(c, op);
	for (unsigned k = 0; k < MEMORY; k++)
		memory[k] = random_u32();
	for (unsigned l = 0; l < lane_count; l++)
		for (int e = 0; e < 4; e++)
			data[l][e] = random_u32(), result[l][e] = random_u32();
	memcpy(before, memory, MEMORY);
	memcpy(expected, result, sizeof expected);
	if (!apply_lanes(c, op, mask))
		return false;
	push_descriptor(c, op);
	snprintf(name, sizeof name, "row%u_%u", n, mode);
	d.used = 32;
	push(&d, &mask, 8);
	if (device_launch(&d, name, lane_count, lane_count) != LAUNCH_OK)
		fail_msg("%s: %s", op->gfx9, d.out.message);
	snprintf(name, sizeof name, "%s %s stride %u element %u group %u records %u soffset %u check %u%s%s", op->gfx9,
		modes[mode], c->stride, c->element, c->group, c->records, c->soffset, c->check,
		c->adds_lane ? " add_tid" : "", c->unbound ? " unbound" : "");
	check_results(name, expected);
	check_bytes(name, "memory", memory, before, MEMORY);
	return true;
}

static void check_target(enum isa_target target)
{
	unsigned checked = 0;

	open_lanes(target, write_buffer_rows);
	for (unsigned n = 0; n < OPS; n++)
		for (unsigned mode = 0; mode < MODES; mode++)
			for (unsigned k = 0; k < LAUNCHES; k++) {
				const struct buffer_case c = random_case(&ops[n], mode);
				checked += check_case(n, mode, &c, UINT64_C(0xfffbf00f5555aaff));
			}
	printf("# %s, %u lanes: %u launches\n", target_arch(target), lane_count, checked);
	assert_true(checked > OPS * MODES * LAUNCHES / 2);
	device_close(&d);
}

static void buffers_follow_the_guides(void **state)
{
	(void)state;
	check_target(ISA_GFX900);
	check_target(ISA_GFX1100_WAVE64);
	check_target(ISA_GFX1100_WAVE32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(buffers_follow_the_guides)};

	return cmocka_run_group_tests_name("row buffers", tests, NULL, NULL);
}
