#include "gpu/softgpu-link/kernel_totals.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "kernels/inspect/readable_name.h"

enum { LINE_BYTES = 2048, KERNELS_MAX = 4096, NAMED_MAX = 5 /* in an error */ };

/* libsoftgpu.so's name for kernels without a symbol. */
static const char nameless[] = "HIP's own kernel";

/* --- files --- */
static struct kernel_total *get_total(struct kernel_totals *t, const char *symbol)
{
	for (int i = 0; i < t->count; i++)
		if (!strcmp(t->list[i].symbol, symbol))
			return &t->list[i];
	if (t->count == KERNELS_MAX)
		return NULL;
	t->list = xrealloc(t->list, (size_t)(t->count + 1) * sizeof *t->list);
	struct kernel_total *k = &t->list[t->count++];
	*k = (struct kernel_total){.symbol = xstrdup(symbol),
		.name = kernel_readable_name(symbol),
		.nameless = !strcmp(symbol, nameless),
		.values = json_object()};
	return k;
}

/* NULL: the line is damaged. */
static struct kernel_total *add_kernel_line(struct kernel_totals *t, const char *line)
{
	struct kernel_total k;
	int at = 0,
	    read = sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %n", &k.launches, &k.ps,
		    &k.cycles, &k.waves, &k.instructions, &at);
	struct kernel_total *to = read == 5 && at ? get_total(t, line + at) : NULL;
	if (!to)
		return NULL;
	to->launches += k.launches;
	to->ps += k.ps;
	to->cycles += k.cycles;
	to->waves += k.waves;
	to->instructions += k.instructions;
	return to;
}

static void add_value_line(struct kernel_total *k, const char *line)
{
	char name[64];
	json_int_t value;
	if (!k || sscanf(line, "%63s %" JSON_INTEGER_FORMAT, name, &value) != 2)
		return;
	value += json_integer_value(json_object_get(k->values, name));
	json_object_set_new(k->values, name, json_integer(value));
}

static void read_file(struct kernel_totals *t, const char *path)
{
	char line[LINE_BYTES];
	struct kernel_total *k = NULL;
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "kernel ", 7))
			k = add_kernel_line(t, line + 7);
		else if (!strncmp(line, "value ", 6))
			add_value_line(k, line + 6);
	}
	if (f)
		fclose(f);
}

void kernel_totals_read(struct kernel_totals *t, const char *folder)
{
	DIR *d = opendir(folder);
	for (struct dirent *entry; d && (entry = readdir(d));) {
		char *path = path_has_suffix(entry->d_name, ".sums") ? xasprintf("%s/%s", folder, entry->d_name) : NULL;
		if (path)
			read_file(t, path);
		free(path);
	}
	if (d)
		closedir(d);
}

void kernel_totals_free(struct kernel_totals *t)
{
	for (int i = 0; i < t->count; i++) {
		free(t->list[i].symbol);
		free(t->list[i].name);
		json_decref(t->list[i].values);
	}
	free(t->list);
	*t = (struct kernel_totals){0};
}

/* --- choice --- */
/* Whether this is the function's name in the source: "sum" of "void ns::sum<float>(float*)". */
static bool has_function_name(const struct kernel_total *k, const char *name)
{
	size_t end = strcspn(k->name, "<("), from = end;
	while (from && (isalnum((unsigned char)k->name[from - 1]) || k->name[from - 1] == '_'))
		from--;
	return strlen(name) == end - from && !strncmp(k->name + from, name, end - from);
}

static bool matches(const struct kernel_total *k, const char *part, int how)
{
	switch (how) {
	case 0: return !strcmp(k->symbol, part) || !strcmp(k->name, part);
	case 1: return has_function_name(k, part);
	default: return strstr(k->name, part) != NULL;
	}
}

/* "a, b": those that match; all but HIP's own if `part` is NULL. */
static char *list_kernel_names(const struct kernel_totals *t, const char *part, int how)
{
	struct buf b = {0};
	int n = 0;
	buf_puts(&b, "");
	for (int i = 0; i < t->count; i++)
		if (part ? matches(&t->list[i], part, how) : !t->list[i].nameless) {
			if (n < NAMED_MAX)
				buf_printf(&b, "%s%.60s", n ? ", " : "", t->list[i].name);
			n++;
		}
	if (n > NAMED_MAX)
		buf_printf(&b, " and %d more", n - NAMED_MAX);
	return b.data;
}

static bool set_ambiguous(const struct kernel_totals *t, const char *part, int how, struct err *e)
{
	char *names = list_kernel_names(t, part, how);
	err_set(e, ST_REQUEST, "several kernels match '%.60s': %s; give a longer part of the name", part, names);
	free(names);
	return false;
}

static bool set_unknown_kernel(const struct kernel_totals *t, const char *part, struct err *e)
{
	char *names = list_kernel_names(t, NULL, 0);
	err_set(e, ST_REQUEST, "no kernel '%.60s' was launched; launched: %s", part, *names ? names : "none");
	free(names);
	return false;
}

const struct kernel_total *kernel_totals_find(const struct kernel_totals *t, const char *part, struct err *e)
{
	for (int how = 0; how <= 2; how++) {
		const struct kernel_total *found = NULL;
		for (int i = 0; i < t->count; i++) {
			if (!matches(&t->list[i], part, how))
				continue;
			if (found)
				return set_ambiguous(t, part, how, e), NULL;
			found = &t->list[i];
		}
		if (found)
			return found;
	}
	return set_unknown_kernel(t, part, e), NULL;
}

const struct kernel_total *kernel_totals_find_largest(const struct kernel_totals *t)
{
	const struct kernel_total *best = NULL;
	for (int i = 0; i < t->count; i++) {
		const struct kernel_total *k = &t->list[i];
		bool better = !best || (k->nameless == best->nameless ? k->cycles > best->cycles : best->nameless);
		best = better ? k : best;
	}
	return best;
}
