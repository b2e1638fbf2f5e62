#include "gpu/backends/stream_hold.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "gpu/protocol/worker_protocol.h"

enum { TIME_OUTS_MOST = 3 /* in a row */ };

static void set_timer(struct stream_hold *h, unsigned ms)
{
	struct itimerspec t = {.it_value = {ms / 1000, ms % 1000 * 1000000}};
	timer_settime(h->timer, 0, &t, NULL);
}

static bool is_holding(struct stream_hold *h)
{
	return h->go && atomic_load(h->go) != atomic_load(&h->turn);
}

void hold_let_go(struct stream_hold *h)
{
	if (!is_holding(h))
		return;
	atomic_store(h->go, atomic_load(&h->turn));
	set_timer(h, 0);
	if (h->waiting > 1) /* more than the first event */
		atomic_store(&h->time_outs, 0);
}

/* In a thread of the timer, which may by now run for the next wait: that ends early, or keeps its timer. A busy machine
 * may be slow, too. */
static void let_go_late(union sigval v)
{
	struct stream_hold *h = v.sival_ptr;
	if (!is_holding(h))
		return;
	atomic_store(h->go, atomic_load(&h->turn));
	if (atomic_fetch_add(&h->time_outs, 1) + 1 == TIME_OUTS_MOST)
		protocol_log("warning",
			"the GPU does not wait for launches any more, because the driver then waited for the GPU; times are "
			"longer by the time of the launch");
}

void hold_prepare(struct stream_hold *h, void *go, unsigned most, unsigned limit_ms)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD, .sigev_notify_function = let_go_late, .sigev_value = {.sival_ptr = h}};
	if (!go || timer_create(CLOCK_MONOTONIC, &event, &h->timer))
		return;
	h->most = most;
	h->limit_ms = limit_ms;
	h->go = go;
	atomic_store(h->go, atomic_load(&h->turn));
}

void hold_begin(struct stream_hold *h, stream_wait *wait, void *stream)
{
	hold_let_go(h);
	h->waiting = 0;
	if (!h->go || h->refused || atomic_load(&h->time_outs) >= TIME_OUTS_MOST)
		return;
	set_timer(h, h->limit_ms);
	uint32_t turn = atomic_fetch_add(&h->turn, 1) + 1;
	h->refused = !wait(stream, (void *)h->go, turn);
	if (h->refused)
		hold_let_go(h);
}

bool hold_count(struct stream_hold *h, bool ok)
{
	if (!ok || ++h->waiting > h->most)
		hold_let_go(h);
	return ok;
}

void hold_before_launch(struct stream_hold *h, const void *kernel)
{
	for (int i = 0; i < HOLD_KERNELS; i++)
		if (h->launched[i] == kernel)
			return;
	hold_let_go(h);
	h->launched[h->launches++ % HOLD_KERNELS] = kernel;
}

void hold_forget_kernels(struct stream_hold *h)
{
	hold_let_go(h);
	memset(h->launched, 0, sizeof h->launched);
}
