#include "experiments/analysis/code_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/stalls/stall_reasons.h"

enum { HOT_PERCENT = 5 };

static int compare_stall_cycles(const void *a, const void *b)
{
	const struct stall_share *x = a, *y = b;
	return x->cycles != y->cycles ? (x->cycles < y->cycles) - (x->cycles > y->cycles) : strcmp(x->cause, y->cause);
}

int profile_list_stall_shares(const json_t *causes, struct stall_share out[PROFILE_REASONS_MAX])
{
	int n = 0;
	const char *cause;
	json_t *cycles;
	json_object_foreach((json_t *)causes, cause, cycles) if (n < PROFILE_REASONS_MAX && json_integer_value(cycles))
		out[n++] = (struct stall_share){cause, json_integer_value(cycles)};
	qsort(out, (size_t)n, sizeof *out, compare_stall_cycles);
	return n;
}

const json_t *profile_find_instruction(const json_t *profile, int64_t offset)
{
	size_t i;
	json_t *line;
	json_array_foreach(json_object_get(profile, "instructions"), i,
		line) if (json_integer_value(json_object_get(line, "offset")) == offset) return line;
	return NULL;
}

long long issue_counts_cycles(const struct issue_counts *i)
{
	return i->issue + i->stall;
}

struct issue_counts issue_counts_read(const json_t *line)
{
	struct issue_counts out = {json_integer_value(json_object_get(line, "count")),
		json_integer_value(json_object_get(line, "issue")), 0, json_object_get(line, "stall")};
	const char *cause;
	json_t *cycles;
	json_object_foreach((json_t *)out.causes, cause, cycles) out.stall += json_integer_value(cycles);
	return out;
}

/* The model's line at an address, or its line count. */
static size_t find_line_at_address(const struct code_model *m, uint64_t va)
{
	size_t low = 0, high = m->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (m->lines[middle].va < va)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->count && m->lines[low].va == va ? low : m->count;
}

struct code_profile *code_profile_build(json_t *profile, const struct code_model *m)
{
	size_t i;
	json_t *one;
	if (!profile || !m->lines)
		return NULL;
	struct code_profile *p = xcalloc(1, sizeof *p);
	p->record = json_incref(profile);
	p->cycles = json_integer_value(json_object_get(profile, "cycles"));
	p->lines = xcalloc(m->count + 1, sizeof *p->lines);
	json_array_foreach(json_object_get(profile, "instructions"), i, one)
	{
		size_t line = find_line_at_address(
			m, m->info.code_va + (uint64_t)json_integer_value(json_object_get(one, "offset")));
		if (line == m->count)
			continue;
		p->lines[line] = issue_counts_read(one);
		long long cycles = issue_counts_cycles(&p->lines[line]);
		p->all += cycles;
		p->most = cycles > p->most ? cycles : p->most;
	}
	return p;
}

void code_profile_free(struct code_profile *p)
{
	if (!p)
		return;
	json_decref(p->record);
	free(p->lines);
	free(p);
}

bool code_is_hot(const struct code_model *m, const struct code_profile *p, size_t line)
{
	return p ? issue_counts_cycles(&p->lines[line]) * 100 >= p->all * HOT_PERCENT && p->all
		 : m->on_chain && m->on_chain[line];
}

char *issue_counts_format_stalls(const struct issue_counts *i, int causes, const char *format, char *out, size_t size)
{
	struct stall_share list[PROFILE_REASONS_MAX];
	int n = profile_list_stall_shares(i->causes, list);
	size_t at = 0;
	*out = 0;
	for (int k = 0; k < n && k < causes && at < size; k++) {
		char number[40];
		snprintf(number, sizeof number, format, (double)list[k].cycles / (double)i->count);
		at += (size_t)snprintf(
			out + at, size - at, "%s%s %s", k ? ", " : "", stall_reason_label(list[k].cause), number);
	}
	return out;
}

char *issue_counts_format(const struct issue_counts *i, int causes, char *out, size_t size)
{
	char by[256];
	if (!i->count) {
		snprintf(out, size, "never issued in this launch");
		return out;
	}
	issue_counts_format_stalls(i, causes, "%.2f", by, sizeof by);
	snprintf(out, size, "issued %lld time%s: %.2f issue cycles, %.2f stall cycles each%s%s", i->count,
		plural_s((unsigned long long)i->count), (double)i->issue / (double)i->count,
		(double)i->stall / (double)i->count, *by ? ": " : "", by);
	return out;
}
