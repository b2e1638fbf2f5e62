#include "experiments/analysis/roofline/import/counter_formulas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WAVE_LANES = 64, MFMA_OPERATIONS = 512, REQUEST_BYTES = 64, HALF_REQUEST_BYTES = 32, LEAST_BYTES = 1024 };
#define COUNT_SLACK 1.01 /* passes of one program differ by little */

const char *roofline_counter_name(const char *name)
{
	return !strcmp(name, "FetchSize") ? "FETCH_SIZE" : !strcmp(name, "WriteSize") ? "WRITE_SIZE" : name;
}

#define ROUNDED 0.02 /* of a request: three decimals of a KB */
bool roofline_check_size(const char *name, double value)
{
	double requests = value * 1024 / HALF_REQUEST_BYTES;
	bool size = !strcmp(name, "FETCH_SIZE") || !strcmp(name, "WRITE_SIZE");
	return !size || fabs(requests - round(requests)) < ROUNDED;
}

bool roofline_uses_counter(const char *name)
{
	name = roofline_counter_name(name);
	static const char *const amd[] = {"FETCH_SIZE", "WRITE_SIZE", "TCC_EA_RDREQ_sum", "TCC_EA_RDREQ_32B_sum",
		"TCC_EA_WRREQ_sum", "TCC_EA_WRREQ_64B_sum", "SQ_INSTS_SALU", NULL};
	static const char *const nvidia[] = {"dram__bytes.sum", "dram__bytes.sum.per_second",
		"dram__bytes.sum.peak_sustained", "dram__cycles_elapsed.avg.per_second", "gpu__time_duration.sum",
		"sm__cycles_elapsed.avg", "dram__bytes_read.sum", "dram__bytes_write.sum", "dram__bytes_op_read.sum",
		"dram__bytes_op_write.sum", "sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second",
		"sm__inst_executed.sum", "sm__inst_executed.sum.peak_sustained", NULL};
	const char *op = strstr(name, "__sass_thread_inst_executed_op_");
	return name_list_index(name, amd) >= 0 || name_list_index(name, nvidia) >= 0 ||
		!strncmp(name, "SQ_INSTS_VALU", strlen("SQ_INSTS_VALU")) ||
		(op && strstr(op, "_pred_on.sum") && !strstr(name, "derived"));
}

/* Which of the kinds has most operations, for the roof. */
static void sum_flops(struct roofline_point *out, const double flops[FLOAT_KIND_COUNT])
{
	out->operations[ROOFLINE_FLOPS] = 0;
	out->kind = VECTOR_F32;
	for (int k = 0; k < FLOAT_KIND_COUNT; k++) {
		out->operations[ROOFLINE_FLOPS] += flops[k];
		out->kind = flops[k] > flops[out->kind] ? (enum float_kind)k : out->kind;
	}
}

static bool refuse_missing(const struct profiled_kernel *k, const char *counter, const char *fix, struct err *e)
{
	return err_set(e, ST_REQUEST, "the file has no %s for kernel %.80s; %s", counter, k->name, fix);
}

/* --- AMD --- */
static bool count_amd_bytes(const struct profiled_kernel *k, double *bytes, struct err *e)
{
	static const char *const names[] = {
		"TCC_EA_RDREQ_sum", "TCC_EA_RDREQ_32B_sum", "TCC_EA_WRREQ_sum", "TCC_EA_WRREQ_64B_sum"};
	struct reading fetched = profiled_counter_mean(k, "FETCH_SIZE"),
		       written = profiled_counter_mean(k, "WRITE_SIZE"), r[4];
	*bytes = (fetched.value + written.value) * 1024;
	if (fetched.valid && written.valid)
		return true;
	for (int i = 0; i < 4; i++)
		r[i] = profiled_counter_mean(k, names[i]);
	if (!r[0].valid || !r[1].valid || !r[2].valid || !r[3].valid)
		return refuse_missing(
			k, fetched.valid ? "WRITE_SIZE" : "FETCH_SIZE", "profile with FETCH_SIZE and WRITE_SIZE", e);
	*bytes = REQUEST_BYTES * (r[0].value - r[1].value) + HALF_REQUEST_BYTES * r[1].value +
		REQUEST_BYTES * r[3].value + HALF_REQUEST_BYTES * (r[2].value - r[3].value);
	return true;
}

struct vector_work {
	double flops[FLOAT_KIND_COUNT], instructions;
	int types; /* with counters */
};

