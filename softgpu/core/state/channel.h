/* An L2 channel and the memory channel behind it, and the fabric of gfx11 between them. */
#ifndef SOFTGPU_CORE_STATE_CHANNEL_H
#define SOFTGPU_CORE_STATE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/cache_tags.h"
#include "softgpu/core/state/host_lines.h"
#include "softgpu/core/state/pooled_queue.h"
#include "softgpu/core/time_types.h"

enum { L2_BANKS_MAX = 2 };
enum { DRAM_ROWS_MAX = 256 /* of a batch of writes: the most lines of one (dram_write_batch) */ };

/* State of a memory channel, dram.h. Times are in 1/1024 cycle. */
struct dram {
	uint64_t bus_free;
	uint64_t next_refresh;
	uint32_t pending_writes;             /* lines that wait to be written */
	uint32_t pending_row[DRAM_ROWS_MAX]; /* their rows, each once */
	uint32_t pending_rows;
	bool writing;                   /* the last transfer was a write: more writes need no bus turnaround */
	uint32_t open_row[MAX_BANKS];   /* + 1; 0: none */
	uint64_t bank_ready[MAX_BANKS]; /* when the bank can open another row */
};

/* 1/1024 cycle: lost by an L2 channel in each cycle of a request; a line's transfer from L3, from DRAM, a bank's row
 * cycle, the bus turnaround, a refresh, and between refreshes. */
struct channel_rates {
	uint64_t l2_lost, l3_line, dram_line, dram_row, dram_turnaround, dram_refresh, dram_refresh_period;
};

enum { FABRIC_WAKE_REQUESTS = 16 };

/* gfx11: what its fabric has in common for all channels, fabric.h. */
struct fabric {
	cycle_t recent[FABRIC_WAKE_REQUESTS]; /* the last requests' cycles + 1, in a ring; 0: none */
	uint32_t next;
	struct cache tlb; /* by page */
};

struct channel {
	struct cache l2;
	struct l2_bank {
		cycle_t free;
		uint64_t lost; /* 1/1024 cycle, less than one, that is yet to be lost */
	} bank[L2_BANKS_MAX];
	struct cache l3;  /* gfx11: its part of the Infinity Cache; else without sets */
	uint64_t l3_free; /* 1/1024 cycle */
	struct dram dram;
	_Atomic uint32_t served_in; /* machine.window in which a thread took it last */
} OF_ONE_THREAD;

/* If channels are ideal: the queues of all banks of L2, all parts of L3, and all buses. */
struct pooled_channels {
	struct pooled_queue banks, l3, buses;
};

#endif
