/* Kernels of resident.hip as jobs with results that the host computes, alone or together. */
#ifndef TESTS_SOFTGPU_CORE_RESIDENT_JOBS_H
#define TESTS_SOFTGPU_CORE_RESIDENT_JOBS_H

#include "tests/softgpu/core/device.h"

#define HIP "-O3 -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output --offload-arch="
enum { SECOND_VA = 1 << 30, ARGUMENTS = 32, LAUNCHES = 8 };
#define SCRATCH_OF_JOB (UINT64_C(1) << 29)

struct job {
	const char *kernel;
	uint32_t size, groups, trips, salt;
	uint32_t *out; /* at va */
	uint64_t va;
	const struct loaded_object *object;
	uint8_t priority;
	uint32_t engines;       /* shader engines whose first CU it may use, a bit each; 0: all CUs */
	uint32_t private_bytes; /* of a work-item */
	uint32_t scratch_waves; /* 0: all */
	struct dispatch dispatch;
	struct launch_result result;
};

static struct device d;
static struct loaded_object wave64;

static inline int open_device(const char *model, const char *flags)
{
	device_open(&d, model, "resident.hip", flags);
	device_args(&d);
	return 0;
}

static inline int open_gfx9(void **state)
{
	(void)state;
	return open_device("mi25,compute_units=4", HIP "gfx900");
}

static inline int open_gfx11(void **state)
{
	char path[SCRATCH_PATH], why[256];

	(void)state;
	open_device("rx7900xtx", HIP "gfx1100");
	build("resident.hip", HIP "gfx1100 -mwavefrontsize64", path);
	assert_true(loaded_object_open(&wave64, d.gpu, path, CODE_VA + SECOND_VA, UINT64_C(3) << 36, why, sizeof why));
	return 0;
}

static inline int close_device(void **state)
{
	(void)state;
	if (wave64.gpu)
		loaded_object_close(&wave64);
	memset(&wave64, 0, sizeof wave64);
	device_close(&d);
	return 0;
}

static inline struct job job(const char *kernel, uint32_t size, uint32_t groups, uint32_t trips, uint32_t salt)
{
	return (struct job){.kernel = kernel, .size = size, .groups = groups, .trips = trips, .salt = salt};
}

static inline uint32_t mix(uint32_t x, uint32_t trips)
{
	while (trips--)
		x = (x ^ x >> 15) * 0x2c1b3c6d + 1;
	return x;
}

static inline uint32_t wanted(const struct job *j, uint32_t group, uint32_t t)
{
	const uint32_t x = mix(group * j->size + t + j->salt, j->trips);

	return !strcmp(j->kernel, "wide") || !strcmp(j->kernel, "deep")
		? x
		: mix(group * j->size + (t + 1) % j->size + j->salt, j->trips) - x;
}

static inline void check_results(const struct job *j)
{
	if (j->result.status != LAUNCH_OK)
		fail_msg("%s: %s", j->kernel, j->result.message);
	for (uint32_t k = 0; k < j->groups * j->size; k++)
		if (j->out[k] != wanted(j, k / j->size, k % j->size))
			fail_msg("%s: work-item %u has %u", j->kernel, k, j->out[k]);
}

/* Its buffer is the same each time, so that the times are, too. */
static inline void push_out(struct job *j)
{
	const uint64_t bytes = (uint64_t)(j->groups * j->size * 4 + 4095) & ~UINT64_C(4095);

	if (j->out) {
		memset(j->out, 0, bytes);
		push(&d, &j->va, 8);
		return;
	}
	j->va = d.next;
	j->out = push_buffer(&d, bytes, 0);
}

/* Sets the arguments of the number-th job. */
static inline void prepare(struct job *j, unsigned number)
{
	const struct loaded_object own = d.object;

	d.used = number * ARGUMENTS;
	push_out(j);
	push_int(&d, j->size);
	push_int(&d, j->trips);
	push_int(&d, j->salt);
	if (j->object)
		d.object = *j->object;
	j->dispatch = device_dispatch(&d, j->kernel, (const uint32_t[3]){j->groups * j->size, 1, 1},
		(const uint16_t[3]){(uint16_t)j->size, 1, 1}, 0);
	j->dispatch.kernarg += number * ARGUMENTS;
	j->dispatch.priority = j->priority;
	j->dispatch.cus.limited = j->engines != 0;
	for (unsigned e = 0; e < CU_MASK_ENGINES; e++)
		j->dispatch.cus.engine[e] = j->engines >> e & 1;
	j->dispatch.private_bytes = j->private_bytes;
	j->dispatch.scratch_waves = j->scratch_waves;
	j->dispatch.scratch_base += number * SCRATCH_OF_JOB;
	j->dispatch.scratch_srd[0] = (uint32_t)j->dispatch.scratch_base;
	j->dispatch.scratch_srd[1] = (uint32_t)(j->dispatch.scratch_base >> 32) | 1u << 31;
	d.object = own;
}

static inline uint64_t run_alone(struct job *j)
{
	gpu_clear_caches(d.gpu);
	prepare(j, 0);
	assert_int_equal(gpu_launch(d.gpu, &j->dispatch, &j->result), LAUNCH_OK);
	check_results(j);
	return j->result.cycles;
}

static inline bool has_open_job(const struct job *j, unsigned count)
{
	for (unsigned k = 0; k < count; k++)
		if (j[k].result.status == LAUNCH_OK && !j[k].result.cycles)
			return true;
	return false;
}

/* Begins each job when the ones before have run so many cycles, and ends each when it has ended. */
static inline void run_together(struct job *j, unsigned count, uint64_t apart)
{
	gpu_clear_caches(d.gpu);
	for (unsigned k = 0; k < count; k++)
		prepare(&j[k], k);
	for (unsigned k = 0; k < count; k++) {
		assert_true(gpu_begin_launch(d.gpu, &j[k].dispatch, &j[k].result));
		gpu_run_until(d.gpu, (k + 1) * apart);
	}
	while (has_open_job(j, count)) {
		gpu_run_until(d.gpu, UINT64_MAX);
		for (unsigned k = 0; k < count; k++)
			if (!j[k].result.cycles && gpu_launch_has_ended(d.gpu, &j[k].result))
				gpu_end_launch(d.gpu, &j[k].result);
	}
}

#endif
