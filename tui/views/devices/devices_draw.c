/* The device view: the list of devices; details and self-test of the selected one. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/vendor/vendor_words.h"
#include "tui/views/devices/devices_view.h"
#include "tui/shell/screen_draw.h"
#include "gpu/protocol/header_record.h"

enum { LIST_LEAST = 4, LIST_MOST = 14, NAME_COLUMNS = 22, VALUE_COLUMNS = 20, FROM_COLUMNS = 12 };

/* --- the list --- */
static const struct {
	const char *name;
	int role;
} states[] = {
	[DEVICE_NOT_QUERIED] = {"waiting", ROLE_DIM},
	[DEVICE_OPENING] = {"opening", ROLE_DIM},
	[DEVICE_READY] = {"ready", ROLE_OK},
	[DEVICE_MISSING] = {"missing", ROLE_DIM},
};

/* GPUs with waves of 32 lanes (RDNA) count work-group processors, of two CUs each: "48 WGP (96 CU)". */
static const char *device_format_units(const char *arch, double units, double lanes, char *out, size_t size)
{
	if (vendor_is_nvidia(arch))
		snprintf(out, size, "%.0f SM", units);
	else if (lanes == 32)
		snprintf(out, size, "%.0f WGP (%.0f CU)", units, 2 * units);
	else
		snprintf(out, size, "%.0f CU", units);
	return out;
}

/* "AMD Radeon Instinct MI25 gfx900  64 CU  16.0 GiB". */
static void row_text(const struct device_row *r, char *out, size_t size)
{
	const json_t *p = device_get_properties(r->record);
	struct reading units = record_get_reading(p, "compute_units"), bytes = record_get_reading(p, "memory_bytes");
	char memory[40], room[40];
	size_t n = (size_t)snprintf(out, size, "%s", r->text);
	if (r->record && n < size)
		n += (size_t)snprintf(out + n, size - n, " %s", device_get_arch(r->record));
	if (units.valid && n < size)
		n += (size_t)snprintf(out + n, size - n, "  %s",
			device_format_units(device_get_arch(r->record), units.value,
				record_get_reading(p, "lanes_per_wave").value, room, sizeof room));
	if (bytes.valid && n < size)
		snprintf(out + n, size - n, "  %s", units_format(memory, sizeof memory, bytes.value, "B", 3));
}

/* A click selects, unless the name is too long for an argument; on the selected row it acts as Enter. */
static struct mouse_region hit_on(const char *name, bool chosen)
{
	struct mouse_region hit = {.click = chosen ? "device-enter" : "device-down"};
	size_t n = strlen(name);
	if (!chosen && n < sizeof hit.argument)
		memcpy(hit.argument, name, n + 1);
	else if (!chosen)
		hit.click = NULL;
	return hit;
}

/* A selected row is filled, so that it is visible over its whole width. Returns the role of its texts. */
static int begin_row(const struct app *a, struct area in, int y, bool chosen, int role)
{
	for (int x = 0; chosen && x < in.r.w; x++)
		area_draw_text(in, x, y, ROLE_SELECTED, " ");
	if (chosen)
		area_draw_text(in, 0, y, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT));
	return chosen ? ROLE_SELECTED : role;
}

static void draw_device_row(const struct app *a, struct area in, int y, int i)
{
	const struct device_row *r = devices_view_of(a)->rows[i];
	bool chosen = i == devices_view_of(a)->chosen, used = !strcmp(r->device, a->device);
	char text[640];
	int names = in.r.w >= 70 ? 22 : 14;
	row_text(r, text, sizeof text);
	int role = begin_row(a, in, y, chosen, ROLE_TEXT);
	if (used)
		area_draw_text(in, 1, y, chosen ? role : ROLE_OK, glyph_text(a->ascii, GLYPH_KNOB));
	area_draw_fitted(in, 3, y, names, role, r->device);
	area_draw_text(in, 4 + names, y, chosen ? role : states[r->state].role, states[r->state].name);
	if (r->state != DEVICE_OPENING) /* the state column has it */
		area_draw_fitted(in, 12 + names, y, in.r.w - 12 - names,
			!chosen && r->state == DEVICE_MISSING ? ROLE_DIM : role, text);
	area_add_hit(in, 0, y, in.r.w, 1, hit_on(r->device, chosen && !devices_view_of(a)->in_details));
}

static void view_list_of(const struct app *a, struct area at)
{
	const struct device_view *v = devices_view_of(a);
	char title[80];
	snprintf(title, sizeof title, "%s measures here", glyph_text(a->ascii, GLYPH_KNOB));
	area_draw_frame(at, !v->in_details, "Devices", title);
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	int first = list_first_visible_row(v->chosen, in.r.h, v->count);
	for (int i = 0; i < in.r.h && first + i < v->count; i++)
		draw_device_row(a, in, i, first + i);
}

/* --- the self-test --- */
static bool any_result(const struct app *a, const struct device_row *r)
{
	bool any = devices_view_of(a)->tested_row >= 0 && devices_view_of(a)->rows[devices_view_of(a)->tested_row] == r;
	for (int t = 0; t < SELFTEST_COUNT; t++)
		any |= r->tested[t];
	return any;
}

