/* The lines of 64 bytes that an access requests, in the order of their requests. */
#ifndef SOFTGPU_CORE_MEMORY_ACCESS_LINES_H
#define SOFTGPU_CORE_MEMORY_ACCESS_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "softgpu/core/state/machine_limits.h"

/* The most of them: 64 lanes, of up to four dwords apart, each of which may touch two. */
enum { ACCESS_LINES_MAX = MAX_LANES * 4 * 2, ACCESS_TABLE = 256, ACCESS_TABLE_LINES = 192 };

struct access_lines {
	uint64_t line[ACCESS_LINES_MAX];
	uint16_t cycle[ACCESS_LINES_MAX]; /* of its request, since the first */
	unsigned count;
	unsigned cycles;             /* that the address stage needs for all of them */
	uint64_t last, most;         /* the line that was looked up last; the highest one */
	uint8_t table[ACCESS_TABLE]; /* numbers + 1 of the first ACCESS_TABLE_LINES of them, by hash */
	uint8_t same[MAX_LANES * 2]; /* atomics: the most lanes on one dword of the line */
};

static inline void access_lines_clear(struct access_lines *s)
{
	s->count = s->cycles = 0;
	s->last = UINT64_MAX;
	s->most = 0;
	memset(s->table, 0, sizeof s->table);
}

static inline unsigned access_lines_slot(uint64_t line)
{
	return line * 0x9e3779b1u >> 7 & (ACCESS_TABLE - 1);
}

static inline bool access_lines_have(const struct access_lines *s, uint64_t line)
{
	if (!s->count || line > s->most)
		return false;
	for (unsigned h = access_lines_slot(line); s->table[h]; h = (h + 1) & (ACCESS_TABLE - 1))
		if (s->line[s->table[h] - 1] == line)
			return true;
	for (unsigned k = ACCESS_TABLE_LINES; k < s->count; k++)
		if (s->line[k] == line)
			return true;
	return false;
}

static inline void access_lines_append(struct access_lines *s, uint64_t line, unsigned cycle)
{
	if (s->count < ACCESS_TABLE_LINES) {
		unsigned h = access_lines_slot(line);
		while (s->table[h])
			h = (h + 1) & (ACCESS_TABLE - 1);
		s->table[h] = s->count + 1;
	}
	if (line > s->most)
		s->most = line;
	s->line[s->count] = line;
	s->cycle[s->count++] = cycle;
}

/* Appends the line if it is not among them, each a cycle after the one before. */
static inline void access_lines_add(struct access_lines *s, uint64_t line)
{
	if (line == s->last)
		return;
	s->last = line;
	if (!access_lines_have(s, line)) {
		access_lines_append(s, line, s->count);
		s->cycles = s->count;
	}
}

#endif
