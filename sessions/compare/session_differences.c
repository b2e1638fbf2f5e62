/* What differs between compared sessions besides their numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/compare/session_compare.h"
#include "gpu/protocol/header_record.h"

/* A header's value as text; objects and arrays as JSON. The caller frees it. */
static char *copy_json_text(const json_t *v)
{
	if (!v || json_is_null(v))
		return xstrdup("");
	if (json_is_string(v))
		return xstrdup(json_string_value(v));
	char *line = record_format_line(v);
	line[strcspn(line, "\n")] = 0;
	return line;
}

static void free_difference(struct difference *d)
{
	free(d->what);
	for (int i = 0; i < COMPARE_MAX; i++)
		free(d->values[i]);
}

/* Keeps the difference unless all values are equal. */
static void add_if_different(struct differences *out, int count, struct difference d)
{
	bool same = true;
	for (int i = 1; i < count; i++)
		same = same && !strcmp(d.values[0], d.values[i]);
	if (same) {
		free_difference(&d);
		return;
	}
	out->list = xrealloc(out->list, (size_t)(out->count + 1) * sizeof *out->list);
	out->list[out->count++] = d;
}

static const json_t *session_header(const struct session_comparison *c, int side)
{
	return c->sides[side].session->header;
}

static const json_t *get_member(const json_t *from, const char *folder, const char *key)
{
	return json_object_get(*folder ? json_object_get(from, folder) : from, key);
}

static void compare_member(const struct session_comparison *c, struct differences *out, const char *what,
	bool of_device, const char *folder, const char *key)
{
	struct difference d = {.what = xstrdup(what)};
	for (int i = 0; i < c->count; i++) {
		const json_t *from = session_header(c, i);
		d.values[i] = copy_json_text(get_member(of_device ? header_get_device(from) : from, folder, key));
	}
	add_if_different(out, c->count, d);
}

/* Compares every key of that object of the devices, in any session. */
static void compare_device_object(const struct session_comparison *c, struct differences *out, const char *folder)
{
	json_t *seen = json_object();
	for (int i = 0; i < c->count; i++) {
		const char *key;
		json_t *v;
		json_object_foreach(json_object_get(header_get_device(session_header(c, i)), folder), key, v)
		{
			if (json_object_get(seen, key))
				continue;
			json_object_set(seen, key, json_true());
			char *what = xasprintf("%s %s", folder, key);
			compare_member(c, out, what, true, folder, key);
			free(what);
		}
	}
	json_decref(seen);
}

/* What the points of a session have in common. */
struct point_facts {
	struct buf hashes, compilers; /* the different values: "clang 15.0.6, prebuilt" */
	double low_mhz, high_mhz;     /* of the core clock */
};

static void add_kernel_text(struct buf *list, const json_t *point, const char *key)
{
	const char *text = record_get_text(json_object_get(point, "kernel"), key);
	if (*text && !strstr(list->data, text) && list->len < 200)
		buf_printf(list, "%s%s", list->len ? ", " : "", text);
}

static struct point_facts read_point_facts(const struct session *s)
{
	struct point_facts f = {.low_mhz = INFINITY};
	buf_puts(&f.hashes, "");
	buf_puts(&f.compilers, "");
	for (size_t i = 0; i < s->points.count; i++) {
		const json_t *point = point_list_get(&s->points, i);
		struct reading clock = record_get_reading(point, "sclk_mhz");
		add_kernel_text(&f.hashes, point, "hash");
		add_kernel_text(&f.compilers, point, "compiler");
		f.low_mhz = clock.valid ? fmin(f.low_mhz, clock.value) : f.low_mhz;
		f.high_mhz = clock.valid ? fmax(f.high_mhz, clock.value) : f.high_mhz;
	}
	return f;
}

static char *format_clock_range(double low, double high)
{
	char a[40], b[40];
	if (!(high > 0))
		return xstrdup("not available");
	units_format(a, sizeof a, low, low < high ? "" : "MHz", 4);
	return low < high ? xasprintf("%s..%s", a, units_format(b, sizeof b, high, "MHz", 4)) : xstrdup(a);
}

static void compare_points(const struct session_comparison *c, struct differences *out)
{
	struct difference kernel = {.what = xstrdup("kernel")}, compiler = {.what = xstrdup("compiler")},
			  clock = {.what = xstrdup("core clock")};
	for (int i = 0; i < c->count; i++) {
		struct point_facts f = read_point_facts(c->sides[i].session);
		kernel.values[i] = f.hashes.data;
		compiler.values[i] = f.compilers.data;
		clock.values[i] = format_clock_range(f.low_mhz, f.high_mhz);
	}
	add_if_different(out, c->count, kernel);
	add_if_different(out, c->count, compiler);
	add_if_different(out, c->count, clock);
}

void differences_make(const struct session_comparison *c, struct differences *out)
{
	*out = (struct differences){0};
	compare_member(c, out, "device", true, "", "device");
	compare_member(c, out, "name", true, "", "name");
	compare_member(c, out, "target", true, "", "arch");
	compare_member(c, out, "deterministic", true, "", "deterministic");
	compare_device_object(c, out, "constants");
	compare_device_object(c, out, "versions");
	compare_member(c, out, "program", false, "", "program");
	compare_member(c, out, "software GPU", false, "", "software_gpu");
	compare_member(c, out, "definition", false, "definition", "hash");
	compare_member(c, out, "parameters", false, "", "params");
	compare_member(c, out, "sampling", false, "", "sampling");
	compare_points(c, out);
}

void differences_free(struct differences *d)
{
	for (int i = 0; i < d->count; i++)
		free_difference(&d->list[i]);
	free(d->list);
	*d = (struct differences){0};
}
