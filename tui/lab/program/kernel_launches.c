#include "tui/lab/program/kernel_launches.h"

#include <stdlib.h>

#include "base/buf.h"

enum { GROWTH = 16 };

static struct kernel_launch *append_launch(struct kernel_launches *l, const struct kernel_launch *launch)
{
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? 2 * l->capacity : GROWTH;
		l->list = xrealloc(l->list, (size_t)l->capacity * sizeof *l->list);
	}
	l->list[l->count] = *launch;
	return &l->list[l->count++];
}

/* --- the heap: a launch is at least as fast as the two below it --- */
static void swap_launches(struct kernel_launch *a, struct kernel_launch *b)
{
	const struct kernel_launch other = *a;
	*a = *b;
	*b = other;
}

static void raise_last(struct kernel_launch *heap, int count)
{
	for (int i = count - 1; i > 0 && heap[i].ps < heap[(i - 1) / 2].ps; i = (i - 1) / 2)
		swap_launches(&heap[i], &heap[(i - 1) / 2]);
}

static void sink_root(struct kernel_launch *heap, int count)
{
	for (int i = 0, below; (below = 2 * i + 1) < count; i = below) {
		below += below + 1 < count && heap[below + 1].ps < heap[below].ps;
		if (heap[i].ps <= heap[below].ps)
			return;
		swap_launches(&heap[i], &heap[below]);
	}
}

void kernel_launches_add(struct kernel_launches *l, const struct kernel_launch *launch)
{
	if (l->count < LAUNCHES_FIRST + LAUNCHES_SLOWEST) {
		append_launch(l, launch);
		if (l->count > LAUNCHES_FIRST)
			raise_last(l->list + LAUNCHES_FIRST, l->count - LAUNCHES_FIRST);
	} else if (launch->ps > l->list[LAUNCHES_FIRST].ps) {
		l->list[LAUNCHES_FIRST] = *launch;
		sink_root(l->list + LAUNCHES_FIRST, LAUNCHES_SLOWEST);
	}
}

/* A process that has replaced itself by another program counts from 0 again, so the cycles are compared, too. */
void kernel_launches_keep(struct kernel_launches *l, const struct kernel_launch *launch)
{
	for (int i = 0; i < l->count; i++)
		if (!kernel_launches_compare(&l->list[i], launch) && l->list[i].cycles == launch->cycles) {
			l->list[i].kept = launch->kept;
			return;
		}
	append_launch(l, launch);
}

/* --- order --- */
int kernel_launches_compare(const struct kernel_launch *a, const struct kernel_launch *b)
{
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_numbers(const void *a, const void *b)
{
	return kernel_launches_compare(
		*(const struct kernel_launch *const *)a, *(const struct kernel_launch *const *)b);
}

static int compare_times(const void *a, const void *b)
{
	const struct kernel_launch *x = *(const struct kernel_launch *const *)a,
				   *y = *(const struct kernel_launch *const *)b;
	return x->ps == y->ps ? kernel_launches_compare(x, y) : x->ps < y->ps ? 1 : -1;
}

const struct kernel_launch **kernel_launches_sort(const struct kernel_launches *l, enum launch_sort by)
{
	const struct kernel_launch **list = xcalloc((size_t)l->count + 1, sizeof *list);
	for (int i = 0; i < l->count; i++)
		list[i] = &l->list[i];
	qsort(list, (size_t)l->count, sizeof *list, by == BY_LAUNCH_TIME ? compare_times : compare_numbers);
	return list;
}

void kernel_launches_free(struct kernel_launches *l)
{
	free(l->list);
	*l = (struct kernel_launches){0};
}
