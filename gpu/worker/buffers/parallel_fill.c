#include "gpu/worker/buffers/parallel_fill.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/host/usable_cores.h"
#include "base/min_max.h"

enum { THREADS_MAX = 16, LEAST_BYTES = 2 << 20 /* a thread with fewer costs more than it saves */ };

struct fill_piece {
	const struct element_type *type;
	const struct fill_rule *fill;
	char *to;
	size_t from, count;
	pthread_t thread;
	bool started;
};

static void *fill_piece(void *piece)
{
	const struct fill_piece *p = piece;
	fill_store(p->type, p->fill, p->to, p->from, p->count);
	return NULL;
}

static unsigned count_pieces(size_t bytes)
{
	if (bytes < 2 * LEAST_BYTES) /* most buffers: counting the cores costs system calls */
		return 1;
	return min_u64(min_u64(usable_cores(), THREADS_MAX), bytes / LEAST_BYTES);
}

/* The caller fills the first piece, and those for which there is no thread. */
void fill_store_in_parallel(
	const struct element_type *t, const struct fill_rule *f, void *to, size_t from, size_t count)
{
	struct fill_piece piece[THREADS_MAX];
	const unsigned pieces = count_pieces(count * t->part);
	for (unsigned k = 0; k < pieces; k++) {
		size_t begin = count * k / pieces, end = count * (k + 1) / pieces;
		piece[k] = (struct fill_piece){t, f, (char *)to + begin * t->part, from + begin, end - begin, 0, false};
		piece[k].started = k && !pthread_create(&piece[k].thread, NULL, fill_piece, &piece[k]);
	}
	for (unsigned k = 0; k < pieces; k++)
		if (!piece[k].started)
			fill_piece(&piece[k]);
	for (unsigned k = 1; k < pieces; k++)
		if (piece[k].started)
			pthread_join(piece[k].thread, NULL);
}
