#include "softgpu/core/ideal_parts.h"

#include <stdio.h>
#include <string.h>

static const char *const names[IDEAL_COUNT] = {
#define IDEAL_PART(name, ...) #name,
#include "softgpu/ideal_parts.def"
#undef IDEAL_PART
};

#define ALL_PARTS ((UINT32_C(1) << IDEAL_COUNT) - 1)

/* The part with this name of so many characters; IDEAL_COUNT: none. */
static unsigned find_part(const char *name, size_t length)
{
	unsigned k = 0;

	while (k < IDEAL_COUNT && (strlen(names[k]) != length || strncmp(names[k], name, length)))
		k++;
	return k;
}

static void explain_unknown_part(const char *name, size_t length, char *why, size_t size)
{
	int n = snprintf(
		why, size, "unknown ideal part '%.*s'; valid: all, or, separated by dots: ", (int)length, name);

	for (unsigned k = 0; k < IDEAL_COUNT && n > 0 && (size_t)n < size; k++)
		n += snprintf(why + n, size - (size_t)n, "%s%s", k ? ", " : "", names[k]);
}

bool ideal_parts_parse(const char *text, uint32_t *out, char *why, size_t size)
{
	*out = ALL_PARTS;
	if (!strcmp(text, "all"))
		return true;
	*out = 0;
	for (;; text++) {
		const size_t length = strcspn(text, ".");
		const unsigned part = find_part(text, length);
		if (part == IDEAL_COUNT) {
			explain_unknown_part(text, length, why, size);
			return false;
		}
		*out |= UINT32_C(1) << part;
		text += length;
		if (!*text)
			return true;
	}
}

size_t ideal_parts_format(uint32_t parts, char *out, size_t size)
{
	const char *before = ",ideal=";
	size_t n = 0;

	if (parts == ALL_PARTS)
		return (size_t)snprintf(out, size, ",ideal=all");
	for (unsigned k = 0; k < IDEAL_COUNT; k++)
		if (parts >> k & 1) {
			n += (size_t)snprintf(
				n < size ? out + n : NULL, n < size ? size - n : 0, "%s%s", before, names[k]);
			before = ".";
		}
	return n;
}

void model_idealize(struct model *m)
{
	if (model_is_ideal(m, IDEAL_branches))
		m->branch_taken_cycles = m->branch_cycles;
	if (model_is_ideal(m, IDEAL_fetch))
		m->fetch_stall_cycles = 0;
	if (model_is_ideal(m, IDEAL_barriers))
		m->barrier_cycles = 0;
	if (model_is_ideal(m, IDEAL_dram)) {
		m->dram_mbps = 100000000; /* a line takes less than a cycle */
		m->dram_row_ns = m->dram_turn_ns = m->dram_refresh_ns = 0;
		m->tlb_walk_reads = 0;
	}
	if (model_is_ideal(m, IDEAL_dispatch)) {
		m->dispatch_cycles = 1;
		m->dispatch_wave_cycles = m->wave_start_cycles = m->launch_cycles = 0;
	}
}
