/* Formatted buffer loads: every data and number format, random selections of components, lanes outside the buffer,
 * compared with a model that reads single bits. */
#include "tests/softgpu/core/row_lanes.h"

#include <math.h>

enum { FORMATS = 14, NUMBER_FORMATS = 8, RESERVED = 6, ELEMENT_STRIDE = 16, IMMEDIATE = 8, COMPONENTS = 4 };

static const uint64_t LANE_MASK = UINT64_C(0xfffff0fffffffffb);

static void write_formatted_loads(FILE *f)
{
	static const char *const to[] = {"v20", "v[20:21]", "v[20:22]", "v[20:23]"};

	for (unsigned op = 1, n = 0; op < OP_COUNT; op++)
		if (is_formatted_load(op))
			fprintf(f,
				"\tkernel row%u\n\ts_load_dwordx2 s[40:41], s[0:1], 0x28\n\ts_waitcnt lgkmcnt(0)\n"
				"\ts_or_b32 s25, s5, s40\n\ts_mov_b32 s27, s41\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x05\n"
				"\tv_add_f32 v39, v39, v39\n\t%s %s, v3, s[24:27], 0 idxen offset:%d\n\tfinish\n",
				op, isa_info(op)->name, to[n++], IMMEDIATE);
}

/* --- the model --- */
/* Widths of x, y, z and w, by data format. */
static const uint8_t widths[FORMATS][COMPONENTS] = {{8}, {16}, {8, 8}, {32}, {16, 16}, {11, 11, 10}, {10, 11, 11},
	{2, 10, 10, 10}, {10, 10, 10, 2}, {8, 8, 8, 8}, {32, 32}, {16, 16, 16, 16}, {32, 32, 32}, {32, 32, 32, 32}};

static uint32_t bits_at(const uint8_t *from, unsigned at, unsigned count)
{
	uint32_t v = 0;

	for (unsigned k = 0; k < count; k++)
		v |= (uint32_t)(from[(at + k) / 8] >> (at + k) % 8 & 1) << k;
	return v;
}

