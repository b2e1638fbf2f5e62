/* Buffer instructions with formats: each with every data and number format, random selections of components, lanes
 * outside the buffer, compared with a model that reads and writes single bits. */
#include "tests/softgpu/core/row_lanes.h"
#include "tests/softgpu/core/format_model.h"

enum { FORMATS = 14, NUMBER_FORMATS = 8, RESERVED = 6, ELEMENT_STRIDE = 16, IMMEDIATE = 8, COMPONENTS = 4 };
enum { ARGUMENTS = 40, VARIANT_BYTES = 12, JUMP_BYTES = 12 };

static const uint64_t LANE_MASK = UINT64_C(0xfffff0fffffffffb);

/* --- formats --- */
/* Widths of x, y, z and w, by data format. */
static const uint8_t widths[FORMATS][COMPONENTS] = {{8}, {16}, {8, 8}, {32}, {16, 16}, {11, 11, 10}, {10, 11, 11},
	{2, 10, 10, 10}, {10, 10, 10, 2}, {8, 8, 8, 8}, {32, 32}, {16, 16, 16, 16}, {32, 32, 32}, {32, 32, 32, 32}};

/* gfx11 has one number for each pair of a data and a number format that exists, in this order. */
static const uint8_t numbers_of_gfx11[FORMATS] = {
	0x3f, 0xbf, 0x3f, 0xb0, 0xbf, 0x80, 0x80, 0x33, 0x3f, 0x3f, 0xb0, 0xbf, 0xb0, 0xb0};

static bool has_format(unsigned format, unsigned number)
{
	return lanes_target & ISA_GFX11 ? numbers_of_gfx11[format] >> number & 1 : number != RESERVED;
}

static unsigned code_of_gfx11(unsigned format, unsigned number)
{
	unsigned code = 1;

	for (unsigned k = 0; k < format; k++)
		code += __builtin_popcount(numbers_of_gfx11[k]);
	return code + __builtin_popcount(numbers_of_gfx11[format] & ((1u << number) - 1));
}

/* The format's fields of the last dword; on gfx11 with bounds by the index alone. */
static uint32_t format_bits(unsigned format, unsigned number)
{
	if (lanes_target & ISA_GFX11)
		return code_of_gfx11(format, number) << 12 | 1 << 28;
	return number << 12 | (format + 1) << 15;
}

/* The format in the instruction. */
static unsigned format_field(unsigned format, unsigned number)
{
	return lanes_target & ISA_GFX11 ? code_of_gfx11(format, number) : number << 4 | (format + 1);
}

/* --- instructions --- */
/* What the name says. */
struct format_op {
	bool typed, stores, halves;
	unsigned first, count; /* the half of the first component, and their number */
};

static struct format_op format_op_of(unsigned op)
{
	const char *name = isa_info(op)->name;

	return (struct format_op){.typed = *name == 't',
		.stores = strstr(name, "store"),
		.halves = strstr(name, "d16"),
		.first = strstr(name, "d16_hi") != NULL,
		.count = (unsigned)strlen(strrchr(name, '_') + 1)};
}

static void write_instruction(FILE *f, unsigned op, unsigned field)
{
	const struct format_op o = format_op_of(op);
	const unsigned first = o.stores ? 10 : 20, dwords = o.halves ? (o.count + 1) / 2 : o.count;
	char format[16] = "";

	if (o.typed)
		snprintf(format, sizeof format, " format:%u", field);
	fprintf(f, "\t%s v[%u:%u], v3, s[24:27], 0%s idxen offset:%d\n", row_mnemonic(op, lanes_target), first,
		first + dwords - 1, format, IMMEDIATE);
}

/* MTBUF has the format in the instruction: a jump to one of these. */
static void write_variants(FILE *f, unsigned op)
{
	fprintf(f,
		"\ts_getpc_b64 s[44:45]\n\ts_add_u32 s44, s44, s42\n\ts_addc_u32 s45, s45, 0\n\ts_setpc_b64 s[44:45]\n");
	for (unsigned format = 0; format < FORMATS; format++)
		for (unsigned number = 0; number < NUMBER_FORMATS; number++)
			if (has_format(format, number)) {
				write_instruction(f, op, format_field(format, number));
				fprintf(f, "\ts_branch done%u\n", op);
			}
	write_instruction(f, op, 0);
	fprintf(f, "done%u:\n", op);
}

