#include "experiments/analysis/code_advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "experiments/analysis/dual_issue.h"
#include "gpu/protocol/point_record.h"
#include "softgpu/isa/semantics_mfma.h"

/* What must be seen before a cause is named, in per cent of the waves' cycles. */
enum {
	CONFLICT_LEAST = 3,
	QUEUE_LEAST = 5,
	MEMORY_LEAST = 30,
	CHAIN_LEAST = 40,
	BARRIER_LEAST = 10,
	COMPUTE_LEAST = 60,
	MATRIX_LEAST = 40,
	RESULTS_LEAST = 10,
	PASS_CYCLES = 4,
	FETCH_LEAST = 10,
	WAVES_ENOUGH = 8, /* of 10 slots of a SIMD */
	BANKS_LEAST = 3,
	ALONE_LEAST = 20, /* of the operations that have a dual form */
	ALONE_MANY = 8,
	LANES = 64,
	LINE_BYTES = 64
};

struct advice_input {
	const struct code_model *m;
	const struct code_profile *p; /* NULL: not measured */
};
typedef bool advice_check(const struct advice_input *in, struct code_advice *out);

/* --- sums over instructions --- */
static long long stall_cycles_of(const struct issue_counts *line, const char *const *reasons)
{
	long long sum = 0;
	for (; *reasons; reasons++)
		sum += json_integer_value(json_object_get(line->causes, *reasons));
	return sum;
}

/* Sets share and line from the stall cycles of these reasons; returns the share. */
static double share_of_reasons(const struct advice_input *in, const char *const *reasons, struct code_advice *out)
{
	long long all = 0, most = 0;
	for (size_t i = 0; in->p && i < in->m->count; i++) {
		long long one = stall_cycles_of(&in->p->lines[i], reasons);
		all += one;
		if (one > most) {
			most = one;
			out->line = i;
		}
	}
	out->share = in->p && in->p->all ? 100.0 * (double)all / (double)in->p->all : 0;
	return out->share;
}

/* "; most at s_waitcnt vmcnt(0): 151.5 cycles each" */
static void append_worst_line(const struct advice_input *in, const char *const *reasons, struct code_advice *out)
{
	size_t n = strlen(out->seen);
	if (out->line >= in->m->count || !in->p->lines[out->line].count)
		return;
	const struct issue_counts *c = &in->p->lines[out->line];
	snprintf(out->seen + n, sizeof out->seen - n, "; most at %s: %.1f cycles each", in->m->lines[out->line].text,
		(double)stall_cycles_of(c, reasons) / (double)c->count);
}

static void set_seen(struct code_advice *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void set_seen(struct code_advice *out, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(out->seen, sizeof out->seen, fmt, ap);
	va_end(ap);
}

static bool check_stalls(const struct advice_input *in, const char *const *reasons, double least, const char *what,
	struct code_advice *out)
{
	if (share_of_reasons(in, reasons, out) < least)
		return false;
	set_seen(out, "%.0f %% of the cycles %s", out->share, what);
	append_worst_line(in, reasons, out);
	return true;
}

static bool text_begins(const struct code_model *m, size_t line, const char *begin)
{
	return !strncmp(m->lines[line].text, begin, strlen(begin));
}

/* --- causes --- */
static bool check_bank_conflicts(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"LDS_CONFLICT", NULL};
	return check_stalls(in, reasons, CONFLICT_LEAST, "go to bank conflicts", out);
}

static bool check_register_banks(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"VGPR_BANK", NULL};
	if (!code_has_dual_issue(in->m))
		return false;
	if (in->p)
		return check_stalls(in, reasons, BANKS_LEAST, "read several registers of one bank", out);
	struct dual_issue d = code_count_dual_issue(in->m);
	if (!d.conflicts)
		return false;
	out->line = d.first_conflict;
	set_seen(out, "%u instruction%s of the %s, %u cycle%s more", d.conflicts, plural_s(d.conflicts),
		code_has_loop(in->m) ? "hot loop" : "kernel", d.cycles, plural_s(d.cycles));
	return true;
}

