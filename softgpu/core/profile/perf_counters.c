#include "softgpu/core/profile/perf_counters.h"

#include <string.h>

#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/profile/profiler.h"

/* Instructions by what rocprofiler calls them. */
struct insts {
	uint64_t all, valu_cycles, valu, salu, smem, vmem_read, vmem_write, flat, lds, branch, code, code_miss;
};

static bool is_store(const struct uop *i)
{
	const char *name = isa_info(i->d.op)->name;

	return strstr(name, "store") || (strstr(name, "atomic") && !(i->d.flags & FLAG_GLC));
}

static void count(const struct uop *i, void *data)
{
	struct insts *n = data;

	n->all += i->hits;
	n->code += i->is_fetch_entry ? i->hits : 0;
	switch (i->unit) {
	case UNIT_VALU:
		n->valu += i->hits;
		n->valu_cycles += i->hits * i->cost;
		break;
	case UNIT_SALU: n->salu += i->hits; break;
	case UNIT_BRANCH: n->branch += i->hits; break;
	case UNIT_SMEM: n->smem += i->hits; break;
	case UNIT_LDS: n->lds += i->hits; break;
	case UNIT_FLAT: n->flat += i->hits; /* fall through */
	case UNIT_VMEM: *(is_store(i) ? &n->vmem_write : &n->vmem_read) += i->hits; break;
	}
}

struct work_totals counters_sum_work(const struct machine *m)
{
	struct insts n = {0};

	decode_cache_visit(m, count, &n);
	return (struct work_totals){n.all, n.valu_cycles};
}

/* The account's causes as counters; values only of a launch that was looked at. */
static const struct gpu_counter causes[] = {
#define STALL_REASON(id, stack, label, letter, family, help, phrase) {"CYCLES_" #id, "cycles", help, 0},
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
};

static size_t fill(
	const struct launch_sums *s, const struct insts *n, uint64_t cycles, struct gpu_counter *out, size_t max)
{
	const struct gpu_counter all[] = {
		{"SQ_WAVES", "waves", "waves started", s->waves},
		{"SQ_INSTS_VALU", "instructions", "vector ALU instructions issued", n->valu},
		{"SQ_INSTS_SALU", "instructions", "scalar ALU instructions issued, branches not counted", n->salu},
		{"SQ_INSTS_BRANCH", "instructions", "branches issued", n->branch},
		{"SQ_INSTS_SMEM", "instructions", "scalar memory instructions issued", n->smem},
		{"SQ_INSTS_VMEM_RD", "instructions",
			"vector memory reads issued, FLAT and returning atomics among them", n->vmem_read},
		{"SQ_INSTS_VMEM_WR", "instructions", "vector memory writes issued, FLAT and other atomics among them",
			n->vmem_write},
		{"SQ_INSTS_FLAT", "instructions", "FLAT instructions issued", n->flat},
		{"SQ_INSTS_LDS", "instructions", "LDS instructions issued", n->lds},
		{"SQ_ACTIVE_INST_VALU", "quad-cycles", "vector ALUs at work, summed over SIMDs", n->valu_cycles / 4},
		{"SQ_LDS_BANK_CONFLICT", "cycles", "cycles LDS spent on bank conflicts", s->lds_conflict},
		{"TCP_HIT_sum", "lines", "64-byte lines read that L1 held", s->l1_hit},
		{"TCP_MISS_sum", "lines", "64-byte lines read that L1 did not hold", s->l1_miss},
		{"TCC_HIT_sum", "lines", "L2 requests of 64 bytes that hit", s->l2_hit},
		{"TCC_MISS_sum", "lines", "L2 requests of 64 bytes that missed", s->l2_miss},
		{"TCC_ATOMIC_sum", "lines", "L2 requests that were atomics", s->atomics},
		{"SQC_ICACHE_REQ", "requests", "waves that came to another line of code", n->code},
		{"SQC_ICACHE_HITS", "requests", "of them those whose line was in the instruction cache, or on its way",
			n->code - n->code_miss},
		{"SQC_ICACHE_MISSES", "requests", "of them those whose line was not", n->code_miss},
		{"SQC_DCACHE_HITS", "lines", "scalar reads that the scalar cache held", s->scalar_hit},
		{"SQC_DCACHE_MISSES", "lines", "scalar reads that the scalar cache did not hold", s->scalar_miss},
		{"FETCH_SIZE", "KB", "read from memory by L2", (s->dram_read + s->system) * 64 / 1024},
		{"WRITE_SIZE", "KB", "written towards memory: lines stored to L2, or changed there by atomics",
			(s->l2_write + s->atomics) * 64 / 1024},
		{"GRBM_GUI_ACTIVE", "cycles", "from the packet to the last store", cycles},
	};
	size_t have = sizeof all / sizeof all[0];
	memcpy(out, all, (max < have ? max : have) * sizeof *out);
	return have;
}

size_t counters_read(const struct machine *m, struct gpu_counter *out, size_t max)
{
	struct insts n = {0};
	struct softgpu_cycles account[STALL_REASON_COUNT];

	decode_cache_visit(m, count, &n);
	for (uint32_t k = 0; k < m->sqcs; k++)
		n.code_miss += m->sqc[k].code_misses;
	size_t have = fill(&m->sums, &n, m->launch.end, out, max),
	       more = profiler_read_breakdown(m, account, STALL_REASON_COUNT);
	for (size_t k = 0; k < more && have + k < max; k++) {
		out[have + k] = causes[k];
		out[have + k].value = account[k].cycles;
	}
	return have + more;
}

size_t counters_list(struct gpu_counter *out, size_t max)
{
	size_t have = fill(&(struct launch_sums){0}, &(struct insts){0}, 0, out, max);

	for (size_t k = 0; k < STALL_REASON_COUNT && have + k < max; k++)
		out[have + k] = causes[k];
	return have + STALL_REASON_COUNT;
}
