/* Runs kernels compiled at several optimization levels, on every target that has a model. The environment variable
 * TESTS_LEVELS lists the levels, for example "-O0 -O1 -O3". */
#ifndef TESTS_PROGRAMS_LEVELS_H
#define TESTS_PROGRAMS_LEVELS_H

#include "tests/softgpu/core/device.h"
#include "tests/scratch.h"

static const struct target {
	const char *model, *arch, *flags;
	unsigned lanes;
} targets[] = {
	{"mi25", "gfx900", "", 64},
	{"mi60", "gfx906", "", 64},
	{"mi100", "gfx908", "", 64},
	{"mi210", "gfx90a", "", 64},
	/* HIP's header rejects this wave size, which HIP programs cannot have, unless the target is said to be gfx8. */
	{"rx7900xtx", "gfx1100", "-mwavefrontsize64 -D__GFX8__=1", 64},
	{"rx7900xtx", "gfx1100", "", 32},
};
enum { MAX_LEVELS = 12 };

struct level {
	char name[32], arch[8], option[8];
	unsigned lanes;
	struct device device;
};

/* The combinations of target and level of this test. */
static struct level level[MAX_LEVELS];
static unsigned levels;

static inline bool has_model(const char *name)
{
	struct model m;
	char why[256];

	return model_parse(&m, name, why, sizeof why);
}

/* Compiles tests/programs/`source` in parallel: at every level for the first target, at -O3 for the others. */
static inline void levels_open(const char *source, const char *flags)
{
	char text[64], path[MAX_LEVELS][SCRATCH_PATH], name[16], libraries[SCRATCH_PATH], why[256], *rest = text;
	const char *set = getenv("TESTS_LEVELS"), *model[MAX_LEVELS];
	FILE *process[MAX_LEVELS];
	unsigned n = 0;

	snprintf(text, sizeof text, "%s -O3", lowest_level());
	if (set)
		snprintf(text, sizeof text, "%s", set);
	for (unsigned t = 0; t < sizeof targets / sizeof *targets; t++)
		for (const char *o = t ? "-O3" : strtok_r(rest, " ", &rest); o && n < MAX_LEVELS;
			o = t ? NULL : strtok_r(rest, " ", &rest)) {
			char command[1536];
			if (!has_model(targets[t].model))
				continue;
			model[n] = targets[t].model;
			snprintf(level[n].name, sizeof level->name, "%s %s, %u lanes", targets[t].arch, o,
				targets[t].lanes);
			level[n].lanes = targets[t].lanes;
			snprintf(level[n].arch, sizeof level->arch, "%s", targets[t].arch);
			snprintf(level[n].option, sizeof level->option, "%s", o);
			snprintf(name, sizeof name, "level%u.co", n);
			scratch_path(path[n], name);
			snprintf(name, sizeof name, "bitcode%u", n);
			scratch_path(libraries, name);
			snprintf(command, sizeof command,
				"BITCODE=$(bash tests/programs/device_libraries.bash %s %s) && " IN_SCRATCH
				"%s -x hip --offload-arch=%s --offload-device-only --no-gpu-bundle-output "
				"--gpu-max-threads-per-block=256 -ffp-contract=off %s %s %s -o %s tests/programs/%s; "
				"result=$?; rm -rf %s; exit $result",
				targets[t].arch, libraries, toolchain_value("CLANGXX"), targets[t].arch, o,
				targets[t].flags, flags, path[n], source, libraries);
			process[n++] = popen(command, "w");
		}
	for (unsigned k = 0; k < n; k++) {
		struct device *d = &level[k].device;
		assert_true(process[k] && pclose(process[k]) == 0);
		d->gpu = open_gpu(model[k]);
		if (!loaded_object_open(&d->object, d->gpu, path[k], CODE_VA, UINT64_C(1) << 37, why, sizeof why))
			fail_msg("%s", why);
		unlink(path[k]);
		device_map(d);
	}
	levels = n;
}

static inline int levels_close(void **state)
{
	(void)state;
	while (levels)
		device_close(&level[--levels].device);
	return 0;
}

/* The lanes among which a lane can permute. On gfx11 "in wave64 mode the permute operates only across 32 lanes at a
 * time on each half" (RDNA3 ISA 12.5.2), and LLVM passes permutes on as they are.
 */
static inline unsigned permuted_lanes(const struct level *l)
{
	return strcmp(l->arch, "gfx1100") ? l->lanes : 32;
}

/* Launches a kernel. Fails the test with the device's message if the launch fails. */
static inline void launch_or_fail(struct level *l, const char *kernel, uint32_t grid, uint32_t block)
{
	if (device_launch(&l->device, kernel, grid, block) != LAUNCH_OK)
		fail_msg("%s: %s: %s", l->name, kernel, l->device.out.message);
}

static uint64_t random_state = 42;

static inline uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Launches gx * gy workgroups of bx * by items with 2 KiB of dynamic LDS. */
static inline void launch_2d(struct level *l, const char *kernel, uint32_t gx, uint32_t gy, uint32_t bx, uint32_t by)
{
	const uint32_t grid[3] = {gx * bx, gy * by, 1};
	const uint16_t block[3] = {bx, by, 1};

	if (device_launch_3d(&l->device, kernel, grid, block, 2048) != LAUNCH_OK)
		fail_msg("%s: %s: %s", l->name, kernel, l->device.out.message);
}

/* Compares n elements of `bytes` bytes each. */
static inline void check_equal(
	const struct level *l, const char *kernel, const void *got, const void *expected, size_t n, size_t bytes)
{
	for (size_t k = 0; k < n; k++)
		if (memcmp((const char *)got + k * bytes, (const char *)expected + k * bytes, bytes)) {
			uint64_t g = 0, w = 0;
			memcpy(&g, (const char *)got + k * bytes, bytes);
			memcpy(&w, (const char *)expected + k * bytes, bytes);
			fail_msg("%s: %s: element %zu is %#llx, expected %#llx", l->name, kernel, k,
				(unsigned long long)g, (unsigned long long)w);
		}
}

static inline uint64_t pages_of(uint64_t bytes)
{
	return (bytes + 4095) / 4096 * 4096;
}

/* Pushes a buffer of n random numbers of `bits` bits as the next argument. */
static inline int *random_ints(struct device *d, size_t n, unsigned bits)
{
	int *p = (int *)push_buffer(d, pages_of(n * 4), 0);

	for (size_t k = 0; k < n; k++)
		p[k] = (int)(random_bits(&random_state) >> (64 - bits));
	return p;
}

#endif
