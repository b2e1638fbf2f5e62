/* The models: their constants, that launches use the whole GPU, and instructions that only some support. */
#include "tests/assert_range.h"
#include "tests/softgpu/core/device.h"

static struct device d;

static void open_model(const char *model)
{
	device_open(&d, model, "models.s", ASSEMBLE);
}

static struct model parsed(const char *text)
{
	struct model m;
	char why[256] = "";

	if (!model_parse(&m, text, why, sizeof why))
		fail_msg("%s: %s", text, why);
	return m;
}

static void assert_rejected(const char *text, const char *part)
{
	struct model m;
	char why[256] = "";

	assert_false(model_parse(&m, text, why, sizeof why));
	if (!strstr(why, part))
		fail_msg("the message for '%s' is '%s', without '%s'", text, why, part);
}

/* --- the table --- */
/* Values of AMD's product pages. */
static void models_match_the_product_pages(void **state)
{
	static const struct board {
		const char *name, *arch;
		int64_t cus, engines, mhz, gbps, gib, l2;
		double f32, f64;
	} boards[] = {
		{"mi25", "gfx900", 64, 4, 1536, 483, 16, 4 << 20, 12.58, 0.786},
		{"mi60", "gfx906", 64, 4, 1800, 1024, 32, 4 << 20, 14.7, 7.4},
		{"mi100", "gfx908", 120, 8, 1502, 1228, 32, 8 << 20, 23.1, 11.5},
		{"mi210", "gfx90a", 104, 8, 1700, 1638, 64, 8 << 20, 22.6, 22.6},
		{"rx7900xtx", "gfx1100", 96, 6, 2498, 960, 24, 6 << 20, 30.7, 0.96}, /* f32 without dual issue */
	};

	(void)state;
	assert_null(model_at(sizeof boards / sizeof boards[0]));
	for (unsigned k = 0; k < sizeof boards / sizeof boards[0]; k++) {
		const struct board *b = &boards[k];
		struct model m = parsed(b->name);
		const struct gpu_family *f = m.gpu->target->family;
		/* Tflop/s of an fma of a cycle */
		double fmas = (double)f->wave_lanes * f->simds_per_cu * m.compute_units * m.sclk_khz * 1e3 * 2 / 1e12;
		assert_ptr_equal(m.gpu, model_at(k));
		assert_string_equal(m.name, b->name);
		assert_string_equal(m.arch, b->arch);
		assert_int_equal(m.compute_units, b->cus);
		assert_int_equal(m.shader_engines, b->engines);
		assert_int_equal(m.sclk_khz / 1000, b->mhz);
		assert_int_equal(m.dram_mbps / 1000, b->gbps);
		assert_int_equal((m.memory_bytes + (1 << 30) - 1) >> 30, b->gib);
		assert_int_equal(m.l2_bytes, b->l2);
		assert_true(fmas / m.valu_cycles > b->f32 * 0.99 && fmas / m.valu_cycles < b->f32 * 1.01);
		assert_true(
			fmas / m.valu_f64_fma_cycles > b->f64 * 0.99 && fmas / m.valu_f64_fma_cycles < b->f64 * 1.01);
	}
}

/* Nothing that a CU does reaches another cluster sooner than through the caches that clusters share. */
static void room_and_stops_take_as_long_as_a_shared_cache(void **state)
{
	(void)state;
	for (unsigned k = 0; model_at(k); k++) {
		const struct model m = parsed(model_at(k)->name);
		const int64_t way = m.gl1_bytes ? 136 : 180;
		assert_int_equal(m.gl1_bytes ? m.gl1_latency : m.scalar_l2_latency, way);
		assert_true(m.scalar_l2_latency >= way && m.icache_l2_latency >= way && m.store_latency >= way);
		assert_int_equal(m.l2_stop_cycles, way);
		assert_true(m.dispatch_free_cycles + m.wave_start_cycles == way);
	}
}

