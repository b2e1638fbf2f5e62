/* Memory that the steps page shows. Its address is a sum in the notation of the disassembly: registers (s[4:5], v2),
 * numbers (16, 0x40) and names of buffers, after "lds" for a byte of the workgroup's LDS. Buffers have other addresses
 * in each launch, so an address in a buffer is kept as that buffer and an offset. */
#ifndef TUI_VIEWS_INSPECTOR_MEMORY_WATCH_H
#define TUI_VIEWS_INSPECTOR_MEMORY_WATCH_H

#include "base/err.h"
#include "tui/views/inspector/wave_steps.h"

enum { WATCH_BUFFERS_MAX = 16, WATCH_NAME_MAX = 40 };
struct launch_buffers { /* of the launch whose registers are known */
	struct {
		char name[WATCH_NAME_MAX];
		uint64_t at, bytes;
	} list[WATCH_BUFFERS_MAX];
	int count;
};
/* Reads "buffers" of a record's "inside". */
void launch_buffers_read(struct launch_buffers *b, const json_t *list);

struct memory_watch {
	bool on, lds;
	char buffer[WATCH_NAME_MAX]; /* ""; or `at` is an offset in it */
	uint64_t at;                 /* the address */
	char text[80];               /* as typed */
};

/* Computes the address with a lane's registers. False with an error. */
bool memory_watch_read(const char *text, const struct wave_registers *r, int lane, const struct launch_buffers *b,
	struct memory_watch *out, struct err *e);
/* The request for a job's trace (docs/protocol.md); the caller owns it. */
json_t *memory_watch_request(const struct memory_watch *w);
/* "out + 0x40", "LDS byte 0x40", "address 0x7f..". Returns out. */
char *memory_watch_format(const struct memory_watch *w, char *out, size_t size);
/* What an instruction accesses, as an address: "s[4:5]+v2+16" for "global_load_dword v1, v2, s[4:5] offset:16". "" if
 * it accesses nothing, or is of a kind that has no such sum. */
void memory_watch_suggest(const char *instruction, char *out, size_t size);
/* The first shown byte: the row of 32 bytes that has the address. */
static inline uint64_t memory_watch_begin(const struct memory_watch *w)
{
	return w->at & ~UINT64_C(31);
}

#endif
