#include "softgpu/driver/probe/kernel_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS "others"

enum { ROWS = 512 }; /* kernels, and the others */

static struct kernel_sums *rows;
static size_t count;
static const struct kernel_sums *sorted[ROWS];

static void add_values(struct kernel_value *to, const struct kernel_value *from)
{
	for (unsigned k = 0; k < KERNEL_VALUES && from[k].name; k++) {
		unsigned at = 0;
		while (at < KERNEL_VALUES && to[at].name && strcmp(to[at].name, from[k].name))
			at++;
		if (at == KERNEL_VALUES)
			continue;
		to[at].name = from[k].name;
		to[at].value += from[k].value;
	}
}

static void add_sums(struct kernel_sums *to, const struct kernel_sums *from)
{
	to->launches += from->launches;
	to->ps += from->ps;
	to->cycles += from->cycles;
	to->waves += from->waves;
	to->instructions += from->instructions;
	to->host_ns += from->host_ns;
	add_values(to->stalls, from->stalls);
	add_values(to->counters, from->counters);
}

static struct kernel_sums *find_row(const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static struct kernel_sums *add_row(const char *name)
{
	struct kernel_sums *row = count < ROWS - 1 ? NULL : find_row(OTHERS);

	if (row)
		return row;
	row = &rows[count++];
	memset(row, 0, sizeof *row);
	snprintf(row->name, sizeof row->name, "%s", count < ROWS ? name : OTHERS);
	return row;
}

void kernel_table_add(const struct kernel_sums *launch)
{
	struct kernel_sums *row;

	if (!rows && !(rows = calloc(ROWS, sizeof *rows)))
		return;
	row = find_row(launch->name);
	add_sums(row ? row : add_row(launch->name), launch);
}

static int compare_rows(const void *a, const void *b)
{
	const struct kernel_sums *x = *(const struct kernel_sums *const *)a, *y = *(const struct kernel_sums *const *)b;

	if (x->ps != y->ps)
		return x->ps < y->ps ? 1 : -1;
	return (x->host_ns < y->host_ns) - (x->host_ns > y->host_ns);
}

const struct kernel_sums *kernel_table_at(size_t index)
{
	if (index >= count)
		return NULL;
	if (index == 0) {
		for (size_t i = 0; i < count; i++)
			sorted[i] = &rows[i];
		qsort(sorted, count, sizeof *sorted, compare_rows);
	}
	return sorted[index];
}

void kernel_table_sum(struct kernel_sums *out)
{
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < count; i++)
		add_sums(out, &rows[i]);
}

void kernel_table_clear(void)
{
	count = 0;
}