static void write_formatted_rows(FILE *f)
{
	for (unsigned op = 1; op < OP_COUNT; op++) {
		if (!isa_converts_format(op))
			continue;
		fprintf(f,
			"\tkernel row%u\n\ts_load_dwordx4 s[40:43], s[0:1], %d\n\ts_waitcnt lgkmcnt(0)\n"
			"\ts_or_b32 s25, s5, s40\n\ts_mov_b32 s27, s41\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x05\n"
			"\tv_add_f32 v39, v39, v39\n",
			op, ARGUMENTS);
		if (format_op_of(op).typed)
			write_variants(f, op);
		else
			write_instruction(f, op, 0);
		fprintf(f, "\tfinish\n");
	}
}

/* `variant` counts the formats that MTBUF can have. */
static void launch_formatted(unsigned op, uint32_t word3, unsigned variant)
{
	char name[32];

	snprintf(name, sizeof name, "row%u", op);
	d.used = 32;
	push(&d, &LANE_MASK, 8);
	push_int(&d, ELEMENT_STRIDE << 16);
	push_int(&d, word3);
	push_int(&d, JUMP_BYTES + variant * VARIANT_BYTES);
	push_int(&d, 0);
	if (device_launch(&d, name, lane_count, lane_count) != LAUNCH_OK)
		fail_msg("%s: %s", isa_info(op)->name, d.out.message);
}

/* --- the model --- */
struct format_case {
	unsigned op, format, number, variant;
	unsigned selections; /* for the model: of MTBUF X000, XY00, XYZ0 or XYZW */
	uint32_t word3;
	char name[120];
};

static unsigned random_selections(void)
{
	static const uint8_t valid[] = {0, 1, 4, 5, 6, 7};
	unsigned selections = 0;

	for (unsigned k = 0; k < COMPONENTS; k++)
		selections |= (unsigned)valid[random_u32() % sizeof valid] << 3 * k;
	return selections;
}

/* MTBUF uses neither the selections nor the format of the descriptor. */
static struct format_case make_case(unsigned op, unsigned format, unsigned number, unsigned variant)
{
	struct format_case c = {
		.op = op, .format = format, .number = number, .variant = variant, .selections = random_selections()};

	c.word3 = c.selections | format_bits(format, number);
	if (format_op_of(op).typed) {
		c.word3 = c.selections | format_bits(9, random_u32() % 6);
		c.selections = 0;
		for (unsigned k = 0; k < COMPONENTS; k++)
			c.selections |= widths[format][k] ? (4 + k) << 3 * k : 0;
	}
	snprintf(c.name, sizeof c.name, "%s format %u number %u selections %o", row_mnemonic(op, lanes_target),
		format + 1, number, c.selections);
	return c;
}

static bool is_integer(unsigned number)
{
	return number == MODEL_UINT || number == MODEL_SINT;
}

/* Outside of the buffer, components are 0, but 1 where 1 is selected (Vega ISA 8.1.5, RDNA3 ISA 9.4.1, note 1). */
static void model_element(const struct format_case *c, const uint8_t *from, bool inside, uint32_t out[COMPONENTS])
{
	const uint8_t *width = widths[c->format];
	const uint32_t one = is_integer(c->number) ? 1 : 0x3f800000;
	uint32_t value[8] = {0, one, 0, 0, 0, 0, 0, inside ? one : 0};

	for (unsigned k = 0, at = 0; inside && k < COMPONENTS; at += width[k++])
		if (width[k])
			value[4 + k] = model_load_component(model_read_bits(from, at, width[k]), width[k], c->number);
	for (unsigned k = 0; k < COMPONENTS; k++)
		out[k] = value[c->selections >> 3 * k & 7];
}

static uint32_t model_half(const struct format_case *c, uint32_t component)
{
	const double v = (double)model_float(component);

	if (is_integer(c->number))
		return component & 0xffff;
	return c->number == MODEL_FLOAT && *widths[c->format] == 32 ? model_truncated_half(v) : model_nearest_half(v);
}

static uint32_t model_widened_half(const struct format_case *c, uint32_t half)
{
	if (c->number == MODEL_SINT)
		return (uint32_t)(int32_t)(int16_t)half;
	return c->number == MODEL_UINT ? half : model_widened_float(half, 16);
}

/* The component that an instruction stores to place k of an element. */
static uint32_t model_stored(const struct format_case *c, const uint32_t registers[4], unsigned k)
{
	const struct format_op o = format_op_of(c->op);
	unsigned from = 0;

	while (from < COMPONENTS && (c->selections >> 3 * from & 7) != 4 + k)
		from++;
	if (from == COMPONENTS)
		return 0;
	if (from >= o.count)
		from = 0;
	if (!o.halves)
		return registers[from];
	return model_widened_half(c, registers[(o.first + from) / 2] >> (o.first + from) % 2 * 16 & 0xffff);
}

/* --- loads --- */
static void put_half(uint32_t *registers, unsigned half, uint32_t v)
{
	memcpy((uint16_t *)registers + half, &(uint16_t){(uint16_t)v}, 2);
}

