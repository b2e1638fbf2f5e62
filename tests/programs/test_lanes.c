/* Shuffles, votes, DPP, permutes and atomics on the software GPU, compared with simple models. */
#include "tests/programs/levels.h"

enum { ITEMS = 512, SHUFFLES = 7, VOTES = 8, DPPS = 16, PERMUTES = 6 };

static void expect(const struct level *l, const char *what, unsigned k, unsigned i, int64_t got, int64_t expected)
{
	if (got != expected)
		fail_msg("%s: %s %u of item %u is %lld, should be %lld", l->name, what, k, i, (long long)got,
			(long long)expected);
}

/* --- shuffles --- */
/* The lane that function k of item i reads. */
static unsigned shuffle_source(unsigned k, unsigned i, unsigned at, unsigned width, unsigned lanes)
{
	unsigned lane = i % lanes, base = lane & -width, in = lane & (width - 1), wave = i - lane;

	switch (k) {
	case 0: return wave + base + at;
	case 1: return wave + (lane ^ (at & (width - 1)));
	case 2: return in >= (at & (width - 1)) ? i - (at & (width - 1)) : i;
	case 3: return in + (at & (width - 1)) < width ? i + (at & (width - 1)) : i;
	case 4: return wave + base + (at ^ 1);
	case 5: return wave + (lane ^ (5 & (width - 1)));
	default: return in + 3 < width ? i + 3 : i;
	}
}

static void shuffles_match_the_model(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++)
		for (unsigned width = 4; width <= permuted_lanes(&level[n]); width *= 2) {
			struct device *d = &level[n].device;
			device_args(d);
			int *in = (int *)push_buffer(d, 4096, 0), *lane = (int *)push_buffer(d, 4096, 0),
			    *out = (int *)push_buffer(d, 65536, 0);
			push_int(d, ITEMS);
			push_int(d, width);
			for (unsigned i = 0; i < ITEMS; i++) {
				in[i] = (int)(random_bits(&random_state) & 0x3fffffff);
				lane[i] = random_bits(&random_state) % width;
			}
			launch_or_fail(&level[n], "shuffles", ITEMS, 128);
			for (unsigned k = 0; k < SHUFFLES; k++)
				for (unsigned i = 0; i < ITEMS; i++)
					expect(&level[n], "shuffle", k, i, out[k * ITEMS + i],
						in[shuffle_source(k, i, lane[i], width, level[n].lanes)]);
		}
}

/* --- votes --- */
struct voters {
	const int *v;
	unsigned lanes;
};

static uint64_t lanes_with(const struct voters *wave, uint64_t among, int bit)
{
	uint64_t mask = 0;

	for (unsigned l = 0; l < wave->lanes; l++)
		mask |= (uint64_t)((wave->v[l] & bit) != 0) << l;
	return mask & among;
}

static uint64_t voted(unsigned k, const struct voters *wave, unsigned lane)
{
	uint64_t in = lanes_with(wave, UINT64_MAX, 1), any = 0, eight = lanes_with(wave, in, 8),
		 sixteen = lanes_with(wave, in, 16);
	int v = wave->v[lane];

	if (!(v & 1))
		return 0;
	for (unsigned l = 0; l < wave->lanes; l++)
		any |= (in >> l & 1) && (wave->v[l] & 0xff) == 77;
	switch (k) {
	case 0: return lanes_with(wave, in, 2);
	case 1: return any | 2 | (uint64_t)(lanes_with(wave, in, 4) == in) << 2;
	case 2: return __builtin_popcountll(in);
	case 3: return 2 * lane;
	case 4: return (uint64_t)(int64_t)wave->v[__builtin_ctzll(in)];
	case 5: return __builtin_ffsll((long long)eight) + (sixteen ? __builtin_clzll(sixteen) : 64);
	default:
		return v & 32 ? lanes_with(wave, in, 32)
			      : (in & ~lanes_with(wave, in, 32) & lanes_with(wave, in, 64)) * 3;
	}
}