/* Every default is in its range and has a source; the bus and the clock of the memory give its bandwidth. */
static void every_default_is_in_range_and_has_a_source(void **state)
{
	struct model_constant c[128];

	(void)state;
	for (unsigned k = 0; model_at(k); k++) {
		struct model m = parsed(model_at(k)->name);
		size_t n = model_constants(&m, c, 128);
		assert_uint_in_range(n, 20, 128);
		for (size_t i = 0; i < n; i++) {
			if (c[i].value < c[i].low || c[i].value > c[i].high || !*c[i].source)
				fail_msg("%s: %s is out of range or has no source", m.name, c[i].name);
			if (c[i].borrowed) /* from the first model of the family */
				assert_string_equal(c[i].borrowed, "mi25");
			if (!strcmp(m.name, "mi25") || !strcmp(m.name, "rx7900xtx"))
				assert_null(c[i].borrowed);
		}
		const struct device_identity *id = &m.gpu->identity;
		int64_t bits_a_clock = id->memory_type == VRAM_TYPE_HBM ? 2 : 16;
		assert_int_equal(m.dram_mbps, m.mclk_khz * bits_a_clock * id->memory_bus_bits / 8 / 1000);
	}
}

/* --- softgpu/fitted_constants.def --- */
static const struct fitted {
	const char *model, *constant;
	int64_t before;
	const char *program, *why;
} fitted[] = {
#define FITTED(model, constant, program, value_before, why) {#model, #constant, value_before, program, why},
#include "softgpu/fitted_constants.def"
#undef FITTED
};
enum { FITTED_COUNT = sizeof fitted / sizeof fitted[0] };

static int count_fits(const char *model, const char *constant)
{
	int count = 0;
	for (int i = 0; i < FITTED_COUNT; i++)
		count += !strcmp(fitted[i].model, model) && !strcmp(fitted[i].constant, constant);
	return count;
}

/* Each constant with a source "fitted to ..." is in the table with a value before the fit, and no other constant is. */
static void fitted_constants_are_in_the_table(void **state)
{
	struct model_constant c[128];
	int rows = 0;

	(void)state;
	for (unsigned k = 0; model_at(k); k++) {
		struct model m = parsed(model_at(k)->name);
		size_t n = model_constants(&m, c, 128);
		for (size_t i = 0; i < n; i++) {
			bool is_fitted = !c[i].borrowed && strstr(c[i].source, "fitted to");
			int count = count_fits(m.name, c[i].name);
			if (is_fitted != (count > 0))
				fail_msg("%s: %s, '%s', is in the table %d times", m.name, c[i].name, c[i].source,
					count);
			rows += count;
		}
	}
	assert_int_equal(rows, FITTED_COUNT); /* each line names a model and one of its constants */
	for (int i = 0; i < FITTED_COUNT; i++) {
		char name[100];
		snprintf(name, sizeof name, "%s,%s=%lld", fitted[i].model, fitted[i].constant,
			(long long)fitted[i].before);
		parsed(name); /* refuses values out of range */
		assert_true(*fitted[i].program && *fitted[i].why);
	}
}

/* A family has its own constants; those that it shares with another have their own values and ranges. */
static void a_family_has_its_own_constants(void **state)
{
	struct model m = parsed("rx7900xtx,l0_bytes=65536,waves_per_simd=16");

	(void)state;
	assert_int_equal(m.l1_bytes, 65536); /* the cache of a CU */
	assert_int_equal(m.gl1_bytes, 256 << 10);
	assert_int_equal(m.l3_bytes, 96 << 20);
	assert_int_equal(m.sgprs_per_simd, 0);
	assert_int_equal(model_cus_per_processor(&m), 2);
	assert_rejected("rx7900xtx,l1_bytes=65536", "did you mean 'l0_bytes'");
	assert_rejected("rx7900xtx,sgpr_granule=16", "did you mean 'vgpr_granule'");
	assert_rejected("rx7900xtx,l0_bytes=10000", "l0_bytes / (l0_line_bytes * l0_ways), must be a power of two");
	assert_rejected("rx7900xtx,gl1_bytes=100000", "gl1_bytes / (l2_line_bytes * gl1_ways), must be a power of two");
	assert_rejected("rx7900xtx,l3_bytes=50000000", "l3_bytes / (l2_line_bytes * l2_channels * l3_ways), must be");
	assert_rejected("rx7900xtx,tlb_entries=48", "tlb_entries must be a power of two, not 48");
	assert_rejected("rx7900xtx,compute_units=90", "multiple of shader_engines * 4: 2 arrays of pairs of CUs");
	assert_rejected("mi25,gl1_bytes=65536", "'l1_bytes'");
	assert_rejected("mi25,waves_per_simd=16", "1 to 10");
}