static bool check_single_issue(const struct advice_input *in, struct code_advice *out)
{
	if (!code_has_dual_issue(in->m))
		return false;
	struct dual_issue d = code_count_dual_issue(in->m);
	unsigned all = 2 * d.pairs + d.alone;
	if (d.alone < ALONE_MANY || 100 * d.alone < ALONE_LEAST * all)
		return false;
	out->line = d.first_alone;
	set_seen(out,
		"%u of %u operations of the %s that have a dual form are issued alone; %u pair%s of neighbors could be one "
		"instruction, the others need other registers or another order",
		d.alone, all, code_has_loop(in->m) ? "hot loop" : "kernel", d.could, plural_s(d.could));
	return true;
}

const char *const code_advice_counters[] = {"TCP_HIT_sum", "TCP_MISS_sum", "SQ_INSTS_VMEM_RD", "SQ_INSTS_FLAT", NULL};

/* Cache lines of an average load; 0: not counted. */
static double lines_per_load(const struct advice_input *in)
{
	const json_t *counters = in->p ? point_get_counters(in->p->record) : NULL;
	double n[4];
	for (int i = 0; i < 4; i++)
		n[i] = json_number_value(json_object_get(counters, code_advice_counters[i]));
	return n[2] + n[3] > 0 ? (n[0] + n[1]) / (n[2] + n[3]) : 0;
}

/* Bytes that the widest load reads for each lane. */
static int widest_load(const struct code_model *m)
{
	static const struct {
		const char *text;
		int bytes;
	} widths[] = {{"_dwordx4", 16}, {"_b128", 16}, {"_dwordx3", 12}, {"_b96", 12}, {"_dwordx2", 8}, {"_b64", 8}};
	int widest = 4;
	for (size_t i = 0; i < m->count; i++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
			if ((text_begins(m, i, "global_load") || text_begins(m, i, "flat_load") ||
				    text_begins(m, i, "buffer_load")) &&
				strstr(m->lines[i].text, widths[w].text) && widths[w].bytes > widest)
				widest = widths[w].bytes;
	return widest;
}

static int fewest_lines(const struct code_model *m)
{
	return widest_load(m) * LANES / LINE_BYTES;
}

static bool is_uncoalesced(const struct advice_input *in)
{
	return lines_per_load(in) >= 1.5 * fewest_lines(in->m);
}

static bool check_uncoalesced(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"L1_QUEUE", "L1", "CHANNEL_QUEUE", NULL};
	if (!is_uncoalesced(in) || share_of_reasons(in, reasons, out) < QUEUE_LEAST)
		return false;
	set_seen(out,
		"a load touches %.1f cache lines on average, where 64 lanes of %d bytes need %d; %.0f %% of the cycles wait behind other lines",
		lines_per_load(in), widest_load(in->m), fewest_lines(in->m), out->share);
	return true;
}

/* Where loads touch too many lines, the waits for L1 belong to that cause. */
static bool check_memory(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"FILL", "L2", "DRAM", "DRAM_QUEUE", "SYSTEM", "L1_QUEUE", "L1",
		"CHANNEL_QUEUE", NULL},
				 *const behind[] = {"FILL", "L2", "DRAM", "DRAM_QUEUE", "SYSTEM", NULL};
	bool scattered = is_uncoalesced(in);
	return check_stalls(in, scattered ? behind : reasons, MEMORY_LEAST,
		scattered ? "wait for L2 or memory" : "wait for L1, L2 or memory", out);
}

/* --- matrix cores --- */
static bool is_product(const struct code_model *m, size_t line)
{
	return isa_mfma_shape(m->lines[line].inst.op)->side;
}

/* Cycles in which a wave issues the product or waits for it; during all of them the matrix core is busy. */
static long long cycles_at_product(const struct issue_counts *line)
{
	static const char *const reasons[] = {"MATRIX", "DEPENDENCY", NULL};
	return line->issue + stall_cycles_of(line, reasons);
}

static long long cycles_of_products(const struct issue_counts *line, const struct mfma_shape *s)
{
	return line->count * PASS_CYCLES * mfma_passes(s);
}

