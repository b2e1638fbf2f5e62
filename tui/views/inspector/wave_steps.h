/* The recorded steps of one wave: the registers before the first step and what each step changed. The registers at
 * any step follow from these, forward and back. */
#ifndef TUI_VIEWS_INSPECTOR_WAVE_STEPS_H
#define TUI_VIEWS_INSPECTOR_WAVE_STEPS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	WAVE_LANES = 64,
	WAVE_SGPRS = 128,
	WAVE_VGPRS_MAX = 256,
	REG_VCC = 106,
	REG_M0 = 124,
	REG_EXEC = 126,
	REG_SCC = 253,
	REG_VGPR0 = 256,
	LINES_MAX = 64 * 8,
	WATCHED_DWORDS = 64
};

struct register_change {
	int reg;
	uint64_t lanes;
	uint32_t *value; /* of these lanes; owned by the steps */
};
struct wave_line {
	uint64_t at;
	int channel, l1, l2;
}; /* 1: hit, 0: miss, -1: not accessed */
struct wave_access {
	char kind[8], op[8]; /* "vector", "lds", "scalar"; "load", "store", "atomic" */
	uint32_t bytes;      /* per lane */
	uint64_t lanes, at[WAVE_LANES];
	struct wave_line *line; /* owned by the steps */
	int lines;
	int cycles, conflict; /* LDS bank cycles */
	uint64_t begin, end;
	struct {
		char cause[20];
		uint64_t until;
	} way[8];
	int ways;
};
struct wave_step {
	uint64_t cycle;
	int64_t offset;
	int change, changes, access, accesses;
};

/* The watched dwords before loaded step `step`, and before the next ones up to the next record. */
struct watched_memory {
	int step, dwords; /* dwords: those that can be read */
	uint32_t value[WATCHED_DWORDS];
};

struct wave_registers {
	uint32_t s[WAVE_SGPRS], v[WAVE_VGPRS_MAX][WAVE_LANES], scc;
};

struct wave_steps {
	bool loaded; /* false: the wave or step was never reached */
	int wave, cu, simd, slot, vgprs;
	uint64_t first;         /* number of the first step */
	bool ended;             /* the wave's last step is loaded */
	struct wave_step *step; /* owned, and so are the others */
	struct register_change *change;
	struct wave_access *access;
	struct watched_memory *memory;
	int steps, changes, accesses, memories;
	struct wave_registers *start;
};

/* `trace`: "trace" of a record's "inside". */
void wave_steps_read(struct wave_steps *t, const json_t *trace);
void wave_steps_free(struct wave_steps *t);

/* The registers before loaded step k (0..steps). */
void wave_steps_registers(const struct wave_steps *t, int k, struct wave_registers *out);
/* The lanes of register `reg` that step k changed; 0: none. */
uint64_t wave_steps_changed_lanes(const struct wave_steps *t, int k, int reg);
/* The first step from k on that accesses memory or LDS, or that is at that address; -1: none. */
int wave_steps_next_access(const struct wave_steps *t, int k);
int wave_steps_next_at(const struct wave_steps *t, int k, int64_t offset);
const struct wave_access *wave_steps_access(const struct wave_steps *t, int k, int which); /* of step k; NULL: none */
/* The watched dwords before loaded step k, and those before the step before, which may be the same; NULL: none. */
const struct watched_memory *wave_steps_memory(const struct wave_steps *t, int k, const struct watched_memory **before);

#endif