static void view_test(const struct app *a, const struct device_row *r, struct area at)
{
	static const struct {
		const char *name;
		int role;
	} verdicts[] = {
		[SELFTEST_GOOD] = {"good", ROLE_OK},
		[SELFTEST_NOTE] = {"note", ROLE_WARN},
		[SELFTEST_BAD] = {"bad", ROLE_BAD},
	};
	const struct device_view *v = devices_view_of(a);
	bool running = v->tested_row >= 0 && v->rows[v->tested_row] == r;
	char text[64];
	snprintf(text, sizeof text, "%d of %d, Esc cancels", v->test_number + 1, (int)SELFTEST_COUNT);
	area_draw_frame(at, false, "Self-test", running ? text : "");
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	for (int t = 0; t < SELFTEST_COUNT && t < in.r.h; t++) {
		const struct selftest_result *q = &r->results[t];
		int titles = in.r.w >= 60 ? 20 : 12;
		bool now = running && t == v->test_number;
		area_draw_fitted(in, 5, t, titles, ROLE_TEXT, selftest_title((enum selftest)t));
		if (!r->tested[t]) {
			if (now && background_job_state(v->test) == BACKGROUND_BUSY)
				area_printf(in, 6 + titles, t, ROLE_DIM, "running, %.0f %%", 100 * v->test_part);
			else if (now)
				area_draw_text(in, 6 + titles, t, ROLE_DIM, background_job_status_text(v->test));
			continue;
		}
		area_draw_text(in, 0, t, verdicts[q->verdict].role, verdicts[q->verdict].name);
		area_draw_right(in, 17 + titles, t, ROLE_TITLE,
			selftest_format_value((enum selftest)t, q->value, text, sizeof text));
		area_draw_fitted(in, 19 + titles, t, in.r.w - 19 - titles, ROLE_DIM, q->text);
	}
}

/* --- the details --- */
static int from_role(const char *from)
{
	if (!strcmp(from, "rocm-smi") || !strcmp(from, "amd-smi") || !strcmp(from, "nvml"))
		return ROLE_TITLE;
	return !strncmp(from, "assumed", 7) ? ROLE_WARN : ROLE_DIM;
}

static void underline_match(const char *search, const char *name, struct area in, int x, int y)
{
	const char *at = *search ? strcasestr(name, search) : NULL;
	if (at)
		area_add_attr(in, x + (int)(at - name), y, (int)strlen(search), ATTR_UNDERLINE);
}

static void detail_row(const struct app *a, const struct device_detail *d, bool chosen, struct area in, int y)
{
	int from = in.r.w >= 120 ? 40 : in.r.w >= 60 ? in.r.w - NAME_COLUMNS - VALUE_COLUMNS - 4 : FROM_COLUMNS;
	int role = begin_row(a, in, y, chosen, ROLE_TEXT), value = 3 + NAME_COLUMNS, source = value + 1 + VALUE_COLUMNS,
	    help = source + 1 + from;
	area_draw_fitted(in, 2, y, NAME_COLUMNS, role, d->name);
	area_draw_fitted(in, value, y, VALUE_COLUMNS, chosen ? role : ROLE_TITLE, d->value);
	area_draw_fitted(in, source, y, from, chosen ? role : from_role(d->from), d->from);
	if (in.r.w >= 120)
		area_draw_fitted(in, help, y, in.r.w - help, chosen ? role : ROLE_DIM, d->help);
	underline_match(devices_view_of(a)->search, d->name, in, 2, y);
	if (d->alterable)
		area_add_hit(in, 0, y, in.r.w, 1, hit_on(d->name, chosen));
}

static void is_missing(const struct device_row *r, struct area in)
{
	const char *text = r->text;
	for (int y = 0; *text && y < in.r.h; y++) {
		size_t n = text_fit_bytes(text, in.r.w);
		area_printf(in, 0, y, r->state == DEVICE_MISSING ? ROLE_WARN : ROLE_DIM, "%.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
}

static void draw_device_details(const struct app *a, struct device_row *r, struct area at)
{
	const struct device_view *v = devices_view_of(a);
	char place[80];
	int count = 0;
	const struct device_detail *d = devices_view_details(r, a->ascii, &count);
	snprintf(place, sizeof place, "%d of %d", v->detail + 1, count);
	area_draw_frame(at, v->in_details, r->device, count ? place : "");
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	if (!count) {
		is_missing(r, in);
		return;
	}
	bool told = in.r.w < 120 && in.r.h >= 4; /* below the details, if the help has no column */
	int rows = in.r.h - told, first = list_first_visible_row(v->detail, rows, count);
	for (int i = 0; i < rows && first + i < count; i++)
		detail_row(a, &d[first + i], v->in_details && first + i == v->detail, in, i);
	if (told && v->in_details && v->detail < count) {
		const struct device_detail *one = &d[v->detail];
		char text[400];
		snprintf(text, sizeof text, one->alterable ? "%s; %s..%s, Enter changes it" : "%s", one->help,
			one->low ? one->low : "", one->high ? one->high : "");
		area_draw_fitted(in, 0, rows, in.r.w, ROLE_KEY, text);
	}
}

void devices_view_draw(const struct app *a, struct area at)
{
	const struct device_view *v = devices_view_of(a);
	struct device_row *r = devices_view_selected(a);
	if (!v)
		return;
	int w = at.r.w, h = at.r.h, list = v->count + 2 > LIST_MOST ? LIST_MOST : v->count + 2;
	list = list > h / 2 && h / 2 >= LIST_LEAST ? h / 2 : list > h ? h : list;
	int test = r && any_result(a, r) ? SELFTEST_COUNT + 2 : 0;
	if (list + test + LIST_LEAST > h && test)
		test = v->in_details ? 0 : h - list > 3 ? h - list : 0;
	view_list_of(a, area_sub(at, 0, 0, w, list));
	int details = h - list - test;
	if (r && details >= 3)
		draw_device_details(a, r, area_sub(at, 0, list, w, details));
	if (test)
		view_test(a, r, area_sub(at, 0, list + details, w, test));
}
