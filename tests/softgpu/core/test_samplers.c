/* Samplers: each mode at the edges with normalized and unnormalized coordinates, one texel or blended ones, each border
 * color, in one to three dimensions and arrays; gathers and comparisons; compared with a model that walks from texel to
 * texel. Coordinates lie between multiples of 1/256 of a texel: a fraction has 8 bits. And the time of a filter. */
#include "tests/softgpu/core/image_bench.h"

#include <math.h>

enum {
	WIDTH = 13,
	HEIGHT = 8,
	DEPTH = 5,
	ROWS = 4,
	ITEMS = ROWS * BENCH_WIDTH,
	FLOAT_32 = 4,
	FLOATS_4 = 14,
	NUMBER_FLOAT = 7
};
enum { CLAMPS = 8, BORDERS = 3, FRACTIONS = 256 };
static const int size[3] = {WIDTH, HEIGHT, DEPTH};
static float texel[DEPTH][HEIGHT][WIDTH];

struct setting {
	unsigned dimensions, clamp[3], border, compare;  /* compare: bits less, equal, greater */
	bool normalized, linear, truncates, array, four; /* four: components of a texel */
};

static void describe(const struct setting *s)
{
	enum { TYPE_1D = 8, TYPE_2D_ARRAY = 13, BILINEAR = 1 };
	const unsigned height = s->dimensions > 1 ? HEIGHT : 1, depth = s->dimensions > 2 || s->array ? DEPTH : 1,
		       type = s->array ? TYPE_2D_ARRAY : TYPE_1D + s->dimensions - 1;
	const uint32_t image[8] = {(uint32_t)(bench_image_va >> 8),
		(uint32_t)(bench_image_va >> 40) | (s->four ? FLOATS_4 : FLOAT_32) << 20 | NUMBER_FLOAT << 26,
		(WIDTH - 1) | (height - 1) << 14, BENCH_IDENTITY | type << 28, (depth - 1) | (BENCH_WIDTH - 1) << 13};
	const uint32_t sampler[4] = {s->clamp[0] | s->clamp[1] << 3 | s->clamp[2] << 6 | s->compare << 12 |
			(uint32_t)!s->normalized << 15 | (uint32_t)s->truncates << 27,
		0, s->linear ? BILINEAR << 20 | BILINEAR << 22 : 0, s->border << 30};

	memcpy(bench_descriptors, image, sizeof image);
	memcpy(bench_descriptors + 8, sampler, sizeof sampler);
}

static void fill_image(void)
{
	for (unsigned z = 0; z < DEPTH; z++)
		for (unsigned y = 0; y < HEIGHT; y++)
			for (unsigned x = 0; x < WIDTH; x++) {
				texel[z][y][x] = (float)(bench_random() % 2000) - 1000;
				bench_texels[(z * HEIGHT + y) * BENCH_WIDTH + x] = bench_float_bits(texel[z][y][x]);
			}
}

/* --- the model --- */
/* The index of the texel that has texel n of a dimension; -1: the border color. */
static int model_index(unsigned clamp, int n, int count)
{
	enum { WRAP, MIRROR, LAST_TEXEL, MIRROR_ONCE_LAST_TEXEL };

	while (clamp == WRAP && n < 0)
		n += count;
	while (clamp == WRAP && n >= count)
		n -= count;
	while (clamp == MIRROR && (n < 0 || n >= count))
		n = n < 0 ? -n - 1 : 2 * count - 1 - n; /* at either edge */
	if (clamp % 2 && clamp != MIRROR && n < 0)
		n = -n - 1; /* once, at 0 */
	if (clamp == LAST_TEXEL || clamp == MIRROR_ONCE_LAST_TEXEL)
		n = n < 0 ? 0 : n >= count ? count - 1 : n;
	return n < 0 || n >= count ? -1 : n;
}

/* The texels that a coordinate has in a dimension, and their shares. */
struct share {
	int index[2];
	double part[2];
};

