/* Maps the lanes of one access to LDS banks, group by group, or to cache lines. */
#ifndef TUI_VIEWS_INSPECTOR_LANE_MAP_H
#define TUI_VIEWS_INSPECTOR_LANE_MAP_H

#include "tui/views/inspector/wave_steps.h"

enum { LDS_BANKS_MAX = 64, LANE_GROUPS_MAX = 8 };

/* Lanes that access the banks in the same cycles: 32 lanes of 1 dword, 16 of 2, 8 of more. */
struct bank_group {
	int first, lanes;           /* lanes first .. first + lanes - 1 */
	uint64_t on[LDS_BANKS_MAX]; /* lanes that access the bank */
	int words[LDS_BANKS_MAX];   /* distinct dwords among them, one per cycle */
	int cycles;                 /* the largest of these */
	int bank;                   /* the bank with the most dwords */
};
/* Groups without an active lane are left out. Returns the number of groups. */
int lane_map_banks(const struct wave_access *a, int banks, struct bank_group out[LANE_GROUPS_MAX]);

/* The lanes that access that line of 64 bytes. */
uint64_t lane_map_line(const struct wave_access *a, const struct wave_line *line);

#endif
