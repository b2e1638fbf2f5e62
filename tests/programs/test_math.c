/* The device math library on the software GPUs, compared with 113-bit references on the host: errors in ulp for f32,
 * f64 and f16 must not exceed the documented limits, and checks of uninitialized values and of accesses must find
 * nothing. On gfx900, and on gfx1100 in waves of 32 and 64 lanes; with BITS also on gfx908 and gfx90a. TAP, one line
 * per function.
 *
 *   test_math [RANDOM [BITS [LEVEL]...]]
 *
 * RANDOM  number of random arguments in addition to the special ones
 * BITS    functions of one argument take every value of so many upper bits (default 0)
 * LEVEL   optimization levels (default -O3)
 */
#include <sys/wait.h>

#include "tests/softgpu/core/device.h"

#include "tests/programs/math_arguments.h"

struct function {
	const char *name;
	enum arguments arguments;
	double limit[TYPES];
	quad (*reference)(enum type type, quad x, quad y, quad z);
};

#define MATH(id, call, f, arguments, limit32, limit64, limit16, reference) \
	static quad reference_##id(enum type type, quad x, quad y, quad z) \
	{                                                                  \
		(void)type, (void)x, (void)y, (void)z;                     \
		return reference;                                          \
	}
#include "tests/programs/math.def"