static struct share model_share(const struct setting *s, unsigned k, double at)
{
	enum { HALF_BORDER = 4, MIRROR_ONCE_HALF_BORDER };
	const double texels = at * (s->normalized ? size[k] : 1) * FRACTIONS;
	double v = (s->truncates ? floor(texels) : nearbyint(texels)) / FRACTIONS;

	if (s->clamp[k] == MIRROR_ONCE_HALF_BORDER)
		v = fabs(v);
	if (s->clamp[k] == HALF_BORDER || s->clamp[k] == MIRROR_ONCE_HALF_BORDER)
		v = fmin(fmax(v, 0), size[k]);
	if (s->linear)
		v -= 0.5;
	const int n = (int)floor(v);
	const double rest = s->linear ? v - n : 0;
	return (struct share){
		{model_index(s->clamp[k], n, size[k]), model_index(s->clamp[k], n + 1, size[k])}, {1 - rest, rest}};
}

static const double border_colors[BORDERS][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};

/* Where a work-item samples, and what it compares with. */
struct item {
	float at[3], reference;
};

static bool passes(unsigned compare, double reference, double value)
{
	return (compare & 1 && reference < value) || (compare & 2 && reference == value) ||
		(compare & 4 && reference > value);
}

/* The red or the alpha component of a texel, which have an alpha of 1; or what the comparison makes of it. */
static double model_texel(
	const struct setting *s, const struct item *item, const int at[3], unsigned component, bool compares)
{
	const bool border = at[0] < 0 || at[1] < 0 || at[2] < 0;
	const double value = border ? border_colors[s->border][component]
		: component == 3    ? 1
				    : (double)texel[at[2]][at[1]][at[0]];

	return compares ? passes(s->compare, (double)item->reference, value) : value;
}

static void find_shares(const struct setting *s, const struct item *item, struct share share[3])
{
	for (unsigned k = 0; k < 3; k++)
		share[k] = k < s->dimensions ? model_share(s, k, (double)item->at[k]) : (struct share){{0, 0}, {1, 0}};
	if (s->array)
		share[2].index[0] = (int)fmin(fmax(nearbyint((double)item->at[2]), 0), DEPTH - 1);
}

static float model_sample(const struct setting *s, const struct item *item, unsigned component, bool compares)
{
	struct share share[3];
	double sum = 0;

	find_shares(s, item, share);
	for (unsigned n = 0; n < 8; n++) {
		const int at[3] = {share[0].index[n & 1], share[1].index[n >> 1 & 1], share[2].index[n >> 2]};
		const double part = share[0].part[n & 1] * share[1].part[n >> 1 & 1] * share[2].part[n >> 2];
		if (part != 0)
			sum += part * model_texel(s, item, at, component, compares);
	}
	return (float)sum;
}

/* --- the test --- */
/* From three images to the left to three to the right: middles and edges of texels, points between two multiples of
 * 1/256 texel, halfway between two, and any. Odd items are near the edges. */
static float coordinate(const struct setting *s, unsigned n, unsigned k)
{
	const double random = bench_random() / 4294967296.0, span = n % 2 ? 1.5 : 6.0 * size[k];
	const double near = n % 4 == 1 ? 0 : n % 4 == 3 ? size[k] : size[k] / 2.0;
	double v = near + (random - 0.5) * span;

	if (n % 16 < 6)
		v = floor(v) + 0.5 * (n & 1);
	else if (n % 16 < 12)
		v = (floor(v * FRACTIONS) + (n & 4 ? 0.5 : 0.25 + 0.5 * (n & 1))) / FRACTIONS;
	return (float)(s->normalized ? v / size[k] : v);
}

static void fail_sample(const struct setting *s, const struct item *item, const char *what, float got, float expected)
{
	fail_msg(
		"%uD%s, clamp %u %u %u, border %u, comparison %u, %s, %s%s: %s at %.9g %.9g %.9g is %.9g, expected %.9g",
		s->dimensions, s->array ? " array" : "", s->clamp[0], s->clamp[1], s->clamp[2], s->border, s->compare,
		s->normalized ? "normalized" : "unnormalized", s->linear ? "linear" : "point",
		s->truncates ? ", truncated" : "", what, (double)item->at[0], (double)item->at[1], (double)item->at[2],
		(double)got, (double)expected);
}

