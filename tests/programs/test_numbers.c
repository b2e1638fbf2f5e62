/* The functions of numbers.h give the same results on the software GPU and the host, at every optimization level,
 * called directly and by pointer. */
#include "tests/programs/levels.h"

#define HERE           static inline
#define HERE_RECURSIVE static
#include "tests/programs/numbers.h"

typedef uint64_t (*function)(uint64_t, uint64_t);
static const struct {
	const char *name;
	function function;
} functions[] = {
#define ENTRY(name) {#name, name},
	EACH_NUMBERS(ENTRY)};
enum { FUNCTIONS = sizeof functions / sizeof *functions, ITEMS = 4096 };

/* Numbers of all sizes, special numbers, and bit patterns of special floats. */
static uint64_t number(uint64_t *state)
{
	static const uint64_t special[] = {0, 1, 2, 3, 7, 10, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0xffffff,
		0x1000000, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_C(1) << 32, INT64_MAX, UINT64_C(1) << 63,
		UINT64_MAX, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x3f800000, 0x7f7fffff,
		UINT64_C(0x7ff) << 52, UINT64_C(0x3ff) << 52, UINT64_C(1) << 52, 0x7c00, 0x3c00, 0x7bff, 0x0400};
	uint64_t kind = random_bits(state), v = random_bits(state);

	switch (kind % 4) {
	case 0: v = special[v % (sizeof special / sizeof *special)]; break;
	case 1: v >>= kind >> 8 & 63; break;
	case 2: v = -(v >> (kind >> 8 & 63)); break;
	}
	return v;
}

static void fill(struct device *d, uint64_t **a, uint64_t **b, uint64_t **out)
{
	uint64_t state = 5;

	device_args(d);
	*a = (uint64_t *)push_buffer(d, ITEMS * 8, 0);
	*b = (uint64_t *)push_buffer(d, ITEMS * 8, 0);
	*out = (uint64_t *)push_buffer(d, ITEMS * 8, 0);
	for (unsigned i = 0; i < ITEMS; i++) {
		(*a)[i] = number(&state);
		(*b)[i] = number(&state);
	}
}

static void check(
	struct level *l, const char *name, const uint64_t *a, const uint64_t *b, const uint64_t *out, function by)
{
	char kernel[64];

	snprintf(kernel, sizeof kernel, "run_%s", name);
	launch_or_fail(l, kernel, ITEMS, 256);
	for (unsigned i = 0; i < ITEMS; i++) {
		uint64_t expected = (by ? by : functions[a[i] % FUNCTIONS].function)(a[i], b[i]);
		if (out[i] != expected)
			fail_msg("%s: %s(%#llx, %#llx) is %#llx, expected %#llx", l->name, name,
				(unsigned long long)a[i], (unsigned long long)b[i], (unsigned long long)out[i],
				(unsigned long long)expected);
	}
}

static void number_functions_match_the_host(void **state)
{
	unsigned k = *(const unsigned *)*state;
	uint64_t *a, *b, *out;

	for (unsigned n = 0; n < levels; n++) {
		fill(&level[n].device, &a, &b, &out);
		if (functions[k].function == division_24)
			for (unsigned i = 0; i < ITEMS; i++) {
				a[i] = (uint64_t)((int64_t)(a[i] << 41) >> 41);
				b[i] &= 0x7fffff;
			}
		check(&level[n], functions[k].name, a, b, out, functions[k].function);
	}
}

static void function_pointers_match_the_host(void **state)
{
	uint64_t *a, *b, *out;

	(void)state;
	for (unsigned n = 0; n < levels; n++) {
		fill(&level[n].device, &a, &b, &out);
		check(&level[n], "pointers", a, b, out, NULL);
	}
}

static int open_all(void **state)
{
	(void)state;
	levels_open("numbers.hip", "-nogpuinc -nogpulib");
	return 0;
}

int main(void)
{
	static unsigned which[FUNCTIONS];
	struct CMUnitTest tests[FUNCTIONS + 1] = {[FUNCTIONS] = cmocka_unit_test(function_pointers_match_the_host)};

	for (unsigned k = 0; k < FUNCTIONS; k++) {
		which[k] = k;
		tests[k] =
			(struct CMUnitTest){functions[k].name, number_functions_match_the_host, NULL, NULL, &which[k]};
	}
	return cmocka_run_group_tests(tests, open_all, levels_close);
}
