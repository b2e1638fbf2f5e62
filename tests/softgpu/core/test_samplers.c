/* Samplers: each mode at the edges with normalized and unnormalized coordinates, one texel or blended ones, each border
 * color, in two and three dimensions, compared with a model that walks from texel to texel. Coordinates lie between
 * multiples of 1/256 of a texel: a fraction has 8 bits. */
#include "tests/softgpu/core/image_bench.h"

#include <math.h>

enum { WIDTH = 13, HEIGHT = 8, DEPTH = 5, ROWS = 4, ITEMS = ROWS * BENCH_WIDTH, FLOAT_32 = 4, NUMBER_FLOAT = 7 };
enum { CLAMPS = 8, BORDERS = 3, FRACTIONS = 256 };
static const int size[3] = {WIDTH, HEIGHT, DEPTH};
static float texel[DEPTH][HEIGHT][WIDTH];

struct setting {
	unsigned dimensions, clamp[3], border;
	bool normalized, linear, truncates;
};

static void describe(const struct setting *s)
{
	enum { TYPE_1D = 8, BILINEAR = 1 };
	const unsigned height = s->dimensions > 1 ? HEIGHT : 1, depth = s->dimensions > 2 ? DEPTH : 1;
	const uint32_t image[8] = {(uint32_t)(bench_image_va >> 8),
		(uint32_t)(bench_image_va >> 40) | FLOAT_32 << 20 | NUMBER_FLOAT << 26,
		(WIDTH - 1) | (height - 1) << 14, BENCH_IDENTITY | (TYPE_1D + s->dimensions - 1) << 28,
		(depth - 1) | (BENCH_WIDTH - 1) << 13};
	const uint32_t sampler[4] = {s->clamp[0] | s->clamp[1] << 3 | s->clamp[2] << 6 |
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

/* The red or the alpha component: texels have an alpha of 1. */
static float model_sample(const struct setting *s, const float at[3], unsigned component)
{
	struct share share[3] = {{{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}};
	double sum = 0;

	for (unsigned k = 0; k < s->dimensions; k++)
		share[k] = model_share(s, k, (double)at[k]);
	for (unsigned n = 0; n < 8; n++) {
		const int x = share[0].index[n & 1], y = share[1].index[n >> 1 & 1], z = share[2].index[n >> 2];
		const double part = share[0].part[n & 1] * share[1].part[n >> 1 & 1] * share[2].part[n >> 2];
		if (part == 0)
			continue;
		const double value = x < 0 || y < 0 || z < 0 ? border_colors[s->border][component]
			: component == 3                     ? 1
							     : (double)texel[z][y][x];
		sum += part * value;
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

static void check_setting(const struct setting *s)
{
	float at[ITEMS][3];

	describe(s);
	for (unsigned n = 0; n < ITEMS; n++)
		for (unsigned k = 0; k < 3; k++) {
			at[n][k] = coordinate(s, n, k);
			bench_data[n][k] = bench_float_bits((double)at[n][k]);
		}
	bench_launch("sample", ROWS);
	for (unsigned n = 0; n < ITEMS; n++)
		for (unsigned component = 0; component < 4; component += 3) {
			const float got = bench_float(bench_result[n][component]),
				    expected = model_sample(s, at[n], component);
			if (got != expected)
				fail_msg(
					"%uD, clamp %u %u %u, border %u, %s, %s%s: component %u at %.9g %.9g %.9g is %.9g, "
					"expected %.9g",
					s->dimensions, s->clamp[0], s->clamp[1], s->clamp[2], s->border,
					s->normalized ? "normalized" : "unnormalized", s->linear ? "linear" : "point",
					s->truncates ? ", truncated" : "", component, (double)at[n][0],
					(double)at[n][1], (double)at[n][2], (double)got, (double)expected);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_follow_every_setting), cmocka_unit_test(fractions_have_8_bits)};

	return cmocka_run_group_tests_name("samplers", tests, bench_open, bench_close);
}
