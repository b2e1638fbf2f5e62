/* The order in which a sweep sends its points to several workers. It is that of the plan, but a point goes ahead if it
 * takes longer than each worker's share of what is left: it would end after all others, on one worker. How long a point
 * takes is learned from those that were measured. Private to experiments/sweep. */
#ifndef EXPERIMENTS_SWEEP_SEND_ORDER_H
#define EXPERIMENTS_SWEEP_SEND_ORDER_H

#include "experiments/sweep/sweep.h"

struct point_rate {
	double seconds, work; /* of the measured point with the most work, the latest of several; 0: none yet */
};

struct send_point {
	double work; /* what its time is proportional to; 1 if that is not known */
	int group;   /* points with the same choices, such as the kernel, take the same time for the same work */
	bool sent;
};

/* Zero-initialize it; free with send_order_free. */
struct send_order {
	int count, workers, next;  /* next: the first point that was not sent */
	struct send_point *points; /* owned; NULL: only the plan's order matters */
	struct point_rate *groups; /* owned */
	struct point_rate all;
};

/* Whether the order depends on the work of the points: there are several workers, and not too many points. */
bool send_order_needs_work(int count, int workers);
/* `work`: of each point, 0 where it is not known; NULL: not needed. */
void send_order_make(struct send_order *o, const struct experiment *x, const struct point *points, const double *work,
	int count, int workers);
void send_order_free(struct send_order *o);
/* How long a point took. */
void send_order_note_time(struct send_order *o, int point, double seconds);
/* The point to send now, which counts as sent from here on; -1 after the last. */
int send_order_take(struct send_order *o);

#endif