/* Adds a type's operations of the vector ALUs. Either all four of its counters are there, or none. */
static bool count_amd_type(const struct profiled_kernel *k, const char *type, enum float_kind kind,
	struct vector_work *work, struct err *e)
{
	static const struct {
		const char *name;
		int operations;
	} parts[] = {{"ADD", 1}, {"MUL", 1}, {"TRANS", 1}, {"FMA", 2}};
	char name[64], missing[64] = "";
	int found = 0;
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "SQ_INSTS_VALU_%s_%s", parts[i].name, type);
		struct reading r = profiled_counter_mean(k, name);
		found += r.valid;
		work->instructions += r.valid ? r.value : 0;
		work->flops[kind] += r.valid ? WAVE_LANES * parts[i].operations * r.value : 0;
		if (!r.valid)
			memcpy(missing, name, sizeof missing);
	}
	work->types += found == 4;
	return !found || found == 4 ||
		refuse_missing(k, missing, "FLOPs need SQ_INSTS_VALU_ADD, _MUL, _TRANS and _FMA of a type", e);
}

static double count_mfma(const struct profiled_kernel *k, const char *type)
{
	char name[64];
	snprintf(name, sizeof name, "SQ_INSTS_VALU_MFMA_MOPS_%s", type);
	return MFMA_OPERATIONS * profiled_counter_mean(k, name).value;
}

static bool check_work(const struct profiled_kernel *k, const struct roofline_point *p, struct err *e)
{
	if (p->seconds <= 0)
		return err_set(e, ST_REQUEST, "kernel %.80s has no time; profile with times of the launches", k->name);
	if (p->bytes < 0)
		return err_set(e, ST_REQUEST, "kernel %.80s has fewer requests than those of one size; profile again",
			k->name);
	return true;
}

/* SQ_INSTS_VALU counts the instructions of all types. What counts one of the four SIMDs of a CU has a quarter. */
static bool check_vector_instructions(
	const struct profiled_kernel *k, struct reading valu, double of_types, struct err *e)
{
	return !valu.valid || of_types <= COUNT_SLACK * valu.value ||
		err_set(e, ST_REQUEST,
			"kernel %.80s has %.0f SQ_INSTS_VALU, but %.0f additions, multiplications and FMAs; do these count threads, or that one of four SIMDs?",
			k->name, valu.value, of_types);
}

static bool count_amd_vectors(const struct profiled_kernel *k, struct vector_work *work, struct err *e)
{
	return count_amd_type(k, "F16", VECTOR_F16, work, e) && count_amd_type(k, "F32", VECTOR_F32, work, e) &&
		count_amd_type(k, "F64", VECTOR_F64, work, e);
}

enum { AMD_TYPES = 3 };

/* The operations of a kernel without FLOPs are its instructions, unless the counters of all types say that there are
 * none. */
static bool count_amd_instructions(
	const struct profiled_kernel *k, const struct vector_work *work, struct roofline_point *out, struct err *e)
{
	struct reading valu = profiled_counter_mean(k, "SQ_INSTS_VALU"),
		       salu = profiled_counter_mean(k, "SQ_INSTS_SALU");
	out->operations[ROOFLINE_INSTRUCTIONS] = valu.value + salu.value;
	if (out->operations[ROOFLINE_FLOPS] <= 0 && !(valu.valid && salu.valid) && work->types < AMD_TYPES)
		return refuse_missing(k, valu.valid ? "SQ_INSTS_SALU" : "SQ_INSTS_VALU",
			"profile with SQ_INSTS_VALU and SQ_INSTS_SALU, or on MI200 and later SQ_INSTS_VALU_FMA_F32 and so on",
			e);
	return check_vector_instructions(k, valu, work->instructions, e);
}

bool roofline_count_amd(const struct profiled_kernel *k, struct roofline_point *out, struct err *e)
{
	struct vector_work work = {0};
	*out = (struct roofline_point){.seconds = k->seconds};
	if (!count_amd_bytes(k, &out->bytes, e) || !count_amd_vectors(k, &work, e))
		return false;
	work.flops[MATRIX_F16] = count_mfma(k, "F16");
	work.flops[MATRIX_BF16] = count_mfma(k, "BF16");
	work.flops[MATRIX_F32] = count_mfma(k, "F32");
	work.flops[MATRIX_F64] = count_mfma(k, "F64");
	sum_flops(out, work.flops);
	if (!count_amd_instructions(k, &work, out, e) || !check_work(k, out, e))
		return false;
	out->bytes = fmax(LEAST_BYTES, out->bytes); /* the counters count in KB */
	return true;
}

