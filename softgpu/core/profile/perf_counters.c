#include "softgpu/core/profile/perf_counters.h"

#include <string.h>

#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/isa/semantics_mfma.h"

/* Instruction counts by rocprofiler category. */
struct insts {
	uint64_t all, valu_cycles, valu, salu, smem, vmem_read, vmem_write, flat, lds, branch, code, code_miss;
	uint64_t mfma, mfma_cycles, mfma_operations[MFMA_ELEMENTS]; /* operations: by the type of the factors */
};

static bool is_memory_write(const struct uop *i)
{
	const char *name = isa_mnemonic(&i->d);

	return strstr(name, "store") || (strstr(name, "atomic") && !(i->d.flags & FLAG_GLC));
}

static void count_products(const struct uop *i, struct insts *n)
{
	const struct mfma_shape *s = isa_mfma_shape(i->d.op);

	n->mfma += i->hits;
	n->mfma_cycles += i->hits * i->matrix_cycles;
	n->mfma_operations[s->elements] += i->hits * mfma_operations(s);
}

static void count_instruction(const struct uop *i, void *data)
{
	struct insts *n = data;

	n->all += i->hits;
	n->code += i->is_fetch_entry ? i->hits : 0;
	switch (i->unit) {
	case UNIT_VALU:
		n->valu += i->hits;
		n->valu_cycles += i->hits * i->cost;
		if (i->matrix_cycles)
			count_products(i, n);
		break;
	case UNIT_SALU: n->salu += i->hits; break;
	case UNIT_BRANCH: n->branch += i->hits; break;
	case UNIT_SMEM: n->smem += i->hits; break;
	case UNIT_LDS: n->lds += i->hits; break;
	case UNIT_FLAT: n->flat += i->hits; /* fall through */
	case UNIT_VMEM: *(is_memory_write(i) ? &n->vmem_write : &n->vmem_read) += i->hits; break;
	}
}

struct work_totals counters_sum_work(const struct machine *m)
{
	struct insts n = {0};

	for (uint32_t k = 0; k < m->threads; k++)
		decode_cache_visit(m->view[k], count_instruction, &n);
	return (struct work_totals){n.all, n.valu_cycles};
}

/* The cycle breakdown as counters, for profiled launches. */
static const struct gpu_counter stall_counters[] = {
#define STALL_REASON(id, stack, label, letter, family, help, phrase) {"CYCLES_" #id, "cycles", help, 0},
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
};

