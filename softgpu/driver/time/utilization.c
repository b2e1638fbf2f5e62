#include "softgpu/driver/time/utilization.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define PIECE_NS UINT64_C(50000000)
#define PIECES   20 /* the window: a second */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t number, busy_ns;
} pieces[PIECES]; /* of host time since it began, in a ring */

static _Atomic bool working;

void utilization_mark_busy(void)
{
	working = true;
}

void utilization_mark_idle(void)
{
	working = false;
}

bool utilization_is_busy(void)
{
	return working;
}

static void add(uint64_t number, uint64_t ns)
{
	uint64_t i = number % PIECES;

	if (pieces[i].number != number) {
		pieces[i].number = number;
		pieces[i].busy_ns = 0;
	}
	pieces[i].busy_ns += ns;
}

void utilization_add_busy(uint64_t start, uint64_t end)
{
	if (end > start + PIECES * PIECE_NS)
		start = end - PIECES * PIECE_NS;
	pthread_mutex_lock(&lock);
	while (start < end) {
		uint64_t border = (start / PIECE_NS + 1) * PIECE_NS, until = border < end ? border : end;

		add(start / PIECE_NS, until - start);
		start = until;
	}
	pthread_mutex_unlock(&lock);
}

int64_t utilization_percent(void)
{
	uint64_t now, busy = 0;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) / PIECE_NS;
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < PIECES; i++)
		if (pieces[i].number + PIECES > now)
			busy += pieces[i].busy_ns;
	pthread_mutex_unlock(&lock);
	busy = (busy * 100 + PIECES * PIECE_NS / 2) / (PIECES * PIECE_NS);
	return busy < 100 ? (int64_t)busy : 100;
}

void utilization_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	working = false;
	memset(pieces, 0, sizeof pieces);
}
