/* Address spaces as compiled code uses them: generic pointers that diverge among the lanes of a wave, misaligned data,
 * recursion, large arguments and workgroups; compared with C at every level and on every target. */
#include "tests/programs/levels.h"

enum { ITEMS = 1024 };

/* --- generic pointers --- */
static int64_t change(uint8_t place[16], int by)
{
	int8_t c = place[1];
	int16_t s;
	int32_t v[4];
	int64_t q;

	place[1] = c + by;
	memcpy(&s, place + 2, 2);
	s -= by;
	memcpy(place + 2, &s, 2);
	memcpy(v, place, 16);
	v[1] ^= by;
	memcpy(place, v, 16);
	memcpy(&q, place + 8, 8);
	q = (int64_t)((uint64_t)q * by);
	memcpy(place + 8, &q, 8);
	memcpy(v, place, 16);
	for (unsigned k = 0; k < 4; k++)
		v[k] = (int32_t)((uint32_t)v[k] + (k ? k + 1 : (uint32_t)by));
	memcpy(place, v, 16);
	memcpy(&s, place + 2, 2);
	memcpy(&q, place + 8, 8);
	return (int64_t)((uint64_t)((int8_t)place[1] + s + (int64_t)v[1]) + (uint64_t)q + (uint64_t)(int64_t)v[0] +
		(uint64_t)(int64_t)v[3]);
}

static void generic_pointers_reach_all_memories(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		int64_t expected[ITEMS];
		int32_t after[ITEMS * 4];
		device_args(&level[n].device);
		int *data = random_ints(&level[n].device, ITEMS * 4, 31);
		int64_t *out = (int64_t *)push_buffer(&level[n].device, ITEMS * 8, 0);
		memcpy(after, data, sizeof after);
		for (unsigned i = 0; i < ITEMS; i++) {
			int32_t place[4];
			int64_t sum = 0;
			memcpy(place, &data[4 * i], 16);
			for (unsigned k = 0; k < 3; k++)
				sum = (int64_t)((uint64_t)sum * 3 +
					(uint64_t)change((uint8_t *)place, (int)(i % 256 + 3 * k + 1)));
			expected[i] =
				(int64_t)((uint64_t)sum + (uint64_t)(int64_t)place[1] + (uint64_t)(int64_t)place[2]);
			if ((uint32_t)data[4 * i] % 3 == 2)
				memcpy(&after[4 * i], place, 16);
		}
		launch_or_fail(&level[n], "spaces", ITEMS, 256);
		check_equal(&level[n], "spaces: sums", out, expected, ITEMS, 8);
		check_equal(&level[n], "spaces: memory", data, after, ITEMS * 4, 4);
	}
}

struct __attribute__((packed)) misaligned_members_match_c {
	int8_t c;
	int16_t s;
	int32_t i;
	int64_t q;
};

static int64_t mix(struct misaligned_members_match_c *p, int by)
{
	p->s += by;
	p->i = (int32_t)((uint32_t)p->i * (uint32_t)by + (uint32_t)p->c);
	p->q -= p->i;
	return p->q ^ p->s;
}

static void misaligned_members_match_c(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		int64_t expected[ITEMS];
		device_args(&level[n].device);
		int *in = random_ints(&level[n].device, ITEMS, 24);
		int64_t *out = (int64_t *)push_buffer(&level[n].device, ITEMS * 8, 0);
		for (unsigned i = 0; i < ITEMS; i++) {
			struct misaligned_members_match_c p = {in[i], 2 * in[i], -in[i], INT64_C(1000000007) * in[i]};
			expected[i] = 0;
			for (int k = 0; k < 3; k++)
				expected[i] += mix(&p, in[i] % 100 + k);
			expected[i] += p.c;
		}
		launch_or_fail(&level[n], "packed", ITEMS, 256);
		check_equal(&level[n], "packed", out, expected, ITEMS, 8);
	}
}

/* --- recursion --- */
static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void recursion_in_scratch_sorts(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		static int expected[ITEMS * 24];
		device_args(&level[n].device);
		int *in = random_ints(&level[n].device, ITEMS * 24, 31),
		    *out = (int *)push_buffer(&level[n].device, pages_of(ITEMS * 24 * 4), 0);
		memcpy(expected, in, sizeof expected);
		for (unsigned i = 0; i < ITEMS; i++)
			qsort(&expected[24 * i], 4 + (uint32_t)in[24 * i] % 20, 4, by_value);
		launch_or_fail(&level[n], "quicksort", ITEMS, 256);
		check_equal(&level[n], "quicksort", out, expected, ITEMS * 24, 4);
	}
}

/* --- arguments and workgroups --- */
struct large {
	int v[300];
};

static int sum_of(const struct large *l, int from, int step)
{
	uint32_t sum = 0;

	for (int k = from; k < 300; k += step)
		sum = sum * 3 + (uint32_t)l->v[k];
	return (int)sum;
}

static void large_arguments_match_c(void **state)
{
	uint64_t draws = 9;

	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		struct device *d = &level[n].device;
		struct large l;
		int expected[ITEMS];
		device_args(d);
		int *out = (int *)push_buffer(d, ITEMS * 4, 0);
		for (unsigned k = 0; k < 300; k++)
			push_int(d, (uint32_t)(l.v[k] = (int)(random_bits(&draws) >> 40)));
		push(d, &(int16_t){-1234}, 2);
		for (int i = 0; i < ITEMS; i++)
			expected[i] =
				(int)((uint32_t)sum_of(&l, i % 300, 1 + i % 37) + (uint32_t)l.v[i * 7 % 300] - 1234u);
		launch_or_fail(&level[n], "arguments", ITEMS, 256);
		check_equal(&level[n], "arguments", out, expected, ITEMS, 4);
	}
}

static void largest_workgroup_passes_data_around(void **state)
{
	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		uint32_t v[2 * 1024], next[2 * 1024];
		device_args(&level[n].device);
		int *in = random_ints(&level[n].device, 2 * 1024, 32),
		    *out = (int *)push_buffer(&level[n].device, 2 * 1024 * 4, 0);
		memcpy(v, in, sizeof v);
		for (unsigned k = 1; k < 1024; k *= 4) {
			for (unsigned i = 0; i < 2 * 1024; i++)
				next[i] = v[i] + v[i / 1024 * 1024 + (i + k * 67) % 1024];
			memcpy(v, next, sizeof v);
		}
		launch_or_fail(&level[n], "around", 2 * 1024, 1024);
		check_equal(&level[n], "around", out, v, 2 * 1024, 4);
	}
}

static int open_all(void **state)
{
	(void)state;
	levels_open("spaces.hip", "-nogpuinc -nogpulib");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_pointers_reach_all_memories),
		cmocka_unit_test(misaligned_members_match_c),
		cmocka_unit_test(recursion_in_scratch_sorts),
		cmocka_unit_test(large_arguments_match_c),
		cmocka_unit_test(largest_workgroup_passes_data_around),
	};
	return cmocka_run_group_tests(tests, open_all, levels_close);
}
