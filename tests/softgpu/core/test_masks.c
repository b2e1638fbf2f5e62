/* CU masks: which CUs a launch uses, and how long it takes on fewer of them. */
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"

static struct device d;

static void open_model(const char *model)
{
	device_open(&d, model, "masks.s", ASSEMBLE);
}

static int open_device(void **state)
{
	(void)state;
	open_model("mi25");
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static void open_again(const char *model)
{
	device_close(&d);
	open_model(model);
}

static enum launch_status launch(const char *kernel, uint32_t groups, const struct cu_mask *cus)
{
	struct dispatch p =
		device_dispatch(&d, kernel, (const uint32_t[3]){groups * 64, 1, 1}, (const uint16_t[3]){64, 1, 1}, 0);

	p.cus = *cus;
	return gpu_launch(d.gpu, &p, &d.out);
}

static const struct cu_mask all = {0}, one = {true, {[2] = 1 << 5}}, first_of_each = {true, {1, 1, 1, 1}},
			    quarter = {true, {0xf, 0xf, 0xf, 0xf}}, odd = {true, {0xaaaa, 0xaaaa, 0xaaaa, 0xaaaa}},
			    an_engine = {true, {[1] = 0xffff}}, uneven = {true, {0xffff, 1, 0, 1 << 15}},
			    most = {true, {0xffff, 0xffff, 0xffff, 0x7fff}}, none = {true, {0}};

/* --- where workgroups run --- */
/* The CUs that ran any of `groups` workgroups. */
static struct cu_mask taken(const struct cu_mask *cus, uint32_t groups, unsigned engine_bits)
{
	struct cu_mask seen = {true, {0}};

	device_args(&d);
	const uint32_t *id = push_buffer(&d, (groups * 4 + 4095) / 4096 * 4096, ~0u);
	assert_int_equal(launch("place", groups, cus), LAUNCH_OK);
	for (uint32_t k = 0; k < groups; k++)
		seen.engine[id[k] >> 13 & engine_bits] |= UINT64_C(1) << (id[k] >> 8 & 15);
	return seen;
}

static void takes_just_those(const struct cu_mask *cus, unsigned engine_bits)
{
	struct cu_mask seen = taken(cus, 600, engine_bits);

	assert_memory_equal(seen.engine, cus->engine, sizeof seen.engine);
}

static void workgroups_run_only_on_cus_of_the_mask(void **state)
{
	const struct cu_mask *each[] = {&one, &first_of_each, &quarter, &odd, &an_engine, &uneven, &most};

	(void)state;
	for (size_t k = 0; k < sizeof each / sizeof *each; k++)
		takes_just_those(each[k], 3);
	takes_just_those(&(struct cu_mask){true, {0xffff, 0xffff, 0xffff, 0xffff}}, 3);
	struct cu_mask unmasked = taken(&all, 600, 3);
	assert_memory_equal(unmasked.engine, ((struct cu_mask){true, {0xffff, 0xffff, 0xffff, 0xffff}}).engine,
		sizeof unmasked.engine);
}

static void fewer_workgroups_than_cus(void **state)
{
	(void)state;
	struct cu_mask seen = taken(&quarter, 5, 3);
	for (unsigned e = 0; e < 4; e++)
		assert_int_equal(seen.engine[e], e ? 1 : 3); /* engines take turns, and so do the CUs within */
}

static void masks_work_on_other_models(void **state)
{
	(void)state;
	open_again("mi25,timing=0");
	takes_just_those(&uneven, 3);
	open_again("mi25,shader_engines=8");
	takes_just_those(&(struct cu_mask){true, {1, 0, 3, 0, 0x80, 0, 0, 0xff}}, 7);
	open_again("mi25");
}

/* --- time --- */
static uint64_t cycles(uint32_t groups, const struct cu_mask *cus)
{
	assert_int_equal(launch("work", groups, cus), LAUNCH_OK);
	return d.out.cycles;
}

/* Cycles of `rounds` additional rounds that fill the GPU. */
static double rounds(const struct cu_mask *cus)
{
	enum { FULL = 64 * 4 };

	cycles(8 * FULL, cus);
	uint64_t few = cycles(4 * FULL, cus);
	return (double)(cycles(8 * FULL, cus) - few);
}

/* The time of arithmetic is inversely proportional to the number of CUs. */
static void fewer_cus_take_longer(void **state)
{
	(void)state;
	double whole = rounds(&all);
	within(rounds(&(struct cu_mask){true, {0xffff, 0xffff, 0xffff, 0xffff}}) / whole, 1, 1);
	within(rounds(&odd) / whole, 1.98, 2.02);
	within(rounds(&quarter) / whole, 3.96, 4.04);
	within(rounds(&an_engine) / whole, 3.96, 4.04);
	within(rounds(&first_of_each) / whole, 15.8, 16.2);
	within(rounds(&one) / whole, 63.3, 64.7);
}

/* The simulator skips the repeating part of a launch (steady_state.h), but not of a profiled one. */
static void masked_launches_use_the_steady_state(void **state)
{
	enum { MANY = 40000 };
	const struct cu_mask *each[] = {&quarter, &uneven, &one};

	(void)state;
	for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
		uint64_t cut = cycles(MANY, each[k]);
		gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES);
		assert_int_equal(cycles(MANY, each[k]), cut);
		gpu_set_profiling(d.gpu, 0);
		assert_int_equal(d.out.waves, MANY);
	}
}

static void a_mask_does_not_affect_the_next_launch(void **state)
{
	(void)state;
	cycles(512, &all);
	uint64_t before = cycles(512, &all);
	cycles(512, &one);
	assert_int_equal(cycles(512, &all), before);
}

static void an_empty_mask_is_rejected(void **state)
{
	(void)state;
	assert_int_equal(launch("work", 1, &none), LAUNCH_BAD_PACKET);
	assert_non_null(strstr(d.out.message, "disables all CUs"));
	/* the device has four engines of sixteen */
	assert_int_equal(launch("work", 1, &(struct cu_mask){true, {1 << 16, 0, 0, 0, 1}}), LAUNCH_BAD_PACKET);
	assert_int_equal(launch("work", 1, &all), LAUNCH_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workgroups_run_only_on_cus_of_the_mask),
		cmocka_unit_test(fewer_workgroups_than_cus),
		cmocka_unit_test(masks_work_on_other_models),
		cmocka_unit_test(fewer_cus_take_longer),
		cmocka_unit_test(masked_launches_use_the_steady_state),
		cmocka_unit_test(a_mask_does_not_affect_the_next_launch),
		cmocka_unit_test(an_empty_mask_is_rejected),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
