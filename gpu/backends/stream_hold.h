/* Lets a GPU wait until the host has issued what is measured. Otherwise the time that the host takes for it would be
 * between the events; on an H200 it changes within seconds by up to a microsecond.
 *
 * The first stream waits for a value in memory, which the host writes. A driver that waits for the GPU meanwhile would
 * never return: the host writes before calls that may, after an error, because nothing follows, and when many commands
 * wait. Should a call wait all the same, a timer lets the GPU go; after three of these in a row, it
 * waits no more. */
#ifndef GPU_BACKENDS_STREAM_HOLD_H
#define GPU_BACKENDS_STREAM_HOLD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { HOLD_KERNELS = 8, HOLD_LIMIT_MS = 250 };
struct stream_hold {
	_Atomic uint32_t *go; /* *go = turn lets the GPU begin what was issued; NULL: it cannot wait */
	_Atomic uint32_t turn;
	bool refused;
	unsigned most; /* commands that may wait: a full queue of the driver would block the host for ever */
	unsigned waiting, limit_ms;
	const void *launched[HOLD_KERNELS]; /* the last kernels that were launched, of the modules that are loaded */
	unsigned launches;
	timer_t timer;
	atomic_uint time_outs;
};

/* Makes the stream wait until the value at `at` is `turn` or more. False: it does not. */
typedef bool stream_wait(void *stream, void *at, uint32_t turn);

/* `go`: memory that host and GPU share; NULL: the device cannot wait, and the functions below do nothing. `h` is
 * zeroed, and used until the process ends. */
void hold_prepare(struct stream_hold *h, void *go, unsigned most, unsigned limit_ms);
/* Call it before the first event. */
void hold_begin(struct stream_hold *h, stream_wait *wait, void *stream);
void hold_let_go(struct stream_hold *h);
/* After each command. `ok`: whether it was issued; returned. */
bool hold_count(struct stream_hold *h, bool ok);
/* Lets go before the first launch of a kernel, for which the driver may wait for all streams: it loads code and gets
 * local memory. */
void hold_before_launch(struct stream_hold *h, const void *kernel);
/* When a module is unloaded: another one's kernel may get the same address. */
void hold_forget_kernels(struct stream_hold *h);

#endif