/* Waves overlap, so that the share of their own cycles is what a matrix core is busy for at least. */
static bool check_matrix_core(const struct advice_input *in, struct code_advice *out)
{
	long long at = 0, of = 0, most = -1;
	for (size_t i = 0; in->p && i < in->m->count; i++) {
		const struct issue_counts *c = &in->p->lines[i];
		if (!is_product(in->m, i))
			continue;
		at += cycles_at_product(c);
		of += cycles_of_products(c, isa_mfma_shape(in->m->lines[i].inst.op));
		if (cycles_at_product(c) > most) {
			most = cycles_at_product(c);
			out->line = i;
		}
	}
	const double cycles = in->p && in->p->all ? (double)in->p->all : 1, waits = 100 * (double)at / cycles,
		     busy = 100 * (double)of / cycles;
	out->share = waits > busy ? waits : busy;
	if (waits < MATRIX_LEAST && busy < COMPUTE_LEAST)
		return false;
	set_seen(out,
		"the matrix core reaches at least %.0f %% of its peak; %.0f %% of the cycles issue products or wait for it",
		out->share, waits);
	return true;
}

/* Compilers put s_nop before an instruction that reads a result; without it, the wave waits. */
static bool check_product_results(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"DEPENDENCY", NULL};
	long long all = 0, most = 0;
	bool multiplies = false;
	for (size_t i = 0; in->p && i < in->m->count; i++) {
		const struct issue_counts *c = &in->p->lines[i];
		multiplies |= is_product(in->m, i);
		long long one = is_product(in->m, i)     ? 0
			: text_begins(in->m, i, "s_nop") ? issue_counts_cycles(c)
							 : stall_cycles_of(c, reasons);
		all += one;
		if (one > most) {
			most = one;
			out->line = i;
		}
	}
	out->share = multiplies && in->p->all ? 100.0 * (double)all / (double)in->p->all : 0;
	if (out->share < RESULTS_LEAST)
		return false;
	set_seen(out, "%.0f %% of the cycles wait for results of products; most at %s", out->share,
		in->m->lines[out->line].text);
	return true;
}

static bool check_barrier(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"BARRIER", NULL};
	return check_stalls(in, reasons, BARRIER_LEAST, "wait at barriers", out);
}

static bool check_fetch(const struct advice_input *in, struct code_advice *out)
{
	static const char *const reasons[] = {"BRANCH", "FETCH", "ICACHE", NULL};
	return check_stalls(in, reasons, FETCH_LEAST, "go to taken branches and fetching", out);
}

static bool check_occupancy(const struct advice_input *in, struct code_advice *out)
{
	const struct kernel_info *k = &in->m->info;
	char limits[160];
	if (!code_knows_resources(in->m) || k->waves_per_simd >= WAVES_ENOUGH)
		return false;
	set_seen(out, "%u wave%s per SIMD, limited by %s; %u VGPRs, %u SGPRs, LDS %u B; %s", k->waves_per_simd,
		plural_s(k->waves_per_simd), k->limited_by, k->vgprs, k->sgprs, k->lds_bytes,
		code_text_limits(in->m, limits, sizeof limits));
	return true;
}

static bool check_scratch(const struct advice_input *in, struct code_advice *out)
{
	if (!in->m->info.scratch_bytes)
		return false;
	set_seen(out, "%u B of scratch per thread: registers that do not fit are kept in memory",
		in->m->info.scratch_bytes);
	return true;
}

/* A wave waits for the chain's loads at s_waitcnt, which is not itself on the chain. Products have a cause of their
 * own: the matrix core is busy for as long as a result takes. */
