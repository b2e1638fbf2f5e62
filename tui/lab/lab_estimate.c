#include "tui/lab/lab_estimate.h"

#include "tui/lab/lab.h"

void estimate_record_cost(struct lab *b, const double *values, double seconds)
{
	point_costs_add(&b->costs, b->x, &b->published, values, seconds);
}

bool estimate_format_current(const struct lab *b, bool soft, double *seconds, char *out, size_t size)
{
	struct plan p;
	*out = 0;
	if (!lab_build_plan(b, soft, &p, NULL))
		return false;
	bool known = point_costs_estimate(&b->costs, &b->published, &p, seconds, out, size);
	plan_free(&p);
	return known;
}