static uint32_t float_bits(double v)
{
	float f = (float)v;
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static uint32_t model_small_float(uint32_t v, unsigned width)
{
	const unsigned mantissa = width == 16 ? 10 : width - 5;
	const double scale = ldexp(1, (int)mantissa), fraction = v % (1u << mantissa) / scale;
	const unsigned exponent = v >> mantissa & 31;
	const double size = exponent ? ldexp(1 + fraction, (int)exponent - 15) : ldexp(fraction, -14);
	const uint32_t sign = width == 16 ? (v & 0x8000) << 16 : 0;

	if (exponent == 31)
		return sign | 0x7f800000 | (v % (1u << mantissa)) << (23 - mantissa);
	return sign | float_bits(size);
}

static uint32_t model_component(uint32_t v, unsigned width, unsigned number)
{
	const double whole = ldexp(1, (int)width), top = whole / 2 - 1;
	const double s = v >= whole / 2 ? v - whole : v;

	switch (number) {
	case 0: return float_bits(v / (whole - 1));
	case 1: return float_bits(fmax(s / top, -1));
	case 2: return float_bits(v);
	case 3: return float_bits(s);
	case 5: return (uint32_t)(int32_t)s;
	case 7: return width == 32 ? v : width == 2 || width == 8 ? 0 : model_small_float(v, width);
	default: return v;
	}
}

/* Outside of the buffer, components are 0, but 1 where 1 is selected (Vega ISA 8.1.5, RDNA3 ISA 9.4.1, note 1). */
static void model_element(const uint8_t *from, bool inside, unsigned format, unsigned number, unsigned selections,
	uint32_t out[COMPONENTS])
{
	const uint32_t one = number == 4 || number == 5 ? 1 : 0x3f800000;
	uint32_t value[8] = {0, one, 0, 0, 0, 0, 0, inside ? one : 0};

	for (unsigned k = 0, at = 0; inside && k < COMPONENTS; at += widths[format][k++])
		if (widths[format][k])
			value[4 + k] = model_component(bits_at(from, at, widths[format][k]), widths[format][k], number);
	for (unsigned k = 0; k < COMPONENTS; k++)
		out[k] = value[selections >> 3 * k & 7];
}

/* --- the test --- */
static unsigned random_selections(void)
{
	static const uint8_t valid[] = {0, 1, 4, 5, 6, 7};
	unsigned selections = 0;

	for (unsigned k = 0; k < COMPONENTS; k++)
		selections |= (unsigned)valid[random_u32() % sizeof valid] << 3 * k;
	return selections;
}

static void launch_formatted(unsigned op, uint32_t word3)
{
	char name[32];

	snprintf(name, sizeof name, "row%u", op);
	d.used = 32;
	push(&d, &LANE_MASK, 8);
	push_int(&d, ELEMENT_STRIDE << 16);
	push_int(&d, word3);
	if (device_launch(&d, name, lane_count, lane_count) != LAUNCH_OK)
		fail_msg("%s: %s", isa_info(op)->name, d.out.message);
}

/* gfx11 has one number for each pair of a data and a number format that exists, in this order. */
static const uint8_t numbers_of_gfx11[FORMATS] = {
	0x3f, 0xbf, 0x3f, 0xb0, 0xbf, 0x80, 0x80, 0x33, 0x3f, 0x3f, 0xb0, 0xbf, 0xb0, 0xb0};

static bool has_format(unsigned format, unsigned number)
{
	return lanes_target & ISA_GFX11 ? numbers_of_gfx11[format] >> number & 1 : number != RESERVED;
}

/* The format's fields of the last dword; on gfx11 with bounds by the index alone. */
static uint32_t format_bits(unsigned format, unsigned number)
{
	unsigned code = 1;

	if (!(lanes_target & ISA_GFX11))
		return number << 12 | (format + 1) << 15;
	for (unsigned k = 0; k < format; k++)
		code += __builtin_popcount(numbers_of_gfx11[k]);
	code += __builtin_popcount(numbers_of_gfx11[format] & ((1u << number) - 1));
	return code << 12 | 1 << 28;
}

static void check_format(unsigned op, unsigned components, unsigned format, unsigned number)
{
	static const uint8_t special[] = {0, 0xff, 0x80, 0x7f, 1};
	const unsigned selections = random_selections();
	uint32_t expected[MAX_LANES][4], value[COMPONENTS];
	char name[100];

	for (unsigned k = 0; k < MEMORY; k++)
		memory[k] = random_u32() % 3 ? random_u32() : special[random_u32() % sizeof special];
	for (unsigned l = 0; l < lane_count; l++) {
		const uint32_t index = offset[l] = l * 27 % 64;
		for (unsigned k = 0; k < COMPONENTS; k++)
			result[l][k] = expected[l][k] = random_u32();
		if (!(LANE_MASK >> l & 1))
			continue;
		model_element(memory + index * ELEMENT_STRIDE + IMMEDIATE, index < INDICES, format, number, selections,
			value);
		for (unsigned k = 0; k < components; k++)
			expected[l][k] = value[k];
	}
	launch_formatted(op, selections | format_bits(format, number));
	snprintf(name, sizeof name, "%s format %u number %u selections %o", isa_info(op)->name, format + 1, number,
		selections);
	check_results(name, expected);
}

static void check_formats(enum isa_target target, unsigned formats)
{
	unsigned components = 0, checked = 0;

	open_lanes(target, write_formatted_loads);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		if (!is_formatted_load(op))
			continue;
		components++;
		for (unsigned format = 0; format < FORMATS; format++)
			for (unsigned number = 0; number < NUMBER_FORMATS; number++)
				if (has_format(format, number)) {
					check_format(op, components, format, number);
					checked++;
				}
	}
	assert_int_equal(components, COMPONENTS);
	assert_int_equal(checked, formats * COMPONENTS);
	device_close(&d);
}

static void formatted_loads_convert_every_format(void **state)
{
	(void)state;
	check_formats(ISA_GFX900, FORMATS * (NUMBER_FORMATS - 1));
	check_formats(ISA_GFX1100_WAVE64, 63);
	check_formats(ISA_GFX1100_WAVE32, 63);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(formatted_loads_convert_every_format)};

	return cmocka_run_group_tests_name("row formats", tests, NULL, NULL);
}