/* Half k of a load, and the other half of its register where loads of one clear it. */
static void put_loaded_half(uint32_t *registers, const struct format_op *o, unsigned k, uint32_t v)
{
	const unsigned half = o->first + k;
	const bool is_alone = half % 2 ? o->first : k + 1 == o->count;

	put_half(registers, half, v);
	if (is_alone && target_clears_other_half(lanes_target))
		put_half(registers, half ^ 1, 0);
}

/* NaNs as halves may have any payload. */
static bool are_same_halves(const struct format_case *c, const uint32_t *got, const uint32_t *expected)
{
	for (unsigned k = 0; k < 2 * COMPONENTS; k++) {
		const uint32_t a = got[k / 2] >> k % 2 * 16 & 0xffff, b = expected[k / 2] >> k % 2 * 16 & 0xffff;
		if (a != b && !(model_is_small_nan(a, 16, c->number) && model_is_small_nan(b, 16, c->number)))
			return false;
	}
	return true;
}

static void check_load(const struct format_case *c)
{
	static const uint8_t special[] = {0, 0xff, 0x80, 0x7f, 1};
	const struct format_op o = format_op_of(c->op);
	uint32_t expected[MAX_LANES][4], value[COMPONENTS];

	for (unsigned k = 0; k < MEMORY; k++)
		memory[k] = random_u32() % 3 ? random_u32() : special[random_u32() % sizeof special];
	for (unsigned l = 0; l < lane_count; l++) {
		const uint32_t index = offset[l] = l * 27 % 64;
		for (unsigned k = 0; k < COMPONENTS; k++)
			result[l][k] = expected[l][k] = random_u32();
		if (!(LANE_MASK >> l & 1))
			continue;
		model_element(c, memory + index * ELEMENT_STRIDE + IMMEDIATE, index < INDICES, value);
		for (unsigned k = 0; k < o.count; k++)
			if (o.halves)
				put_loaded_half(expected[l], &o, k, model_half(c, value[k]));
			else
				expected[l][k] = value[k];
	}
	launch_formatted(c->op, c->word3, c->variant);
	for (unsigned l = 0; o.halves && l < lane_count; l++)
		if (are_same_halves(c, result[l], expected[l]))
			memcpy(result[l], expected[l], sizeof expected[l]);
	check_results(c->name, expected);
}

/* --- stores --- */
/* Near values of the format and halfway between two, beyond the ends, infinite, NaN, denormal. */
static uint32_t random_float(const struct format_case *c, unsigned width)
{
	static const uint32_t special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 1, 0x80000001,
		0x3f800000, 0xbf800000, 0x3f000000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x7f7fffff,
		0x4f000000, 0xcf000000, 0x4f800000, 0x7f800001};
	const uint32_t v = width ? random_u32() >> (32 - width) : random_u32();
	const double steps = random_u32() % 4 / 2.0 - 0.5, scale = model_whole(width ? width : 1);

	switch (random_u32() % 4) {
	case 0: return special[random_u32() % (sizeof special / sizeof *special)];
	case 1: return random_u32();
	default: break;
	}
	switch (c->number) {
	case MODEL_UNORM: return model_float_bits((v + steps) / (scale - 1));
	case MODEL_SNORM: return model_float_bits((v - scale / 2 + steps) / (scale / 2 - 1));
	case MODEL_SSCALED: return model_float_bits(v - scale / 2 + steps);
	case MODEL_FLOAT:
		if (width == 10 || width == 11 || width == 16)
			return model_widened_float(v, width) + random_u32() % 3 * 0x1000 - random_u32() % 2;
		return random_u32();
	default: return model_float_bits(v + steps);
	}
}

static uint32_t random_data(const struct format_case *c, unsigned k)
{
	if (is_integer(c->number))
		return (random_u32() >> random_u32() % 32) * (random_u32() % 2 ? ~0u : 1u);
	return random_float(c, widths[c->format][k]);
}

static uint32_t random_half(const struct format_case *c, unsigned k)
{
	const uint32_t bits = random_data(c, k);

	if (is_integer(c->number) || random_u32() % 3 == 0)
		return bits & 0xffff;
	return model_nearest_half((double)model_float(bits));
}

static void choose_data(const struct format_case *c)
{
	const struct format_op o = format_op_of(c->op);

	for (unsigned l = 0; l < lane_count; l++)
		for (unsigned k = 0; k < COMPONENTS; k++)
			if (o.halves)
				data[l][k] = random_half(c, 2 * k % COMPONENTS) |
					random_half(c, (2 * k + 1) % COMPONENTS) << 16;
			else
				data[l][k] = random_data(c, k);
}