/* --- NVIDIA --- */
/* Per launch; ncu's roofline set has only instructions per cycle. */
static struct reading count_thread_instructions(const struct profiled_kernel *k, char type, const char *op)
{
	char name[100];
	struct reading clock = profiled_counter_mean(k, "smsp__cycles_elapsed.avg.per_second");
	snprintf(name, sizeof name, "sm__sass_thread_inst_executed_op_%c%s_pred_on.sum", type, op);
	struct reading r = profiled_counter_mean(k, name);
	if (r.valid)
		return r;
	snprintf(name, sizeof name, "smsp__sass_thread_inst_executed_op_%c%s_pred_on.sum.per_cycle_elapsed", type, op);
	r = profiled_counter_mean(k, name);
	return (struct reading){r.valid && clock.valid, r.value * clock.value * k->seconds};
}

static double peak_of(const struct profiled_kernel *k, char type)
{
	char name[100];
	snprintf(name, sizeof name, "sm__sass_thread_inst_executed_op_%cfma_pred_on.sum.peak_sustained", type);
	struct reading clock = profiled_counter_mean(k, "sm__cycles_elapsed.avg.per_second");
	if (!clock.valid)
		clock = profiled_counter_mean(k, "smsp__cycles_elapsed.avg.per_second");
	return profiled_counter_mean(k, name).value * clock.value;
}

static const struct {
	char letter;
	enum float_kind kind;
	int lanes; /* halves of an instruction */
} types[] = {{'f', VECTOR_F32, 1}, {'d', VECTOR_F64, 1}, {'h', VECTOR_F16, 2}};
enum { TYPES = sizeof types / sizeof *types };

static bool count_nvidia_flops(const struct profiled_kernel *k, struct roofline_point *out)
{
	double flops[FLOAT_KIND_COUNT] = {0};
	bool known = false;
	for (int i = 0; i < TYPES; i++) {
		struct reading add = count_thread_instructions(k, types[i].letter, "add"),
			       mul = count_thread_instructions(k, types[i].letter, "mul"),
			       fma = count_thread_instructions(k, types[i].letter, "fma");
		known |= add.valid && mul.valid && fma.valid;
		flops[types[i].kind] = types[i].lanes * (add.value + mul.value + 2 * fma.value);
		out->roofs[types[i].kind] = 2 * types[i].lanes * peak_of(k, types[i].letter);
	}
	sum_flops(out, flops);
	return known;
}

static void read_nvidia_limits(const struct profiled_kernel *k, struct roofline_point *out)
{
	double clock = profiled_counter_mean(k, "sm__cycles_elapsed.avg.per_second").value;
	out->peak[ROOFLINE_FLOPS] = out->roofs[out->kind];
	out->peak[ROOFLINE_INSTRUCTIONS] =
		profiled_counter_mean(k, "sm__inst_executed.sum.peak_sustained").value * clock;
	out->bandwidth = profiled_counter_mean(k, "dram__bytes.sum.peak_sustained").value *
		profiled_counter_mean(k, "dram__cycles_elapsed.avg.per_second").value;
}

/* From a total, a rate, or reads and writes, which have other names on newer GPUs. */
static struct reading count_nvidia_bytes(const struct profiled_kernel *k)
{
	static const char *const parts[][2] = {{"dram__bytes_read.sum", "dram__bytes_write.sum"},
		{"dram__bytes_op_read.sum", "dram__bytes_op_write.sum"}};
	struct reading bytes = profiled_counter_mean(k, "dram__bytes.sum"),
		       rate = profiled_counter_mean(k, "dram__bytes.sum.per_second");
	if (!bytes.valid && rate.valid)
		bytes = (struct reading){true, rate.value * k->seconds};
	for (int i = 0; i < 2 && !bytes.valid; i++) {
		struct reading in = profiled_counter_mean(k, parts[i][0]), out = profiled_counter_mean(k, parts[i][1]);
		bytes = (struct reading){in.valid && out.valid, in.value + out.value};
	}
	return bytes;
}

bool roofline_count_nvidia(const struct profiled_kernel *k, struct roofline_point *out, struct err *e)
{
	struct reading bytes = count_nvidia_bytes(k);
	const char *fix =
		"profile with `ncu --set roofline --page raw`, or with the metrics that `wavedeck help roofline` lists";
	*out = (struct roofline_point){.seconds = k->seconds};
	if (!bytes.valid)
		return refuse_missing(k, "dram__bytes.sum", fix, e);
	if (!count_nvidia_flops(k, out))
		return refuse_missing(k, "sm__sass_thread_inst_executed_op_ffma_pred_on.sum", fix, e);
	out->bytes = fmax(LEAST_BYTES, bytes.value);
	out->operations[ROOFLINE_INSTRUCTIONS] = profiled_counter_mean(k, "sm__inst_executed.sum").value;
	read_nvidia_limits(k, out);
	if (out->bandwidth <= 0 || out->peak[ROOFLINE_FLOPS] <= 0)
		return refuse_missing(k, "dram__bytes.sum.peak_sustained, or no peak of its FLOPs", fix, e);
	return check_work(k, out, e);
}
