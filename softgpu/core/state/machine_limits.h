/* Sizes that are fixed at compile time. What a model can change is in model_config.h. */
#ifndef SOFTGPU_CORE_STATE_MACHINE_LIMITS_H
#define SOFTGPU_CORE_STATE_MACHINE_LIMITS_H

#include "softgpu/core/model_config.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/isa/isa.h"

enum {
	MAX_LANES = 64, /* of a wave; files of softgpu/core/ops have LANES, those of the waves they execute */
	SIMDS = 4,      /* of a CU */
	MAX_WAVES_PER_SIMD = 16,
	CUS_OF_WGP = 2,
	LAUNCHES_MAX = 8,  /* that are resident at the same time */
	EXECUTORS_MAX = 8, /* so that a new one changes no layout */
	MAX_CUS = MODEL_PROCESSORS_MAX,
	MAX_ENGINES = CU_MASK_ENGINES,
	MAX_VGPRS = 256, /* of a wave */
	MAX_CHANNELS = 64,
	MAX_BANKS = 64, /* of LDS, and of a memory channel */
	MAX_GROUP_WAVES = 32,
	SGPR_FILE_SIZE = 144, /* operand numbers 0 to 127, plus room for the widest load */
	SGPR_DISCARD = 128,   /* what an instruction writes to ISA_NULL goes here */
	GDS_BYTES = 65536,    /* Vega ISA 2.4 */
	VM_WINDOWS = 8,
	WAITCNT_RING = 64,  /* of outstanding accesses of a counter; a power of 2 */
	WAITCNT_MAX = 63,   /* the most that a counter holds */
	LONG_VALU_RUN = 12, /* from this many vector instructions in line, check whether they issue back to back */
	/* Rings of a wave's deferred accesses (run_ahead.h); powers of 2 */
	DEFERRED_LDS_MAX = 64,
	DEFERRED_LOADS_MAX = 16,
	DEFERRED_LINES_MAX = 64,
	DEFERRED_BRANCHES_MAX = 64,
	RESULT_SLOTS = 16, /* results that instructions in line wait for */
	/* Bits of 64-bit words (scheduler.h) */
	SCHED_RING_CYCLES = 64,
	SCHED_SLOTS_PER_SIMD = 16,
};
#define UNIT_FETCH UNIT_COUNT /* the unit of machine.fetch */

#endif