static struct item items[ITEMS];

/* Samples of all items, whose addresses are a reference, if any, and coordinates. */
static void sample_items(const struct setting *s, const char *kernel, bool compares)
{
	describe(s);
	for (unsigned n = 0; n < ITEMS; n++) {
		uint32_t *address = bench_data[n];
		for (unsigned k = 0; k < 3; k++)
			items[n].at[k] = k == 2 && s->array ? (float)(n % 32) / 4 - 1.5f : coordinate(s, n, k);
		items[n].reference = n % 2 ? texel[n % DEPTH][n % HEIGHT][n % WIDTH] : (float)(n % 3);
		if (compares)
			*address++ = bench_float_bits((double)items[n].reference);
		for (unsigned k = 0; k < 3; k++)
			*address++ = bench_float_bits((double)items[n].at[k]);
	}
	bench_launch(kernel, ROWS);
}

static void check_setting(const struct setting *s)
{
	sample_items(s, s->array ? "layer" : "sample", false);
	for (unsigned n = 0; n < ITEMS; n++)
		for (unsigned component = 0; component < 4; component += 3) {
			const float got = bench_float(bench_result[n][component]),
				    expected = model_sample(s, &items[n], component, false);
			if (got != expected)
				fail_sample(s, &items[n], component ? "alpha" : "red", got, expected);
		}
}

static void check_comparison(const struct setting *s)
{
	sample_items(s, "compare", true);
	for (unsigned n = 0; n < ITEMS; n++) {
		const float got = bench_float(bench_result[n][0]), expected = model_sample(s, &items[n], 0, true);
		if (got != expected)
			fail_sample(s, &items[n], "the comparison", got, expected);
	}
}

/* The four texels that a blend has, counterclockwise from the lower left one, whatever the filter is. */
static void check_gather(const struct setting *s)
{
	static const uint8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	struct setting linear = *s;
	struct share share[3];

	linear.linear = true;
	sample_items(s, "gather", false);
	for (unsigned n = 0; n < ITEMS; n++) {
		find_shares(&linear, &items[n], share);
		for (unsigned k = 0; k < 4; k++) {
			const int at[3] = {share[0].index[corners[k][0]], share[1].index[corners[k][1]], 0};
			const float got = bench_float(bench_result[n][k]),
				    expected = (float)model_texel(s, &items[n], at, 0, false);
			if (got != expected)
				fail_sample(s, &items[n], "a gathered texel", got, expected);
		}
	}
}

static void samples_follow_every_setting(void **state)
{
	unsigned checked = 0;

	(void)state;
	fill_image();
	for (unsigned n = 0; n < CLAMPS * BORDERS * 2 * 2 * 2; n++)
		for (unsigned dimensions = 1; dimensions <= 3; dimensions++) {
			const unsigned clamp = n % CLAMPS;
			check_setting(&(struct setting){.dimensions = dimensions,
				.clamp = {clamp, (clamp + dimensions) % CLAMPS, (clamp + 3) % CLAMPS},
				.border = n / CLAMPS % BORDERS,
				.normalized = n / (CLAMPS * BORDERS) % 2,
				.linear = n / (CLAMPS * BORDERS * 2) % 2,
				.truncates = n / (CLAMPS * BORDERS * 4) % 2});
			checked++;
		}
	print_message("# %u settings, %u samples of each\n", checked, ITEMS);
}