#define C     0.5
#define EXACT 0x1p-60
static const struct function functions[] = {
#define MATH(id, call, f, arguments, limit32, limit64, limit16, reference) \
	{#id, arguments, {limit32, limit64, limit16}, reference_##id},
#include "tests/programs/math.def"
};

static const struct beyond {
	const char *name;
	enum type type;
	double error_limit;
	const char *reason;
} beyond[] = {
#define MATH(...)
#define BEYOND(id, type, error_limit, reason) {#id, type, error_limit, reason},
#include "tests/programs/math.def"
#include "tests/scratch.h"
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* The worst result of a function, the number of compared results, and where checks found something. */
struct worst {
	double error, v[3], got;
	quad expected;
	size_t count, places;
	struct check_report first;
};

/* The error as defined by OpenCL C ("Relative Error as ULPs"): infinity counts as the number after the largest. With
 * `signs`, the sign of a zero matters. */
static double ulps(enum type t, double got, quad expected, bool signs)
{
	const struct format *f = &formats[t];
	quad top = ldexpq(1, f->max + 1), g = got;

	if (got != got || expected != expected)
		return got != got && expected != expected ? 0 : INFINITY;
	if (!expected)
		return got || (signs && !signbit(got) != !signbitq(expected)) ? INFINITY : 0;
	if (isinf(got))
		g = copysignq(top, got);
	if (fabsq(expected) > top)
		expected = copysignq(top, expected);
	int e = ilogbq(expected) < f->min ? f->min : ilogbq(expected);
	return fabsq(g - expected) / ldexpq(1, e + 1 - (int)f->digits);
}

static const struct target {
	const char *name, *arch, *model, *flags;
	bool thorough; /* only if functions take every value of some bits */
} targets[] = {
	{"gfx900", "gfx900", "mi25", "", false},
	{"gfx908", "gfx908", "mi100", "", true},
	{"gfx90a", "gfx90a", "mi210", "", true},
	{"gfx1100, 32 lanes", "gfx1100", "rx7900xtx", "", false},
	{"gfx1100, 64 lanes", "gfx1100", "rx7900xtx", "-mwavefrontsize64", false},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static void compile(const struct target *target, const char *level, char path[TYPES][SCRATCH_PATH])
{
	FILE *process[TYPES];
	char libraries[SCRATCH_PATH];

	scratch_path(libraries, "bitcode");

	for (unsigned t = 0; t < TYPES; t++) {
		char command[1536];
		scratch_path(path[t], formats[t].name);
		snprintf(command, sizeof command,
			"BITCODE=$(bash tests/programs/device_libraries.bash %s %s-%u) && " IN_SCRATCH
			"%s -x hip -nogpuinc " HIP_HEADERS " --offload-arch=%s %s "
			"--offload-device-only --no-gpu-bundle-output --gpu-max-threads-per-block=256 %s -DTYPE=%s -DSUFFIX=%s "
			"-o %s tests/programs/math.hip; result=$?; rm -rf %s-%u; exit $result",
			target->arch, libraries, t, toolchain_value("CLANGXX"), target->arch, target->flags, level,
			formats[t].ctype, formats[t].name, path[t], libraries, t);
		process[t] = popen(command, "w");
	}
	for (unsigned t = 0; t < TYPES; t++)
		if (!process[t] || pclose(process[t])) {
			printf("not ok - the %s functions compile for %s at %s\n", formats[t].name, target->name,
				level);
			exit(1);
		}
}

/* On true, the results of the device are in out. */
static bool run_functions(struct device *d, const char *name, uint32_t count)
{
	if (device_launch(d, name, (count + 255) / 256 * 256, 256) == LAUNCH_OK)
		return true;
	printf("# %s: %s\n", name, d->out.message);
	return false;
}

/* The number of arguments in addition to the special ones. */
struct amount {
	size_t random;
	unsigned bits;
};

/* A second launch, of the special arguments. Checks see what an uninitialized value decides, and that the results,
 * which are in memory of the host, come from none. */
static bool check_function(struct device *d, const struct function *f, struct worst *w)
{
	const uint32_t count = special_count(f->arguments);

	d->used = 32;
	push_int(d, count);
	assert_true(gpu_set_checks(d->gpu, CHECK_MEMORY | CHECK_INIT | CHECK_RACE | CHECK_BARRIER, NULL));
	const bool ran = run_functions(d, f->name, count);
	w->places = gpu_read_check_reports(d->gpu, &w->first, 1);
	gpu_set_checks(d->gpu, 0, NULL);
	return ran;
}

static size_t argument_count(const struct amount *a, const struct function *f, enum type t)
{
	return special_count(f->arguments) + sweep_count(t, f->arguments, a->bits) + a->random;
}

static bool measure(struct device *d, void *in[3], void *out, const struct function *f, enum type t,
	const struct amount *a, struct worst *w)
{
	size_t count = argument_count(a, f, t);
	uint64_t state = 1 + t;

	for (size_t k = 0; k < count; k++) {
		double v[3];
		put_argument(t, f->arguments, a->bits, k, &state, v);
		for (int n = 0; n < 3; n++)
			put(t, in[n], k, v[n]);
	}
	if (!run_functions(d, f->name, count))
		return false;
	*w = (struct worst){.error = -1, .count = count};
	for (size_t k = 0; k < count; k++) {
		double v[3] = {get(t, in[0], k), get(t, in[1], k), get(t, in[2], k)}, got = get(t, out, k);
		quad expected = f->reference(t, v[0], v[1], v[2]);
		double error = ulps(t, got, expected, f->limit[t] == 0 || f->limit[t] == 0.5);
		if (error > w->error) {
			w->error = error;
			w->got = got;
			w->expected = expected;
			memcpy(w->v, v, sizeof v);
		}
	}
	return true;
}

/* Measures every function of a type into worst[]. The error of a function that could not run is infinity. */
static bool measure_all(
	const struct target *target, const char *path, enum type t, const struct amount *a, struct worst *worst)
{
	struct device d = {.gpu = open_gpu(target->model), .next = BUFFER_VA};
	uint64_t bytes = ((SPECIALS * SPECIALS + sweep_count(t, ANY, a->bits) + a->random) * 8 + 4095) / 4096 * 4096;
	void *in[3], *out;
	char why[256];

	if (!loaded_object_open(&d.object, d.gpu, path, CODE_VA, UINT64_C(1) << 37, why, sizeof why)) {
		printf("not ok - %s\n", why);
		return false;
	}
	device_map(&d);
	for (int n = 0; n < 3; n++)
		in[n] = push_buffer(&d, bytes, 0);
	out = push_memory(&d, bytes, 0, VM_SYSTEM | UINT64_C(1) << 40);
	for (unsigned k = 0; k < FUNCTIONS; k++) {
		d.used = 32;
		push_int(&d, argument_count(a, &functions[k], t));
		worst[k].error = INFINITY;
		if (measure(&d, in, out, &functions[k], t, a, &worst[k]) &&
			!check_function(&d, &functions[k], &worst[k]))
			worst[k].error = INFINITY;
		if (a->bits && (k + 1) % 16 == 0)
			printf("# %s: %u of %u functions\n", formats[t].name, k + 1, FUNCTIONS);
		fflush(stdout);
	}
	device_close(&d);
	return true;
}

/* Measures all types at a level, each in a separate process; they share worst[]. */
static bool measure_types(
	const struct target *target, const char *level, const struct amount *a, struct worst *const worst[TYPES])
{
	char path[TYPES][SCRATCH_PATH];
	pid_t process[TYPES];
	int status, bad = 0;

	compile(target, level, path);
	fflush(stdout);
	for (unsigned k = 0; k < TYPES * FUNCTIONS; k++)
		worst[0][k] = (struct worst){.error = INFINITY};
	for (unsigned t = 0; t < TYPES; t++)
		if (!(process[t] = fork()))
			_exit(!measure_all(target, path[t], t, a, worst[t]));
	for (unsigned t = 0; t < TYPES; t++) {
		bad |= process[t] < 0 || waitpid(process[t], &status, 0) != process[t] || status;
		unlink(path[t]);
	}
	if (bad)
		printf("not ok - functions could not be measured on %s at %s\n", target->name, level);
	return !bad;
}

static void report_places(const struct function *f, const struct worst *w, enum type t)
{
	static const char *const kind_names[] = {
#define CHECK_KIND(id, check, name, text) name,
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
	};

	printf("#   %s in %s: checks find %zu mistakes, the first one at %+lld: %s\n", f->name, formats[t].name,
		w->places, (long long)w->first.at.offset, kind_names[w->first.kind]);
}

/* The permitted error of a function. */
static double error_limit(const struct function *f, enum type t)
{
	for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
		if (!strcmp(beyond[k].name, f->name) && beyond[k].type == t)
			return beyond[k].error_limit;
	return f->limit[t];
}

static void report_worst_case(const struct function *f, const struct worst *w, enum type t)
{
	char expected[64];

	quadmath_snprintf(expected, sizeof expected, "%.20Qg", w->expected);
	printf("#   %s(%.17g, %.17g, %.17g) in %s is %.17g, expected %s: %g ulp\n", f->name, w->v[0], w->v[1], w->v[2],
		formats[t].name, w->got, expected, w->error);
}

static unsigned report_function(const struct target *target, const char *level, const struct function *f,
	struct worst *const worst[TYPES], unsigned k, unsigned number)
{
	bool good = true;

	for (unsigned t = 0; t < TYPES; t++)
		good &= worst[t][k].error <= error_limit(f, t) && !worst[t][k].places;
	printf("%s %u - %-10s %s %s ", good ? "ok" : "not ok", number, f->name, target->name, level);
	for (unsigned t = 0; t < TYPES; t++)
		printf(" %s %.3f of %g", formats[t].name, worst[t][k].error, f->limit[t] < 0.5 ? 0 : f->limit[t]);
	printf(" ulp, %zu arguments\n", worst[0][k].count + worst[1][k].count + worst[2][k].count);
	for (unsigned t = 0; t < TYPES; t++)
		if (!(worst[t][k].error <= error_limit(f, t)))
			report_worst_case(f, &worst[t][k], t);
	for (unsigned t = 0; t < TYPES; t++)
		if (worst[t][k].places)
			report_places(f, &worst[t][k], t);
	return !good;
}

int main(int argc, char **argv)
{
	static char *default_levels[] = {"-O3", NULL};
	struct worst *results = mmap(
		NULL, TYPES * FUNCTIONS * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct worst *const worst[TYPES] = {results, results + FUNCTIONS, results + 2 * FUNCTIONS};
	struct amount amount = {argc > 1 ? strtoul(argv[1], NULL, 0) : 1500, argc > 2 ? strtoul(argv[2], NULL, 0) : 0};
	unsigned failed = 0, number = 0;
	size_t compared = 0;

	assert_true(results != MAP_FAILED);
	for (char **level = argc > 3 ? argv + 3 : default_levels; *level; level++)
		for (unsigned t = 0; t < TARGETS; t++) {
			if (targets[t].thorough && !amount.bits)
				continue;
			failed += !measure_types(&targets[t], *level, &amount, worst);
			for (unsigned n = 0; n < FUNCTIONS; n++) {
				failed += report_function(&targets[t], *level, &functions[n], worst, n, ++number);
				compared += worst[F32][n].count + worst[F64][n].count + worst[F16][n].count;
			}
		}
	for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
		printf("# %s in %s exceeds the limit in the library itself: %s\n", beyond[k].name,
			formats[beyond[k].type].name, beyond[k].reason);
	printf("# %u functions, targets and levels in three types, %zu results compared, %u exceed the limit\n1..%u\n",
		number, compared, failed, number);
	return failed != 0;
}
