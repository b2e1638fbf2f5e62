#include "tui/views/inspector/lane_map.h"

#include <string.h>

/* As in the software GPU's LDS: lanes that access the same dword share it, except for atomics. */
static void count_lane_dwords(
	struct bank_group *g, uint32_t words[][WAVE_LANES], int bank, uint32_t word, int lane, bool atomic)
{
	g->on[bank] |= 1ull << lane;
	for (int k = 0; !atomic && k < g->words[bank]; k++)
		if (words[bank][k] == word)
			return;
	if (g->words[bank] < WAVE_LANES)
		words[bank][g->words[bank]++] = word;
}

static void fill_cost(struct bank_group *g, const struct wave_access *a, int banks, int dwords)
{
	uint32_t words[LDS_BANKS_MAX][WAVE_LANES];
	for (int l = g->first; l < g->first + g->lanes; l++)
		for (int k = 0; k < dwords && a->lanes >> l & 1; k++) {
			uint32_t word = (uint32_t)(a->at[l] >> 2) + (uint32_t)k;
			count_lane_dwords(g, words, (int)(word % (uint32_t)banks), word, l, !strcmp(a->op, "atomic"));
		}
	for (int b = 0; b < banks; b++)
		if (g->words[b] > g->cycles) {
			g->cycles = g->words[b];
			g->bank = b;
		}
}

int lane_map_banks(const struct wave_access *a, int banks, struct bank_group out[LANE_GROUPS_MAX])
{
	int dwords = (int)(a->bytes + 3) / 4, lanes = 32 / (dwords > 2 ? 4 : dwords < 1 ? 1 : dwords), n = 0;
	if (banks < 1 || banks > LDS_BANKS_MAX)
		return 0;
	for (int first = 0; first < WAVE_LANES; first += lanes) {
		struct bank_group g = {.first = first, .lanes = lanes};
		fill_cost(&g, a, banks, dwords);
		if (g.cycles)
			out[n++] = g;
	}
	return n;
}

uint64_t lane_map_line(const struct wave_access *a, const struct wave_line *line)
{
	uint64_t lanes = 0;
	for (uint64_t e = a->lanes; e; e &= e - 1) {
		int l = __builtin_ctzll(e);
		lanes |= (uint64_t)(a->at[l] / 64 <= line->at / 64 && (a->at[l] + a->bytes - 1) / 64 >= line->at / 64)
			<< l;
	}
	return lanes;
}
