/* Texels of images: image_load and image_store of every data format with every number format that the Vega ISA lists
 * for it (table 37), over all bit patterns of a component of 16 bits or less, compared with a model that searches. */
#include "tests/softgpu/core/image_bench.h"
#include "tests/softgpu/core/format_model.h"

#include <math.h>

enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7, SRGB = 9, COMPONENTS = 4 };
enum {
	ALL = 0x3f | 1 << FLOAT,
	NO_FLOAT = 0x3f,
	WITH_SRGB = NO_FLOAT | 1 << SRGB,
	PLAIN = 1 << UINT | 1 << SINT | 1 << FLOAT
};

/* Widths from bit 0 up; `numbers` has a bit for each number format. */
static const struct format {
	const char *name;
	uint8_t code, width[COMPONENTS];
	uint16_t numbers;
} formats[] = {
	{"8", 1, {8}, WITH_SRGB},
	{"16", 2, {16}, ALL},
	{"8_8", 3, {8, 8}, WITH_SRGB},
	{"32", 4, {32}, PLAIN},
	{"16_16", 5, {16, 16}, ALL},
	{"10_11_11", 6, {11, 11, 10}, ALL},
	{"11_11_10", 7, {10, 11, 11}, ALL},
	{"10_10_10_2", 8, {2, 10, 10, 10}, NO_FLOAT},
	{"2_10_10_10", 9, {10, 10, 10, 2}, NO_FLOAT},
	{"8_8_8_8", 10, {8, 8, 8, 8}, WITH_SRGB},
	{"32_32", 11, {32, 32}, PLAIN},
	{"16_16_16_16", 12, {16, 16, 16, 16}, ALL},
	{"32_32_32", 13, {32, 32, 32}, PLAIN},
	{"32_32_32_32", 14, {32, 32, 32, 32}, PLAIN},
	{"5_6_5", 16, {5, 6, 5}, 1 << UNORM},
	{"1_5_5_5", 17, {5, 5, 5, 1}, 1 << UNORM},
	{"5_5_5_1", 18, {1, 5, 5, 5}, 1 << UNORM},
	{"4_4_4_4", 19, {4, 4, 4, 4}, 1 << UNORM},
};

static unsigned texel_bits(const struct format *f)
{
	return f->width[0] + f->width[1] + f->width[2] + f->width[3];
}

static void describe(const struct format *f, unsigned number)
{
	enum { TYPE_2D = 9 };
	const uint32_t image[8] = {(uint32_t)(bench_image_va >> 8),
		(uint32_t)(bench_image_va >> 40) | (uint32_t)f->code << 20 | number << 26,
		(BENCH_WIDTH - 1) | (BENCH_HEIGHT - 1) << 14, BENCH_IDENTITY | (uint32_t)TYPE_2D << 28,
		(BENCH_WIDTH - 1) << 13};

	memcpy(bench_descriptors, image, sizeof image);
}

/* --- loads --- */
/* IEC 61966-2-1. */
static double srgb_value(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static uint32_t model_texel(uint32_t v, unsigned width, unsigned number, bool is_alpha)
{
	if (number != SRGB)
		return model_load_component(v, width, number);
	return bench_float_bits(is_alpha ? v / 255.0 : srgb_value(v / 255.0));
}

/* NaNs of any payload are equal. */
static void compare(const struct format *f, unsigned number, unsigned n, unsigned k, uint32_t got, uint32_t expected)
{
	if (got == expected || (number == FLOAT && model_is_nan(got) && model_is_nan(expected)))
		return;
	fail_msg("%s number format %u, texel %u, component %u: %08x, expected %08x", f->name, number, n, k, got,
		expected);
}

/* Component k of texel n: each value of a component of 16 bits once, and unlike its neighbors. */
static uint32_t pattern(const struct format *f, unsigned n, unsigned k)
{
	static const uint32_t special[] = {
		0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x7fffffff, 0xffffffff};

	if (f->width[k] == 32)
		return n < 64 ? special[(n >> (k & 1) * 3) % 8] : bench_random();
	return (n * (2 * k + 1) + k * 77) & ((1u << f->width[k]) - 1);
}

static void fill_texels(const struct format *f)
{
	for (unsigned n = 0; n < BENCH_ITEMS; n++)
		for (unsigned k = 0, at = 0; k < COMPONENTS; at += f->width[k++])
			model_write_bits((uint8_t *)bench_texels, (uint64_t)n * texel_bits(f) + at, f->width[k],
				f->width[k] ? pattern(f, n, k) : 0);
}

static void check_load(const struct format *f, unsigned number)
{
	const uint32_t one = number == UINT || number == SINT ? 1 : bench_float_bits(1);

	describe(f, number);
	bench_launch("load", BENCH_HEIGHT);
	for (unsigned n = 0; n < BENCH_ITEMS; n++)
		for (unsigned k = 0, at = 0; k < COMPONENTS; at += f->width[k++]) {
			const uint32_t v =
				model_read_bits((uint8_t *)bench_texels, (uint64_t)n * texel_bits(f) + at, f->width[k]);
			compare(f, number, n, k, bench_result[n][k],
				f->width[k]      ? model_texel(v, f->width[k], number, k == 3)
					: k == 3 ? one
						 : 0);
		}
}

/* --- stores --- */
/* Floats near each value of the format, halfway between two, beyond the ends, infinite, NaN, denormal. */
static uint32_t interesting_float(const struct format *f, unsigned number, unsigned width, unsigned n, unsigned k)
{
	static const uint32_t special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 1, 0x80000001,
		0x3f800000, 0xbf800000, 0x3f000000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x7f7fffff};
	const uint32_t v = pattern(f, n, k);
	const double steps = ldexp(n % 4, -1) - 0.5;

	if (n < 256)
		return special[(k & 1 ? n / 16 : n) % 16];
	switch (number) {
	case UNORM:
	case SRGB: return bench_float_bits((v + steps) / (model_whole(width) - 1));
	case SNORM: return bench_float_bits((model_signed_value(v, width) + steps) / (model_whole(width - 1) - 1));
	case USCALED: return bench_float_bits(v + steps);
	case SSCALED: return bench_float_bits(model_signed_value(v, width) + steps);
	default:
		return width == 32 ? bench_random()
				   : bench_float_bits(model_small_float(v, width)) + n % 3 * 0x1000 - n % 2;
	}
}