static void votes_match_the_model(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		device_args(d);
		int *in = (int *)push_buffer(d, 4096, 0);
		uint64_t *out = (uint64_t *)push_buffer(d, 65536, 0);
		push_int(d, ITEMS);
		for (unsigned i = 0; i < ITEMS; i++)
			in[i] = (int)random_bits(&random_state) | (i / 64 == 2 ? 5 : 0) |
				(i == 200); /* the items of a wave vote together */
		launch_or_fail(&level[n], "votes", ITEMS, 128);
		for (unsigned k = 0; k < VOTES; k++)
			for (unsigned i = 0; i < ITEMS; i++) {
				unsigned lane = i % level[n].lanes, first = i - lane;
				const struct voters wave = {in + first, level[n].lanes};
				uint64_t expected =
					k == 7 ? (uint32_t)wave.v[in[5] & (wave.lanes - 1)] : voted(k, &wave, lane);
				expect(&level[n], "vote", k, i, (int64_t)out[k * ITEMS + i], (int64_t)expected);
			}
	}
}

/* --- DPP --- */
enum { OUTSIDE = -1 };

/* The lane that lane l reads; OUTSIDE: none. Vega ISA and RDNA3 ISA, "DPP". */
static int dpp_source(unsigned control, int l)
{
	int row = l & ~15, in = l & 15, n = control & 15;

	if (control < 0x100)
		return (l & ~3) + (control >> 2 * (l & 3) & 3);
	switch (control & 0x1f0) {
	case 0x100: return in + n < 16 ? l + n : OUTSIDE;
	case 0x110: return in - n >= 0 ? l - n : OUTSIDE;
	case 0x120: return row + ((in - n) & 15);
	case 0x150: return row + n;
	case 0x160: return l ^ n;
	}
	switch (control) {
	case 0x130: return l < 63 ? l + 1 : OUTSIDE;
	case 0x134: return (l + 1) & 63;
	case 0x138: return l - 1;
	case 0x13c: return (l - 1) & 63;
	case 0x140: return row + 15 - in;
	case 0x141: return (l & ~7) + 7 - (l & 7);
	case 0x142: return row ? row - 1 : OUTSIDE;
	default: return l >= 32 ? 31 : OUTSIDE;
	}
}

struct dpp {
	unsigned control, rows, banks, bound;
};

static const struct dpp dpps[DPPS] = {
	{0x1b, 15, 15, 0},
	{0x93, 15, 15, 0},
	{0x101, 15, 15, 0},
	{0x10f, 15, 15, 1},
	{0x113, 15, 15, 0},
	{0x125, 15, 15, 0},
	{0x130, 15, 15, 0},
	{0x134, 15, 15, 0},
	{0x138, 15, 15, 1},
	{0x13c, 15, 15, 0},
	{0x140, 15, 15, 0},
	{0x141, 15, 15, 0},
	{0x142, 10, 15, 0},
	{0x143, 12, 15, 0},
	{0x111, 5, 9, 0},
	{0x114, 15, 6, 1},
};

/* gfx11 has others in place of those that cross rows. */
static const struct dpp gfx11_dpps[DPPS] = {
	[6] = {0x153, 15, 15, 0},
	[7] = {0x165, 15, 15, 0},
	[8] = {0x15f, 15, 15, 1},
	[9] = {0x16f, 15, 15, 0},
	[12] = {0x150, 10, 15, 0},
	[13] = {0x161, 12, 15, 0},
};

static int shifted(const struct level *on, unsigned k, const int *wave, unsigned l)
{
	const struct dpp *d = !strcmp(on->arch, "gfx1100") && gfx11_dpps[k].rows ? &gfx11_dpps[k] : &dpps[k];
	int from = dpp_source(d->control, (int)l);

	if (!(d->rows >> l / 16 & 1) || !(d->banks >> l / 4 % 4 & 1))
		return -7;
	return from == OUTSIDE ? d->bound ? 0 : -7 : wave[from];
}