/* A NaN that is there may have any payload. */
static void write_expected(
	const struct format_case *c, uint8_t *expected, const uint8_t *got, unsigned l, const uint32_t registers[4])
{
	const uint8_t *width = widths[c->format];
	const uint64_t start = 8u * (offset[l] * ELEMENT_STRIDE + IMMEDIATE);

	for (unsigned k = 0, at = 0; k < COMPONENTS; at += width[k++]) {
		if (!width[k])
			continue;
		const uint32_t mask = (uint32_t)((UINT64_C(1) << width[k]) - 1),
			       there = model_read_bits(got, start + at, width[k]);
		uint32_t v = model_store_component(model_stored(c, registers, k), width[k], c->number) & mask;
		if (model_is_small_nan(v, width[k], c->number) && model_is_small_nan(there, width[k], c->number))
			v = there;
		model_write_bits(expected, start + at, width[k], v);
	}
}

static void check_store(const struct format_case *c)
{
	static uint8_t expected[MEMORY];

	for (unsigned k = 0; k < MEMORY; k++)
		expected[k] = memory[k] = random_u32();
	for (unsigned l = 0; l < lane_count; l++)
		offset[l] = l * 27 % 64;
	choose_data(c);
	launch_formatted(c->op, c->word3, c->variant);
	for (unsigned l = 0; l < lane_count; l++)
		if (LANE_MASK >> l & 1 && offset[l] < INDICES)
			write_expected(c, expected, memory, l, data[l]);
	check_bytes(c->name, "memory", memory, expected, MEMORY);
}

/* --- tests --- */
static unsigned check_op(unsigned op)
{
	unsigned checked = 0;

	for (unsigned format = 0; format < FORMATS; format++)
		for (unsigned number = 0; number < NUMBER_FORMATS; number++)
			if (has_format(format, number)) {
				const struct format_case c = make_case(op, format, number, checked++);
				if (format_op_of(op).stores)
					check_store(&c);
				else
					check_load(&c);
			}
	return checked;
}

static void check_formats(enum isa_target target, unsigned formats)
{
	unsigned rows = 0;

	open_lanes(target, write_formatted_rows);
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (isa_converts_format(op)) {
			assert_int_equal(check_op(op), formats);
			rows++;
		}
	assert_int_equal(rows, 2 * 16 + 2);
	device_close(&d);
}

static void every_format_is_converted_on_gfx9(void **state)
{
	(void)state;
	check_formats(ISA_GFX900, FORMATS * (NUMBER_FORMATS - 1));
}

static void every_format_is_converted_on_gfx11(void **state)
{
	(void)state;
	check_formats(ISA_GFX1100_WAVE64, 63);
	check_formats(ISA_GFX1100_WAVE32, 63);
}

/* Loads give 0, and stores change nothing, if the descriptor's format is invalid, or that of the instruction. */
static void check_nothing(unsigned op, uint32_t word3, unsigned variant)
{
	static uint8_t before[MEMORY];
	const struct format_op o = format_op_of(op);
	uint32_t expected[MAX_LANES][4];

	for (unsigned k = 0; k < MEMORY; k++)
		before[k] = memory[k] = random_u32();
	for (unsigned l = 0; l < lane_count; l++) {
		offset[l] = l % INDICES;
		for (unsigned k = 0; k < COMPONENTS; k++)
			result[l][k] = expected[l][k] = random_u32();
		for (unsigned k = 0; k < o.count && LANE_MASK >> l & 1 && !o.stores; k++)
			if (o.halves)
				put_loaded_half(expected[l], &o, k, 0);
			else
				expected[l][k] = 0;
	}
	launch_formatted(op, word3, variant);
	check_results(isa_info(op)->name, expected);
	check_bytes(isa_info(op)->name, "memory", memory, before, MEMORY);
}

static void check_invalid_formats(enum isa_target target, unsigned formats)
{
	const unsigned identity = 4 | 5 << 3 | 6 << 6 | 7 << 9;

	open_lanes(target, write_formatted_rows);
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (isa_converts_format(op)) {
			check_nothing(op, identity | (target & ISA_GFX11 ? 1u << 28 : 0), 0);
			if (format_op_of(op).typed)
				check_nothing(op, identity | format_bits(9, MODEL_UINT), formats);
		}
	device_close(&d);
}

static void invalid_formats_are_outside(void **state)
{
	(void)state;
	check_invalid_formats(ISA_GFX900, FORMATS * (NUMBER_FORMATS - 1));
	check_invalid_formats(ISA_GFX1100_WAVE32, 63);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_format_is_converted_on_gfx9),
		cmocka_unit_test(every_format_is_converted_on_gfx11), cmocka_unit_test(invalid_formats_are_outside)};

	return cmocka_run_group_tests_name("row formats", tests, NULL, NULL);
}