static size_t fill_counters(
	const struct launch_sums *s, const struct insts *n, uint64_t cycles, struct gpu_counter *out, size_t max)
{
	const struct gpu_counter all[] = {
		{"SQ_WAVES", "waves", "waves started", s->waves},
		{"SQ_INSTS_VALU", "instructions", "vector ALU instructions issued", n->valu},
		{"SQ_INSTS_SALU", "instructions", "scalar ALU instructions issued, without branches", n->salu},
		{"SQ_INSTS_BRANCH", "instructions", "branches issued", n->branch},
		{"SQ_INSTS_SMEM", "instructions", "scalar memory instructions issued", n->smem},
		{"SQ_INSTS_VMEM_RD", "instructions", "vector memory reads issued, including FLAT and returning atomics",
			n->vmem_read},
		{"SQ_INSTS_VMEM_WR", "instructions", "vector memory writes issued, including FLAT and other atomics",
			n->vmem_write},
		{"SQ_INSTS_FLAT", "instructions", "FLAT instructions issued", n->flat},
		{"SQ_INSTS_LDS", "instructions", "LDS instructions issued", n->lds},
		{"SQ_ACTIVE_INST_VALU", "quad-cycles", "busy time of the vector ALUs, summed over SIMDs",
			n->valu_cycles / 4},
		{"SQ_INSTS_MFMA", "instructions", "matrix instructions issued, which are vector ALU instructions, too",
			n->mfma},
		{"SQ_VALU_MFMA_BUSY_CYCLES", "cycles", "busy time of the matrix cores, summed over SIMDs",
			n->mfma_cycles},
#define MOPS(name, operations)                                                                                   \
	{"SQ_INSTS_VALU_MFMA_MOPS_" name, "512 operations", "multiplications and additions of the matrix cores", \
		(operations) / 512}
		MOPS("I8", n->mfma_operations[MFMA_i8]),
		MOPS("F16", n->mfma_operations[MFMA_f16]),
		MOPS("BF16", n->mfma_operations[MFMA_bf16] + n->mfma_operations[MFMA_bf16_1k]),
		MOPS("F32", n->mfma_operations[MFMA_f32]),
		MOPS("F64", n->mfma_operations[MFMA_f64]),
#undef MOPS
		{"SQ_LDS_BANK_CONFLICT", "cycles", "cycles LDS spent on bank conflicts", s->lds_conflict},
		{"TCP_HIT_sum", "lines", "64-byte line reads that hit L1", s->l1_hit},
		{"TCP_MISS_sum", "lines", "64-byte line reads that missed L1", s->l1_miss},
		{"TCC_HIT_sum", "lines", "L2 requests of 64 bytes that hit", s->l2_hit},
		{"TCC_MISS_sum", "lines", "L2 requests of 64 bytes that missed", s->l2_miss},
		{"TCC_WRITE_sum", "lines", "L2 requests that were stores, of a line or parts of it", s->l2_store},
		{"TCC_ATOMIC_sum", "lines", "L2 requests that were atomics", s->atomics},
		{"SQC_ICACHE_REQ", "requests", "instruction cache lookups: a wave entered another line of code",
			n->code},
		{"SQC_ICACHE_HITS", "requests", "instruction cache hits, including lines in flight",
			n->code - n->code_miss},
		{"SQC_ICACHE_MISSES", "requests", "instruction cache misses", n->code_miss},
		{"SQC_DCACHE_HITS", "lines", "scalar reads that hit the scalar cache", s->scalar_hit},
		{"SQC_DCACHE_MISSES", "lines", "scalar reads that missed the scalar cache", s->scalar_miss},
		{"FETCH_SIZE", "KB", "memory reads by L2", (s->dram_read + s->system) * 64 / 1024},
		{"WRITE_SIZE", "KB", "memory writes by L2, including those of lines still in it at the end",
			s->l2_written * 64 / 1024},
		{"GRBM_GUI_ACTIVE", "cycles", "from the packet to the last acknowledged store", cycles},
	};
	size_t have = sizeof all / sizeof all[0];
	memcpy(out, all, (max < have ? max : have) * sizeof *out);
	return have;
}

size_t counters_read(const struct machine *m, struct gpu_counter *out, size_t max)
{
	struct insts n = {0};
	struct softgpu_cycles breakdown[STALL_REASON_COUNT];

	decode_cache_visit(m, count_instruction, &n);
	for (uint32_t k = 0; k < m->sqcs; k++)
		n.code_miss += m->sqc[k].code_misses;
	size_t have = fill_counters(
		       &m->thread.sums, &n, m->last_launch ? m->last_launch->end - m->last_launch->begin : 0, out, max),
	       more = profiler_read_breakdown(m, breakdown, STALL_REASON_COUNT);
	for (size_t k = 0; k < more && have + k < max; k++) {
		out[have + k] = stall_counters[k];
		out[have + k].value = breakdown[k].cycles;
	}
	return have + more;
}

size_t counters_list(struct gpu_counter *out, size_t max)
{
	size_t have = fill_counters(&(struct launch_sums){0}, &(struct insts){0}, 0, out, max);

	for (size_t k = 0; k < STALL_REASON_COUNT && have + k < max; k++)
		out[have + k] = stall_counters[k];
	return have + STALL_REASON_COUNT;
}