static void dpp_matches_the_model(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		device_args(d);
		int *in = (int *)push_buffer(d, 4096, 0), *out = (int *)push_buffer(d, 65536, 0);
		push_int(d, ITEMS);
		for (unsigned i = 0; i < ITEMS; i++)
			in[i] = (int)random_bits(&random_state);
		launch_or_fail(&level[n], "dpp", ITEMS, 256);
		for (unsigned k = 0; k < DPPS; k++)
			for (unsigned i = 0; i < ITEMS; i++)
				expect(&level[n], "DPP", k, i, out[k * ITEMS + i],
					shifted(&level[n], k, in + i - i % level[n].lanes, i % level[n].lanes));
		launch_or_fail(&level[n], "dpp_scan", ITEMS, 256);
		uint32_t sum = 0;
		for (unsigned i = 0; i < ITEMS; i++) {
			sum = (i % level[n].lanes ? sum : 0) + (uint32_t)in[i];
			expect(&level[n], "running sum", 0, i, out[i], (int32_t)sum);
		}
	}
}

static void permutes_and_swizzles_match_the_model(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		device_args(d);
		int *in = (int *)push_buffer(d, 4096, 0), *lane = (int *)push_buffer(d, 4096, 0),
		    *out = (int *)push_buffer(d, 65536, 0);
		push_int(d, ITEMS);
		for (unsigned i = 0; i < ITEMS; i++) {
			in[i] = (int)random_bits(&random_state);
			lane[i] = (i * 37 + i / 64 * 5) % level[n].lanes;
		}
		launch_or_fail(&level[n], "permutes", ITEMS, 64);
		for (unsigned i = 0; i < ITEMS; i++) {
			unsigned l = i % level[n].lanes, wave = i - l, other = wave + (l ^ 1);
			unsigned reach = permuted_lanes(&level[n]), at = i - i % reach + lane[i] % reach;
			int absent = in[other] & 1 ? in[other] & 2 ? (int)other : -(int)other : 0;
			expect(&level[n], "bpermute", 0, i, out[i], in[at]);
			expect(&level[n], "permute", 1, at, out[ITEMS + at], in[i]);
			expect(&level[n], "swizzle", 2, i, out[2 * ITEMS + i], in[(i & ~3u) + 3 - (i & 3)]);
			expect(&level[n], "swizzle", 3, i, out[3 * ITEMS + i], in[i ^ 5]);
			expect(&level[n], "swizzle", 4, i, out[4 * ITEMS + i], in[wave + (l & 32) + ((l & 24) | 3)]);
			expect(&level[n], "bpermute of some", 5, i, out[5 * ITEMS + i], in[i] & 1 ? absent : -9);
		}
	}
}

/* --- atomics --- */
enum operation { ADD, MIN, MAX, AND, OR, XOR, EXCHANGE, CAS, SUB, INC, DEC };

static uint64_t after(enum operation o, uint64_t c, uint64_t v, unsigned i)
{
	switch (o) {
	case ADD: return c + v;
	case MIN: return v < c ? v : c;
	case MAX: return v > c ? v : c;
	case AND: return c & (v | UINT64_C(1) << (i & 31));
	case OR: return c | (v & UINT64_C(1) << (i & 31));
	case XOR: return c ^ v;
	case EXCHANGE: return v;
	case CAS: return c == i ? i + 1 : c;
	case SUB: return c - v;
	case INC: return c >= 100 ? 0 : c + 1;
	default: return !c || c > 50 ? 50 : c - 1;
	}
}

/* Whether some order of the items explains all returned values, from the cell's value `first` to `last`. */
static bool is_serializable(enum operation o, const uint64_t *v, const uint64_t *old, unsigned n, uint64_t first,
	uint64_t last, uint64_t mask)
{
	bool done[ITEMS] = {false};
	uint64_t c = first;
	unsigned left = n;

	for (bool moved_on = true; moved_on;) {
		unsigned next = n;
		moved_on = false;
		for (unsigned i = 0; i < n; i++) {
			if (done[i] || old[i] != c)
				continue;
			if ((after(o, c, v[i], i) & mask) == c) {
				done[i] = true;
				left--;
			} else if (next == n) {
				next = i;
			}
		}
		if (next < n) {
			done[next] = moved_on = true;
			left--;
			c = after(o, c, v[next], next) & mask;
		}
	}
	return !left && c == last;
}

static uint64_t element(const void *p, unsigned bytes, unsigned k)
{
	return bytes == 8 ? ((const uint64_t *)p)[k] : ((const uint32_t *)p)[k];
}

static int64_t extended(uint64_t v, unsigned bytes)
{
	return bytes == 8 ? (int64_t)v : (int32_t)v;
}

