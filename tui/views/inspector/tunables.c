#include "tui/views/inspector/tunables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/backends/backend.h"
#include "gpu/softgpu-link/model_table.h"

/* --- reading --- */
/* The next tab-separated field; *line moves behind it. */
static const char *next_field(char **line)
{
	char *f = strsep(line, "\t");
	return f ? f : "";
}

static void read_line(struct tunable *k, char *line)
{
	snprintf(k->name, sizeof k->name, "%s", next_field(&line));
	k->value = k->standard = strtoll(next_field(&line), NULL, 10);
	snprintf(k->unit, sizeof k->unit, "%s", next_field(&line));
	k->low = strtoll(next_field(&line), NULL, 10);
	k->high = strtoll(next_field(&line), NULL, 10);
	snprintf(k->source, sizeof k->source, "%s", next_field(&line));
	snprintf(k->help, sizeof k->help, "%s", next_field(&line));
}

static int read_table(struct tunable **list, const char *table)
{
	char *copy = xstrdup(table), *rest = copy;
	int n = 0;
	*list = NULL;
	for (char *line; (line = strsep(&rest, "\n"));) {
		if (!*line)
			continue;
		*list = xrealloc(*list, (size_t)(n + 1) * sizeof **list);
		memset(&(*list)[n], 0, sizeof **list);
		read_line(&(*list)[n++], line);
	}
	free(copy);
	return n;
}

void tunables_parse_tables(struct tunables *k, const char *model, const char *table, const char *standard)
{
	struct tunable *plain;
	int n = read_table(&plain, standard);
	free(k->list);
	k->count = read_table(&k->list, table);
	for (int i = 0; i < k->count && i < n; i++)
		k->list[i].standard = plain[i].value;
	free(plain);
	snprintf(k->model, sizeof k->model, "%s", model);
	if (k->selected >= k->count)
		k->selected = 0;
}

bool tunables_read_device(struct tunables *k, const char *device, struct err *e)
{
	char model[sizeof k->model];
	if (!device_can(device, DEVICE_TUNABLE))
		return err_set(e, ST_REQUEST,
			"%s has no tunable constants; open a software GPU with --device soft:mi25", device);
	snprintf(model, sizeof model, "%.*s", (int)strcspn(device_rest(device), ","), device_rest(device));
	char *table = softgpu_read_model_table(device_rest(device), e),
	     *standard = table ? softgpu_read_model_table(model, e) : NULL;
	if (standard)
		tunables_parse_tables(k, model, table, standard);
	free(table);
	free(standard);
	return standard;
}

void tunables_free(struct tunables *k)
{
	free(k->list);
	memset(k, 0, sizeof *k);
}

/* --- selection --- */
bool tunables_match_filter(const struct tunables *k, int i)
{
	return i >= 0 && i < k->count &&
		(!*k->filter || strcasestr(k->list[i].name, k->filter) || strcasestr(k->list[i].help, k->filter));
}

const struct tunable *tunables_selected(const struct tunables *k)
{
	return tunables_match_filter(k, k->selected) ? &k->list[k->selected] : NULL;
}

int tunables_next_match(const struct tunables *k, int i, int by)
{
	for (int at = i + by; at >= 0 && at < k->count; at += by)
		if (tunables_match_filter(k, at))
			return at;
	return i;
}

int tunables_changed_count(const struct tunables *k)
{
	int n = 0;
	for (int i = 0; i < k->count; i++)
		n += k->list[i].value != k->list[i].standard;
	return n;
}

/* --- values --- */
static bool steps_by_doubling(long long v)
{
	return v > 1 && !(v & (v - 1));
}

long long tunable_step_value(const struct tunable *k, int by)
{
	long long v = k->value, step = v / 8 > 1 ? v / 8 : 1;
	if (k->high - k->low > 1 && (steps_by_doubling(v) || (v == 1 && by > 0 && steps_by_doubling(k->standard))))
		v = by > 0 ? v * 2 : v / 2;
	else
		v += by > 0 ? step : -step;
	return v < k->low ? k->low : v > k->high ? k->high : v;
}

char *tunable_format_value(const struct tunable *k, long long value, char *out, size_t size)
{
	if (!strcmp(k->unit, "B"))
		return units_format(out, size, (double)value, "B", 6);
	char one[sizeof k->unit];
	unit_singular(one, sizeof one, k->unit);
	snprintf(out, size, "%lld%s%s", value, *k->unit ? " " : "", value == 1 ? one : k->unit);
	return out;
}

bool tunable_parse_value(const struct tunable *k, const char *text, long long *out, struct err *e)
{
	char low[48], high[48];
	double v;
	if (!units_parse(text, k->unit, &v, e))
		return false;
	if (v != floor(v) || v < (double)k->low || v > (double)k->high)
		return err_set(e, ST_REQUEST, "%s must be a whole number from %s to %s", k->name,
			tunable_format_value(k, k->low, low, sizeof low),
			tunable_format_value(k, k->high, high, sizeof high));
	*out = (long long)v;
	return true;
}

void tunables_format_device(const struct tunables *k, int i, long long value, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "soft:%s", k->model);
	for (int n = 0; n < k->count && used < size; n++) {
		long long v = n == i ? value : k->list[n].value;
		if (v != k->list[n].standard)
			used += (size_t)snprintf(out + used, size - used, ",%s=%lld", k->list[n].name, v);
	}
}
