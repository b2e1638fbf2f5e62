#include "gpu/worker/samples/entropy_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Defaults of nvbench. */
enum { WINDOW = 299 };
#define MOST_ANGLE      0.048 /* degrees */
#define LEAST_EXPLAINED 0.36

/* How often a time has occurred. */
struct occurrence {
	double seconds;
	int times;
};

struct entropy_rule {
	struct occurrence *list; /* by time */
	int distinct, room, count;
	double weighted; /* sum of times * log2(times) */
	double bits[WINDOW];
};

struct entropy_rule *entropy_rule_new(void)
{
	return xcalloc(1, sizeof(struct entropy_rule));
}

void entropy_rule_free(struct entropy_rule *r)
{
	if (r)
		free(r->list);
	free(r);
}

static int find_place(const struct entropy_rule *r, double seconds)
{
	int low = 0, high = r->distinct;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (r->list[middle].seconds < seconds)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct occurrence *insert_time(struct entropy_rule *r, int at, double seconds)
{
	if (r->distinct == r->room) {
		r->room = r->room ? 2 * r->room : WINDOW;
		r->list = xrealloc(r->list, (size_t)r->room * sizeof *r->list);
	}
	memmove(&r->list[at + 1], &r->list[at], (size_t)(r->distinct - at) * sizeof *r->list);
	r->distinct++;
	r->list[at] = (struct occurrence){seconds, 0};
	return &r->list[at];
}

static double weigh_times(int times)
{
	return times ? times * log2(times) : 0;
}

double entropy_rule_bits(const struct entropy_rule *r)
{
	return r->distinct > 1 ? log2(r->count) - r->weighted / r->count : 0; /* of equal times without rounding */
}

void entropy_rule_add(struct entropy_rule *r, double seconds)
{
	int at = find_place(r, seconds);
	bool known = at < r->distinct && r->list[at].seconds == seconds;
	struct occurrence *o = known ? &r->list[at] : insert_time(r, at, seconds);
	o->times++;
	r->weighted += weigh_times(o->times) - weigh_times(o->times - 1);
	r->count++;
	r->bits[(r->count - 1) % WINDOW] = entropy_rule_bits(r);
}

bool entropy_rule_suffices(const struct entropy_rule *r)
{
	int n = r->count < WINDOW ? r->count : WINDOW, first = r->count - n;
	double mean = 0, of_x = 0, of_y = 0, of_both = 0;
	if (n < 2 || r->count % 2)
		return false;
	for (int i = 0; i < n; i++)
		mean += r->bits[i] / n;
	for (int i = 0; i < n; i++) {
		double x = i - (n - 1) / 2.0, y = r->bits[(first + i) % WINDOW] - mean;
		of_x += x * x;
		of_y += y * y;
		of_both += x * y;
	}
	if (of_y == 0) /* equal times: the line explains everything */
		return true;
	double slope = of_both / of_x;
	return atan(slope) * 180 / M_PI <= MOST_ANGLE && of_both * of_both / (of_x * of_y) >= LEAST_EXPLAINED;
}