/* Checks a kernel of atomics: inputs, cells before and after, and returned values, each of `bytes` bytes. */
static void check_atomics(const struct level *l, const char *kernel, const void *in, const uint64_t before[16],
	const void *cell, const void *old, unsigned bytes, unsigned n, unsigned operations)
{
	uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX, v[ITEMS], got[ITEMS];
	int64_t low = extended(before[8], bytes), high = extended(before[9], bytes);

	for (unsigned i = 0; i < n; i++) {
		v[i] = element(in, bytes, i);
		low = extended(v[i], bytes) < low ? extended(v[i], bytes) : low;
		high = extended(v[i], bytes) > high ? extended(v[i], bytes) : high;
	}
	for (unsigned o = 0; o < operations; o++) {
		unsigned at = o < 8 ? o : o + 2;
		for (unsigned i = 0; i < n; i++)
			got[i] = element(old, bytes, o * n + i);
		if (!is_serializable(o, v, got, n, before[at], element(cell, bytes, at), mask))
			fail_msg("%s: %s: operation %u ends at %#llx, which no order of its items explains", l->name,
				kernel, o, (unsigned long long)element(cell, bytes, at));
	}
	expect(l, kernel, 8, 0, extended(element(cell, bytes, 8), bytes), low);
	expect(l, kernel, 9, 0, extended(element(cell, bytes, 9), bytes), high);
}

static void check_sum(const struct level *l, const char *kernel, const void *in, const void *cell, unsigned bytes)
{
	double sum = 0;

	for (unsigned i = 0; i < ITEMS; i++)
		sum += (double)(element(in, bytes, i) & 15);
	double got = bytes == 8 ? ((const double *)cell)[13] : ((const float *)cell)[13];
	expect(l, kernel, 13, 0, (int64_t)got, (int64_t)sum);
}

static void atomics(const char *kernel, unsigned bytes, bool shared)
{
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		unsigned items = shared ? 256 : ITEMS;
		uint64_t before[16];
		device_args(d);
		void *in = push_buffer(d, 4096, 0), *cell = push_buffer(d, 4096, 0), *old = push_buffer(d, 65536, 0);
		push_int(d, items);
		for (unsigned k = 0; k < ITEMS * bytes / 4; k++)
			((uint32_t *)in)[k] = (uint32_t)random_bits(&random_state);
		for (unsigned k = 0; k < 16; k++) {
			before[k] = k == 7 || k == 11 || k == 13 ? 0
				: k == 12                        ? 70
					  : random_bits(&random_state) & (bytes == 8 ? UINT64_MAX : UINT32_MAX);
			memcpy((char *)cell + k * bytes, &before[k], bytes);
		}
		launch_or_fail(&level[n], kernel, items, 256);
		check_atomics(&level[n], kernel, in, before, cell, old, bytes, items, bytes == 4 && !shared ? 11 : 8);
		if (!shared)
			check_sum(&level[n], kernel, in, cell, bytes);
	}
}

static void atomics_on_32_bits_are_atomic(void **state)
{
	(void)state;
	atomics("atomics_32", 4, false);
}
static void atomics_on_64_bits_are_atomic(void **state)
{
	(void)state;
	atomics("atomics_64", 8, false);
}
static void lds_atomics_on_32_bits_are_atomic(void **state)
{
	(void)state;
	atomics("lds_atomics_32", 4, true);
}
static void lds_atomics_on_64_bits_are_atomic(void **state)
{
	(void)state;
	atomics("lds_atomics_64", 8, true);
}

static int open_all(void **state)
{
	(void)state;
	levels_open("lanes.hip", HIP_HEADERS);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shuffles_match_the_model),
		cmocka_unit_test(votes_match_the_model),
		cmocka_unit_test(dpp_matches_the_model),
		cmocka_unit_test(permutes_and_swizzles_match_the_model),
		cmocka_unit_test(atomics_on_32_bits_are_atomic),
		cmocka_unit_test(atomics_on_64_bits_are_atomic),
		cmocka_unit_test(lds_atomics_on_32_bits_are_atomic),
		cmocka_unit_test(lds_atomics_on_64_bits_are_atomic),
	};
	return cmocka_run_group_tests(tests, open_all, levels_close);
}