static void layers_gathers_and_comparisons_follow_settings(void **state)
{
	(void)state;
	fill_image();
	for (unsigned n = 0; n < CLAMPS * BORDERS * 2 * 2; n++) {
		struct setting s = {.dimensions = 2,
			.clamp = {n % CLAMPS, (n + 2) % CLAMPS, 0},
			.border = n / CLAMPS % BORDERS,
			.normalized = n / (CLAMPS * BORDERS) % 2,
			.linear = n / (CLAMPS * BORDERS * 2) % 2};
		check_gather(&s);
		s.compare = n * 5 % 8;
		check_comparison(&s);
		s.array = true;
		check_setting(&s);
	}
}

/* Between two texels of 0 and 256, the result counts the steps of the coordinate: one for each 1/256 texel, and
 * coordinates between two steps go to the nearer one. */
static void fractions_have_8_bits(void **state)
{
	enum { PARTS = 16 };
	unsigned changes = 0;

	(void)state;
	describe(&(struct setting){.dimensions = 1, .clamp = {2, 2, 2}, .linear = true});
	for (unsigned n = 0; n < WIDTH; n++)
		bench_texels[n] = bench_float_bits(n == 1 ? FRACTIONS : 0);
	for (unsigned part = 0; part < PARTS; part++) {
		for (unsigned n = 0; n < FRACTIONS; n++)
			bench_data[n][0] = bench_float_bits(0.5 + (n * PARTS + part) / (double)(FRACTIONS * PARTS));
		bench_launch("sample", 1);
		for (unsigned n = 0; n < FRACTIONS; n++) {
			const float v = bench_float(bench_result[n][0]);
			const bool is_half = part == PARTS / 2;
			changes += v != (float)n;
			if (is_half ? v != (float)(n + n % 2) : v != (float)(n + (part > PARTS / 2)))
				fail_msg(
					"%u/%u of a texel: %.9g steps", n * PARTS + part, FRACTIONS * PARTS, (double)v);
		}
	}
	assert_int_equal(changes, FRACTIONS * (PARTS / 2 - 1) + FRACTIONS / 2);
}

/* Cycles of a sample of a wave whose lanes all sample one texel, so that the address stage alone limits it. */
static double sample_cycles(const struct setting *s)
{
	enum { FEWER = 32 };
	uint64_t cycles[2] = {0};

	describe(s);
	memset(bench_data, 0, BENCH_WIDTH * sizeof *bench_data);
	for (unsigned n = 0; n < 4; n++) { /* the first two bring the code into the instruction cache */
		if (device_launch(&bench, n % 2 ? "samples_64" : "samples_32", 64, 64) != LAUNCH_OK)
			fail_msg("%s", bench.out.message);
		cycles[n % 2] = bench.out.cycles;
	}
	return (double)(cycles[1] - cycles[0]) / FEWER;
}

/* The linear filter takes the stage once for each 32 bits of a texel and for each of the two slices of a volume. */
static void a_filter_takes_time_for_words_and_slices(void **state)
{
	(void)state;
	const double once = gpu_model(bench.gpu)->image_address_cycles;
	within(sample_cycles(&(struct setting){.dimensions = 2, .clamp = {2, 2, 2}}), once - 0.5, once + 0.5);
	within(sample_cycles(&(struct setting){.dimensions = 2, .clamp = {2, 2, 2}, .four = true}), once - 0.5,
		once + 0.5);
	within(sample_cycles(&(struct setting){.dimensions = 2, .clamp = {2, 2, 2}, .linear = true}), once - 0.5,
		once + 0.5);
	within(sample_cycles(&(struct setting){.dimensions = 2, .clamp = {2, 2, 2}, .linear = true, .four = true}),
		4 * once - 0.5, 4 * once + 0.5);
	within(sample_cycles(&(struct setting){.dimensions = 3, .clamp = {2, 2, 2}, .linear = true}), 2 * once - 0.5,
		2 * once + 0.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(samples_follow_every_setting),
		cmocka_unit_test(layers_gathers_and_comparisons_follow_settings),
		cmocka_unit_test(fractions_have_8_bits), cmocka_unit_test(a_filter_takes_time_for_words_and_slices)};

	return cmocka_run_group_tests_name("samplers", tests, bench_open, bench_close);
}
