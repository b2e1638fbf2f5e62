/* Where the lanes of one access go: onto the banks of LDS, group by group, or onto cache lines. */
#ifndef TUI_VIEWS_INSPECTOR_LANE_MAP_H
#define TUI_VIEWS_INSPECTOR_LANE_MAP_H

#include "tui/views/inspector/wave_steps.h"

enum { LDS_BANKS_MAX = 64, LANE_GROUPS_MAX = 8 };

/* Lanes that pass the banks together: 32 of a dword each, 16 of two, 8 of more. */
struct bank_group {
	int first, lanes;           /* lanes first .. first + lanes - 1 */
	uint64_t on[LDS_BANKS_MAX]; /* lanes that want the bank */
	int words[LDS_BANKS_MAX];   /* distinct dwords of it that they want: one a cycle */
	int cycles;                 /* the most of these */
	int bank;                   /* which has them */
};
/* Groups with no lane at work are left out. Returns how many there are. */
int lane_map_banks(const struct wave_access *a, int banks, struct bank_group out[LANE_GROUPS_MAX]);

/* The lanes that touch that line of 64 bytes. */
uint64_t lane_map_line(const struct wave_access *a, const struct wave_line *line);

#endif