static void unknown_names_get_a_suggestion(void **state)
{
	struct model m = parsed("mi60,l1_bytes=65536");

	(void)state;
	assert_int_equal(m.l1_bytes, 65536);
	assert_int_equal(m.compute_units, 64);
	assert_rejected("mi61", "did you mean 'mi60'? Models: mi25, mi60, mi100, mi210, rx7900xtx");
	assert_rejected("mi1000", "did you mean 'mi100'");
	assert_rejected("m25", "did you mean 'mi25'");
	assert_rejected("mi100,l2_byte=1", "'l2_bytes'");
	assert_rejected("mi100,compute_units=129", "1 to 128");
	assert_rejected("mi100,compute_units=121", "multiple of shader_engines");
	assert_rejected("mi100,compute_units=128,shader_engines=1", "at most 64");
	parsed("mi100,compute_units=128");
	parsed("mi25,compute_units=128,shader_engines=2");
	/* No value in the range of a family exceeds what the simulated machine can have. */
	for (unsigned k = 0; model_at(k); k++) {
		const struct gpu_family *f = model_at(k)->target->family;
		for (size_t i = 0; i < f->constant_count; i++)
			if (f->constants[i].id == CONSTANT_compute_units)
				assert_int_equal(f->constants[i].high, MODEL_PROCESSORS_MAX * f->cus_per_processor);
			else if (f->constants[i].id == CONSTANT_waves_per_simd)
				assert_true(f->constants[i].high >= model_at(k)->target->wave_slots);
	}
	parsed("mi100,waves_per_simd=10");
	assert_rejected("mi210,waves_per_simd=9", "1 to 8 waves, not 9");
}

/* --- the executor --- */
/* No two of these workgroups fit on a CU, so the first compute_units of them use every CU. */
static void assert_uses_whole_gpu(const char *name, uint32_t engines, uint32_t per)
{
	uint32_t groups = engines * per, seen = 0;
	bool there[16][16] = {0};

	open_model(name);
	device_args(&d);
	uint32_t *out = push_buffer(&d, 4096, 0);
	device_launch(&d, "place", groups * 1024, 1024);
	assert_int_equal(d.out.status, LAUNCH_OK);
	assert_int_equal(d.out.waves, groups * 16);
	for (uint32_t k = 0; k < groups; k++) { /* written by the last wave; all waves are on one CU */
		uint32_t cu = out[k] >> 8 & 15, engine = out[k] >> 13 & 7;
		assert_uint_in_range(engine, 0, engines - 1);
		assert_uint_in_range(cu, 0, per - 1);
		seen += !there[engine][cu];
		there[engine][cu] = true;
	}
	assert_int_equal(seen, groups < 2 * engines * per ? groups : engines * per);
	device_close(&d);
}

static void workgroups_use_the_whole_gpu(void **state)
{
	(void)state;
	assert_uses_whole_gpu("mi25", 4, 16);
	assert_uses_whole_gpu("mi60", 4, 16);
	assert_uses_whole_gpu("mi100", 8, 15);
	assert_uses_whole_gpu("mi100,compute_units=128", 8, 16);
	assert_uses_whole_gpu("mi210", 8, 13);
}

static uint32_t dot4(const char *model, enum launch_status wanted)
{
	open_model(model);
	device_args(&d);
	uint32_t *out = push_buffer(&d, 4096, 0);
	assert_int_equal(device_launch(&d, "dot4", 1, 64), wanted);
	if (wanted != LAUNCH_OK)
		assert_non_null(strstr(d.out.message, "illegal instruction: VOP3P opcode 0x28"));
	uint32_t value = out[0];
	device_close(&d);
	return value;
}

/* 5 + 4*3 + 3*2 + 2*1 + 1*(-1) */
static void only_some_models_have_dot4(void **state)
{
	(void)state;
	dot4("mi25", LAUNCH_ILLEGAL);
	assert_int_equal(dot4("mi60", LAUNCH_OK), 24);
	assert_int_equal(dot4("mi100", LAUNCH_OK), 24);
}

static void atomic(const char *model, enum launch_status wanted)
{
	float sum;

	open_model(model);
	device_args(&d);
	uint32_t *out = push_buffer(&d, 4096, 0);
	assert_int_equal(device_launch(&d, "atomic_f32", 6400, 64), wanted);
	memcpy(&sum, out, sizeof sum);
	assert_true(sum == (wanted == LAUNCH_OK ? 9600.0f : 0));
	device_close(&d);
}

static void only_mi100_has_float_atomics(void **state)
{
	(void)state;
	atomic("mi25", LAUNCH_ILLEGAL);
	atomic("mi60", LAUNCH_ILLEGAL);
	atomic("mi100", LAUNCH_OK);
}

