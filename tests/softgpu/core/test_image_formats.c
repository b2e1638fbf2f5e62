/* Texels of images: image_load and image_store of every data format with every number format that the Vega ISA lists
 * for it (table 37), over all bit patterns of a component of 16 bits or less, compared with a model that searches. */
#include "tests/softgpu/core/image_bench.h"

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

static uint32_t read_bits(const uint8_t *from, uint64_t at, unsigned count)
{
	uint32_t v = 0;

	for (unsigned k = 0; k < count; k++)
		v |= (uint32_t)(from[(at + k) / 8] >> (at + k) % 8 & 1) << k;
	return v;
}

static void write_bits(uint8_t *to, uint64_t at, unsigned count, uint32_t v)
{
	for (unsigned k = 0; k < count; k++) {
		const uint8_t bit = (uint8_t)(1u << (at + k) % 8);
		to[(at + k) / 8] = (uint8_t)((to[(at + k) / 8] & ~bit) | (v >> k & 1 ? bit : 0));
	}
}

static double whole(unsigned width)
{
	return ldexp(1, (int)width);
}

/* Two's complement. */
static double signed_value(uint32_t v, unsigned width)
{
	return v >= whole(width) / 2 ? v - whole(width) : v;
}

/* --- loads --- */
/* A float of 16 bits, or of 10 or 11 without a sign: 5 bits of exponent, with bias 15. */
static double small_float(uint32_t v, unsigned width)
{
	const unsigned mantissa = width == 16 ? 10 : width - 5;
	const double fraction = ldexp(v % (1u << mantissa), -(int)mantissa);
	const unsigned exponent = v >> mantissa & 31;
	const double size = exponent == 31 ? fraction > 0 ? NAN : INFINITY
		: exponent                 ? ldexp(1 + fraction, (int)exponent - 15)
					   : ldexp(fraction, -14);

	return width == 16 && v >> 15 ? -size : size;
}

/* IEC 61966-2-1. */
static double srgb_value(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static uint32_t model_load(uint32_t v, unsigned width, unsigned number, bool is_alpha)
{
	switch (number) {
	case UNORM: return bench_float_bits(v / (whole(width) - 1));
	case SNORM: return bench_float_bits(fmax(-1, signed_value(v, width) / (whole(width - 1) - 1)));
	case USCALED: return bench_float_bits(v);
	case SSCALED: return bench_float_bits(signed_value(v, width));
	case SINT: return (uint32_t)(int32_t)signed_value(v, width);
	case FLOAT: return width == 32 ? v : bench_float_bits(small_float(v, width));
	case SRGB: return bench_float_bits(is_alpha ? v / 255.0 : srgb_value(v / 255.0));
	default: return v;
	}
}

static bool is_nan_bits(uint32_t bits)
{
	return bench_float(bits) != bench_float(bits);
}

/* NaNs of any payload are equal. */
static void compare(const struct format *f, unsigned number, unsigned n, unsigned k, uint32_t got, uint32_t expected)
{
	if (got == expected || (number == FLOAT && is_nan_bits(got) && is_nan_bits(expected)))
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
			write_bits((uint8_t *)bench_texels, (uint64_t)n * texel_bits(f) + at, f->width[k],
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
				read_bits((uint8_t *)bench_texels, (uint64_t)n * texel_bits(f) + at, f->width[k]);
			compare(f, number, n, k, bench_result[n][k],
				f->width[k]      ? model_load(v, f->width[k], number, k == 3)
					: k == 3 ? one
						 : 0);
		}
}

/* --- stores --- */
/* The integer from low to high nearest to v, the even one of two. Products of a float and 16 bits are exact. */
static uint32_t nearest(double v, double low, double high)
{
	if (!(v > low))
		return (uint32_t)(int32_t)low;
	if (v >= high)
		return (uint32_t)(int32_t)high;
	const double below = floor(v), rest = v - below;
	const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);

	return (uint32_t)(int32_t)(below + up);
}

/* The greatest finite float without a sign that is not above a size: they are in order. */
static uint32_t float_below(double size, unsigned width)
{
	uint32_t low = 0, high = width == 16 ? 0x7bff : (31u << (width - 5)) - 1;

	while (low < high) {
		const uint32_t middle = (low + high + 1) / 2;
		if (small_float(middle, width) <= size)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Rounded to the nearest half, the even one of two. */
static uint32_t nearest_half(double v)
{
	const double size = fabs(v), first_beyond = 65520;
	const uint32_t sign = signbit(v) ? 0x8000 : 0, below = float_below(size, 16);
	const double at = small_float(below, 16), rest = 2 * (size - at),
		     gap = (below < 0x7bff ? small_float(below + 1, 16) : 65536) - at;

	if (v != v)
		return sign | 0x7e00;
	if (size >= first_beyond)
		return sign | 0x7c00;
	return sign | (below + (rest > gap || (rest == gap && below % 2)));
}

/* Rounded to zero; negative values are 0. */
static uint32_t narrow_float(double v, unsigned width)
{
	const uint32_t infinite = 31u << (width - 5);

	if (v != v)
		return infinite + 1;
	return v == INFINITY ? infinite : v > 0 ? float_below(v, width) : 0;
}

static uint32_t model_store(uint32_t bits, unsigned width, unsigned number)
{
	const double top = whole(width) - 1, signed_top = whole(width - 1) - 1, v = (double)bench_float(bits);
	const double s = signed_value(bits, 32), number_v = v != v ? 0 : v;

	switch (number) {
	case SRGB: /* stores do not convert the color */
	case UNORM: return nearest(number_v * top, 0, top);
	case SNORM: return nearest(number_v * signed_top, -signed_top, signed_top);
	case USCALED: return nearest(number_v, 0, top);
	case SSCALED: return nearest(number_v, -signed_top - 1, signed_top);
	case UINT: return (uint32_t)fmin(bits, top);
	case SINT: return (uint32_t)(int32_t)fmax(-signed_top - 1, fmin(s, signed_top));
	default: return width == 32 ? bits : width == 16 ? nearest_half(v) : narrow_float(v, width);
	}
}

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
	case SRGB: return bench_float_bits((v + steps) / (whole(width) - 1));
	case SNORM: return bench_float_bits((signed_value(v, width) + steps) / (whole(width - 1) - 1));
	case USCALED: return bench_float_bits(v + steps);
	case SSCALED: return bench_float_bits(signed_value(v, width) + steps);
	default: return width == 32 ? bench_random() : bench_float_bits(small_float(v, width)) + n % 3 * 0x1000 - n % 2;
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

/* Whether a texel's component has a NaN, of any payload. */
static bool is_small_nan(uint32_t v, unsigned width, unsigned number)
{
	return number == FLOAT && (width == 32 ? is_nan_bits(v) : isnan(small_float(v, width)));
}

static void check_store(const struct format *f, unsigned number)
{
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
			const uint32_t got = read_bits(
					       (uint8_t *)bench_texels, (uint64_t)n * texel_bits(f) + at, width),
				       mask = (uint32_t)((UINT64_C(1) << width) - 1),
				       expected = model_store(bench_data[n][k], width, number) & mask;
			if (got != expected &&
				!(is_small_nan(got, width, number) && is_small_nan(expected, width, number)))
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
