/* Small programs that test rows: each computes v1, which the kernel stores for each lane. */
#ifndef TESTS_SOFTGPU_CORE_ROW_PROGRAMS_H
#define TESTS_SOFTGPU_CORE_ROW_PROGRAMS_H

#include "softgpu/isa/isa.h"
#include "tests/softgpu/core/device.h"
#include "tests/scratch.h"

/* The expected v1 is `expected` + `step` * lane, in the lanes that `text` leaves active. */
struct program {
	unsigned op;
	const char *text;
	uint32_t expected, step;
};

/* Assembles the code object that `write` writes, and loads it. */
static inline void open_programs_on(struct device *d, struct gpu *gpu, const char *flags, void (*write)(FILE *f))
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	scratch_path(path, "programs.s");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	write(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s %s -o %s %s", toolchain_value("CLANG"), flags, co, path);
	assert_int_equal(system(command), 0);
	d->gpu = gpu;
	bool loaded = loaded_object_open(&d->object, d->gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	device_map(d);
	device_args(d);
}

static inline void open_programs_device(struct device *d, const char *model, const char *flags, void (*write)(FILE *f))
{
	open_programs_on(d, open_gpu(model), flags, write);
}

/* Runs the kernels program0, program1, ... in a wave each. */
static inline void run_programs(
	struct device *d, const uint32_t *buffer, const struct program *programs, unsigned count, unsigned lanes)
{
	char kernel[32];

	for (unsigned k = 0; k < count; k++) {
		const char *name = isa_info(programs[k].op)->name;
		snprintf(kernel, sizeof kernel, "program%u", k);
		if (device_launch(d, kernel, lanes, lanes) != LAUNCH_OK)
			fail_msg("%s: %s", name, d->out.message);
		for (unsigned l = 0; l < lanes; l++)
			if (buffer[l] != programs[k].expected + programs[k].step * l)
				fail_msg("%s, program %u, lane %u: %x, expected %x", name, k, l, buffer[l],
					programs[k].expected + programs[k].step * l);
	}
	printf("# %u programs\n", count);
}

static inline bool has_program(const struct program *programs, unsigned count, unsigned op)
{
	for (unsigned k = 0; k < count; k++)
		if (programs[k].op == op)
			return true;
	return false;
}

#endif