static bool check_chain(const struct advice_input *in, struct code_advice *out)
{
	const struct code_model *m = in->m;
	static const char *const conflicts[] = {"LDS_CONFLICT", NULL}; /* a cause of its own */
	long long chain = 0;
	if (!m->chain.length)
		return false;
	for (size_t i = m->loop_start; in->p && i < m->loop_end; i++)
		if (!is_product(m, i) && (m->on_chain[i] || text_begins(m, i, "s_waitcnt")))
			chain += issue_counts_cycles(&in->p->lines[i]) - stall_cycles_of(&in->p->lines[i], conflicts);
	out->share = in->p && in->p->all ? 100.0 * (double)chain / (double)in->p->all : 0;
	if (in->p && out->share < CHAIN_LEAST)
		return false;
	set_seen(out, "%zu instruction%s, at least %u cycles per trip", m->chain.length, plural_s(m->chain.length),
		m->chain.cycles);
	size_t n = strlen(out->seen);
	if (in->p)
		snprintf(out->seen + n, sizeof out->seen - n, "; with the waits %.0f %% of the cycles", out->share);
	return true;
}

static bool check_divergence(const struct advice_input *in, struct code_advice *out)
{
	const struct code_model *m = in->m;
	size_t first = code_has_loop(m) ? m->loop_start : 0, end = code_has_loop(m) ? m->loop_end : m->count;
	int branches = 0;
	for (size_t i = first; i < end; i++)
		if (strstr(m->lines[i].text, "saveexec")) {
			out->line = branches++ ? out->line : i;
		}
	if (!branches)
		return false;
	set_seen(out, "%d branch%s on lanes in the %s, where both sides may be executed one after the other", branches,
		branches == 1 ? "" : "es", code_has_loop(m) ? "hot loop" : "kernel");
	return true;
}

static bool check_compute(const struct advice_input *in, struct code_advice *out)
{
	long long issue = 0, most = 0;
	for (size_t i = 0; in->p && i < in->m->count; i++) {
		const struct issue_counts *c = &in->p->lines[i];
		bool vector = text_begins(in->m, i, "v_");
		issue += vector ? c->issue + json_integer_value(json_object_get(c->causes, "UNIT")) : 0;
		if (vector && c->issue > most) {
			most = c->issue;
			out->line = i;
		}
	}
	out->share = in->p && in->p->all ? 100.0 * (double)issue / (double)in->p->all : 0;
	if (out->share < COMPUTE_LEAST)
		return false;
	const struct issue_counts *c = &in->p->lines[out->line];
	set_seen(out,
		"%.0f %% of the cycles issue vector arithmetic or wait for the vector unit; most at %s: %.1f cycles each",
		out->share, in->m->lines[out->line].text, (double)c->issue / (double)c->count);
	return true;
}

/* --- all of them --- */
static const struct {
	advice_check *check;
	int part;
	const char *cause, *look, *suggestion;
} causes[] = {
#define NO_PART                                      (-1)
#define ADVICE(check, part, cause, look, suggestion) {check, part, cause, look, suggestion},
#include "experiments/analysis/code_advice.def"
#undef ADVICE
};
_Static_assert(sizeof causes / sizeof *causes <= CODE_ADVICE_MAX, "CODE_ADVICE_MAX is too small");

static int compare_shares(const void *a, const void *b)
{
	const struct code_advice *x = a, *y = b;
	return x->share < y->share ? 1 : x->share > y->share ? -1 : strcmp(x->cause, y->cause);
}

int code_advise(const struct code_model *m, const struct code_profile *p, struct code_advice out[CODE_ADVICE_MAX])
{
	const struct advice_input in = {m, p};
	int n = 0;
	for (size_t i = 0; m->lines && i < sizeof causes / sizeof *causes; i++) {
		out[n] = (struct code_advice){.part = causes[i].part,
			.cause = causes[i].cause,
			.look = causes[i].look,
			.suggestion = causes[i].suggestion,
			.line = m->count};
		n += causes[i].check(&in, &out[n]);
	}
	qsort(out, (size_t)n, sizeof *out, compare_shares);
	return n;
}

char *code_advice_format_title(const struct code_advice *c, char *out, size_t size)
{
	if (c->share > 0)
		snprintf(out, size, "%s, %.0f %% of the cycles", c->cause, c->share);
	else
		snprintf(out, size, "%s", c->cause);
	return out;
}

const char code_advice_none[] =
	"none of the usual causes stands out: no conflicts, scratch, long waits or low occupancy";
