/* Where an instruction has a value from that turned out wrong: the registers that it reads. */
#ifndef KERNELS_INSPECT_VALUE_SOURCES_H
#define KERNELS_INSPECT_VALUE_SOURCES_H

#include <stdbool.h>

#include "softgpu/isa/isa.h"

enum { VALUE_SOURCES_MAX = 12 };

struct value_source {
	int first, count; /* registers as in traces (wave_steps.h) */
	bool vector;      /* each lane has its own */
	char name[16];    /* "v2", "s[4:5]" */
};
struct value_sources {
	struct value_source list[VALUE_SOURCES_MAX];
	int count;
};

/* The registers of the address if the instruction accesses memory or LDS, else its operands, EXEC only if there is no
 * other. Of several vector registers, the first, which is the low half of an address. None if it reads no register. */
void value_sources_find(const struct isa_inst *in, struct value_sources *out);
/* Whether the instruction writes one of the registers. */
bool value_source_is_written(const struct isa_inst *in, const struct value_source *s);

#endif
