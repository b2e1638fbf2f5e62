#include "kernels/inspect/listed/listed_isa.h"

struct span {
	size_t start, end, work; /* lines [start, end) */
};

static size_t find_line(const struct kernel_line *lines, size_t count, uint64_t va)
{
	size_t i = 0;
	while (i < count && lines[i].va != va)
		i++;
	return i;
}

/* A backward branch with its target, unless it contains or overlaps the loop before it. */
static bool innermost_loop(const struct kernel_line *lines, size_t count, const struct listed_isa *isa, size_t i,
	const struct span *last, struct span *out)
{
	uint64_t to;
	if (!isa->branch_target(&lines[i], &to) || to > lines[i].va)
		return false;
	*out = (struct span){find_line(lines, count, to), i + 1, 0};
	if (out->start == count || out->start < last->end)
		return false;
	for (size_t k = out->start; k < out->end; k++)
		out->work += isa->is_work(lines[k].text);
	return true;
}

void listed_find_hot_loop(
	struct kernel_line *lines, size_t count, const struct listed_isa *isa, size_t *start, size_t *end)
{
	struct span best = {0}, last = {0}, l;
	for (size_t i = 0; i < count; i++) {
		if (!innermost_loop(lines, count, isa, i, &last, &l))
			continue;
		last = l;
		if (!best.end || l.work > best.work || (l.work == best.work && l.end - l.start > best.end - best.start))
			best = l;
	}
	for (size_t i = best.start; i < best.end; i++)
		lines[i].in_hot_loop = true;
	*start = best.start;
	*end = best.end;
}