static uint32_t stored_value(const struct format *f, unsigned number, unsigned n, unsigned k)
{
	const unsigned width = f->width[k];

	if (!width)
		return bench_random();
	if (number == UINT || number == SINT)
		return (bench_random() >> n % 32) * (n & 64 ? ~0u : 1u);
	return interesting_float(f, number, width, n, k);
}

static void check_store(const struct format *f, unsigned number)
{
	const unsigned plain = number == SRGB ? UNORM : number; /* stores do not convert the color */

	describe(f, number);
	memset(bench_texels, 0xa5, BENCH_BYTES);
	for (unsigned n = 0; n < BENCH_ITEMS; n++)
		for (unsigned k = 0; k < COMPONENTS; k++)
			bench_data[n][k] = stored_value(f, number, n, k);
	bench_launch("store", BENCH_HEIGHT);
	for (unsigned n = 0; n < BENCH_ITEMS; n++)
		for (unsigned k = 0, at = 0; k < COMPONENTS; at += f->width[k++]) {
			const unsigned width = f->width[k];
			if (!width)
				continue;
			const uint32_t got = model_read_bits(
					       (uint8_t *)bench_texels, (uint64_t)n * texel_bits(f) + at, width),
				       mask = (uint32_t)((UINT64_C(1) << width) - 1),
				       expected = model_store_component(bench_data[n][k], width, plain) & mask;
			if (got != expected &&
				!(model_is_small_nan(got, width, number) &&
					model_is_small_nan(expected, width, number)))
				fail_msg("%s number format %u, texel %u: component %u of %08x is %x, expected %x",
					f->name, number, n, k, bench_data[n][k], got, expected);
		}
	const uint8_t *end = (uint8_t *)bench_texels + (size_t)BENCH_ITEMS * texel_bits(f) / 8;
	for (const uint8_t *b = end; b < (uint8_t *)bench_texels + BENCH_BYTES; b++)
		assert_int_equal(*b, 0xa5);
}

/* --- tests --- */
static void check_formats(void (*check)(const struct format *f, unsigned number), bool fills)
{
	unsigned checked = 0;

	for (unsigned n = 0; n < sizeof formats / sizeof *formats; n++) {
		if (fills)
			fill_texels(&formats[n]);
		for (unsigned number = 0; number <= SRGB; number++)
			if (formats[n].numbers >> number & 1)
				check(&formats[n], number), checked++;
	}
	print_message("# %u pairs of a data and a number format\n", checked);
	assert_int_equal(checked, 5 * 7 + 3 * 7 + 2 * 6 + 4 * 3 + 4);
}

static void loads_convert_every_format(void **state)
{
	(void)state;
	check_formats(check_load, true);
}

static void stores_convert_every_format(void **state)
{
	(void)state;
	check_formats(check_store, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_convert_every_format), cmocka_unit_test(stores_convert_every_format)};

	return cmocka_run_group_tests_name("image formats", tests, bench_open, bench_close);
}
