#include "gpu/protocol/stalls/stall_stack.h"

enum { SHOWN_MAX = 10 };
static const double SHOWN_SHARE = 0.015; /* at some point of the curve; less would be too thin to see */

static bool has_larger_share(const double *most, int a, int b)
{
	return most[a] != most[b] ? most[a] > most[b] : a < b;
}

int stall_stack_choose(const struct breakdown *list, int count, int shown[STALL_REASON_COUNT])
{
	double most[STALL_REASON_COUNT] = {0};
	int n = 0;
	for (int i = 0; i < count; i++)
		for (int k = 0; k < STALL_REASON_COUNT && list[i].valid; k++)
			if (list[i].cycles[k] / list[i].all > most[k])
				most[k] = list[i].cycles[k] / list[i].all;
	for (int k = 0; k < STALL_OTHER; k++) {
		int before = 0;
		for (int j = 0; j < STALL_OTHER; j++)
			before += j != k && has_larger_share(most, j, k);
		if (most[k] >= SHOWN_SHARE && before < SHOWN_MAX)
			shown[n++] = k;
	}
	shown[n++] = STALL_OTHER;
	return n;
}

void stall_stack_edges(const struct breakdown *of, const int *shown, int n, double *edges)
{
	double sum = 0;
	edges[0] = 0;
	for (int i = 0; i + 1 < n; i++) {
		sum += of->cycles[shown[i]];
		edges[i + 1] = sum / of->all;
	}
	edges[n] = 1; /* exactly the curve, without rounding errors */
}