/* --- time --- */
static double rate(const char *kernel)
{
	enum { TRIPS = 200 };

	device_args(&d);
	push_int(&d, TRIPS);
	assert_int_equal(device_launch(&d, kernel, 64, 64), LAUNCH_OK);
	return (double)d.out.cycles / (TRIPS * 64);
}

#define CLOSE(value, wanted, within)                                                                    \
	do {                                                                                            \
		double v_ = value, w_ = wanted;                                                         \
		if (v_ < w_ - (within) || v_ > w_ + (within))                                           \
			fail_msg("%s is %.2f, not %.2f within %.2f", #value, v_, w_, (double)(within)); \
	} while (0)

/* Cycles of an instruction: f64 at 1/16 of f32's rate on MI25, at 1/2 on MI60 and MI100. */
static void f64_rates_differ_by_model(void **state)
{
	static const struct {
		const char *model;
		double fma, add;
	} rows[] = {{"mi25", 64, 32}, {"mi60", 8, 8}, {"mi100", 8, 8}};

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		open_model(rows[k].model);
		CLOSE(rate("rate_fma64"), rows[k].fma,
			1.5); /* tolerance: fetch of 8-byte instructions, end of the loop */
		CLOSE(rate("rate_add64"), rows[k].add, 1.5);
		CLOSE(rate("rate_fma32"), 4, 2.5);
		device_close(&d);
	}
}

static uint64_t chase_cycles(uint64_t start, uint32_t trips)
{
	device_args(&d);
	push_int(&d, trips);
	push_int(&d, 0);
	push(&d, &start, sizeof start);
	assert_int_equal(device_launch(&d, "chase", 64, 64), LAUNCH_OK);
	return d.out.cycles;
}

/* Cycles of a step of a pointer chase through `bytes` in lines of L2, in the second lap. */
static double chase(uint64_t bytes)
{
	uint32_t step = gpu_model(d.gpu)->l2_line_bytes, lines = bytes / step, trips = lines / 64;
	uint64_t first = d.next;

	uint64_t *buffer = (uint64_t *)push_buffer(&d, bytes, 0);
	for (uint32_t k = 0; k < lines; k++)
		buffer[k * step / 8] = first + (k + 1) % lines * step;
	chase_cycles(first, trips); /* warms L2 */
	uint64_t one = chase_cycles(first, trips);
	return (double)(chase_cycles(first, 2 * trips) - one) / (trips * 64);
}

/* Published for MI100 at 1430 MHz: L1 133, L2 266, memory 542 cycles while all translations are in L1, 634 at 1.6 GB.
 */
static void mi100_latencies_match_the_published_ones(void **state)
{
	(void)state;
	open_model("mi100");
	CLOSE(chase(8 << 10), 133, 0.7);
	CLOSE(chase(1 << 20), 266, 0.7);
	CLOSE(chase(40 << 20), 542, 0.7);
	device_close(&d);
}

/* Steps become slower beyond the sizes of L1 and L2. With hashed sets, some overflow before L2 is full, and some lines
 * stay when the rest no longer fits. */
static void latency_rises_at_the_cache_sizes(void **state)
{
	static const struct {
		const char *model;
		uint64_t fits, misses;
	} rows[] = {{"mi25", 4 << 20, 8 << 20}, {"mi60", 4 << 20, 8 << 20}, {"mi100", 2 << 20, 40 << 20}};

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		struct model m = parsed(rows[k].model);
		open_model(rows[k].model);
		CLOSE(chase(16 << 10), m.l1_latency + 8, 1);
		CLOSE(chase(32 << 10), m.l2_latency + 8, 1);
		CLOSE(chase(rows[k].fits), m.l2_latency + 8, 1);
		CLOSE(chase(rows[k].misses), m.dram_latency + 8, 1);
		device_close(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_match_the_product_pages),
		cmocka_unit_test(room_and_stops_take_as_long_as_a_shared_cache),
		cmocka_unit_test(every_default_is_in_range_and_has_a_source),
		cmocka_unit_test(fitted_constants_are_in_the_table),
		cmocka_unit_test(a_family_has_its_own_constants),
		cmocka_unit_test(unknown_names_get_a_suggestion),
		cmocka_unit_test(workgroups_use_the_whole_gpu),
		cmocka_unit_test(only_some_models_have_dot4),
		cmocka_unit_test(only_mi100_has_float_atomics),
		cmocka_unit_test(f64_rates_differ_by_model),
		cmocka_unit_test(mi100_latencies_match_the_published_ones),
		cmocka_unit_test(latency_rises_at_the_cache_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
