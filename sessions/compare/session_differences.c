#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/compare/session_compare.h"

/* A value of a header in words; objects and arrays as JSON. */
static char *words(const json_t *v)
{
	if (!v || json_is_null(v))
		return xstrdup("");
	if (json_is_string(v))
		return xstrdup(json_string_value(v));
	char *line = record_format_line(v);
	line[strcspn(line, "\n")] = 0;
	return line;
}

static void drop(struct difference *d)
{
	free(d->what);
	for (int i = 0; i < COMPARE_MAX; i++)
		free(d->values[i]);
}

/* Kept when the sessions do not all say the same. */
static void consider(struct differences *out, int count, struct difference d)
{
	bool same = true;
	for (int i = 1; i < count; i++)
		same = same && !strcmp(d.values[0], d.values[i]);
	if (same) {
		drop(&d);
		return;
	}
	out->list = xrealloc(out->list, (size_t)(out->count + 1) * sizeof *out->list);
	out->list[out->count++] = d;
}

static const json_t *header_of(const struct session_comparison *c, int side)
{
	return c->sides[side].session->header;
}

static const json_t *member(const json_t *from, const char *folder, const char *key)
{
	return json_object_get(*folder ? json_object_get(from, folder) : from, key);
}

static void consider_member(const struct session_comparison *c, struct differences *out, const char *what,
	bool of_device, const char *folder, const char *key)
{
	struct difference d = {.what = xstrdup(what)};
	for (int i = 0; i < c->count; i++) {
		const json_t *from = header_of(c, i);
		d.values[i] = words(member(of_device ? json_object_get(from, "device") : from, folder, key));
	}
	consider(out, c->count, d);
}

/* Every key that one of the sessions has in that object of its device. */
static void consider_all(const struct session_comparison *c, struct differences *out, const char *folder)
{
	json_t *seen = json_object();
	for (int i = 0; i < c->count; i++) {
		const char *key;
		json_t *v;
		json_object_foreach(json_object_get(json_object_get(header_of(c, i), "device"), folder), key, v)
		{
			if (json_object_get(seen, key))
				continue;
			json_object_set(seen, key, json_true());
			char *what = xasprintf("%s %s", folder, key);
			consider_member(c, out, what, true, folder, key);
			free(what);
		}
	}
	json_decref(seen);
}

/* The values of a text in all points, each once: "clang 15.0.6, prebuilt". */
static char *values_of_points(const struct session *s, const char *key)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (size_t i = 0; i < s->point_count; i++) {
		const char *text = record_get_text(json_object_get(s->points[i], "kernel"), key);
		if (*text && !strstr(b.data, text) && b.len < 200)
			buf_printf(&b, "%s%s", b.len ? ", " : "", text);
	}
	return b.data;
}

static char *clock_range(const struct session *s)
{
	double low = INFINITY, high = 0;
	char a[40], b[40];
	for (size_t i = 0; i < s->point_count; i++) {
		struct reading r = record_get_reading(s->points[i], "sclk_mhz");
		low = r.valid ? fmin(low, r.value) : low;
		high = r.valid ? fmax(high, r.value) : high;
	}
	if (!(high > 0))
		return xstrdup("no reading");
	units_format(a, sizeof a, low, low < high ? "" : "MHz", 4);
	return low < high ? xasprintf("%s..%s", a, units_format(b, sizeof b, high, "MHz", 4)) : xstrdup(a);
}

static void consider_points(const struct session_comparison *c, struct differences *out)
{
	static const struct {
		const char *what, *key;
	} texts[] = {{"kernel", "hash"}, {"compiler", "compiler"}};
	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		struct difference d = {.what = xstrdup(texts[t].what)};
		for (int i = 0; i < c->count; i++)
			d.values[i] = values_of_points(c->sides[i].session, texts[t].key);
		consider(out, c->count, d);
	}
	struct difference clock = {.what = xstrdup("core clock")};
	for (int i = 0; i < c->count; i++)
		clock.values[i] = clock_range(c->sides[i].session);
	consider(out, c->count, clock);
}

void differences_make(const struct session_comparison *c, struct differences *out)
{
	*out = (struct differences){0};
	consider_member(c, out, "device", true, "", "device");
	consider_member(c, out, "name", true, "", "name");
	consider_member(c, out, "target", true, "", "arch");
	consider_member(c, out, "deterministic", true, "", "deterministic");
	consider_all(c, out, "constants");
	consider_all(c, out, "versions");
	consider_member(c, out, "program", false, "", "program");
	consider_member(c, out, "definition", false, "definition", "hash");
	consider_member(c, out, "parameters", false, "", "params");
	consider_points(c, out);
}

void differences_free(struct differences *d)
{
	for (int i = 0; i < d->count; i++)
		drop(&d->list[i]);
	free(d->list);
	*d = (struct differences){0};
}
