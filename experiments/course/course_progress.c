#include "experiments/course/course_progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/atomic_file.h"
#include "base/input_file.h"
#include "base/paths.h"

enum { PROGRESS_FILE_MAX = 1 << 20 };

/* NULL if the file is missing or cannot be read; *e has the reason, or no text if it is missing. */
static json_t *read_progress_file(const char *path, struct err *e)
{
	json_error_t why = {0};
	struct buf text = {0};
	const char *unread;
	bool read = input_file_read(path, PROGRESS_FILE_MAX, &text, &unread);
	if (!read && errno == ENOENT)
		return NULL;
	json_t *o = json_loadb(read && text.len ? text.data : "", read ? text.len : 0, 0, &why);
	buf_free(&text);
	if (json_is_object(o))
		return o;
	json_decref(o);
	if (!read)
		snprintf(why.text, sizeof why.text, "%s", unread);
	err_set(e, ST_FAILED, "%s:%d: %s; your progress starts from the beginning, and the file is kept as %s.bad",
		path, why.line, why.text[0] ? why.text : "not a JSON object", path);
	return NULL;
}

bool course_progress_load(struct course_progress *p, struct err *e)
{
	struct err why = {0};
	p->path = path_user_data("lessons.json");
	p->pages = read_progress_file(p->path, &why);
	if (!p->pages)
		p->pages = json_object();
	if (!why.text[0])
		return true;
	char *bad = xasprintf("%s.bad", p->path);
	rename(p->path, bad);
	free(bad);
	return err_set(e, why.status, "%s", why.text);
}

void course_progress_free(struct course_progress *p)
{
	json_decref(p->pages);
	free(p->path);
	*p = (struct course_progress){0};
}

const char *step_result_name(const struct step_result *r)
{
	if (!r->done)
		return "";
	return r->skipped ? "shown" : !r->choice ? "drawn" : r->right ? "right" : "wrong";
}

static const json_t *find_saved_step(const json_t *pages, const char *lesson, int step)
{
	char number[16];
	snprintf(number, sizeof number, "%d", step);
	return json_object_get(json_object_get(json_object_get(pages, lesson), "steps"), number);
}

struct step_result course_progress_get(const struct course_progress *p, const char *lesson, int step)
{
	const json_t *o = find_saved_step(p->pages, lesson, step), *curve = json_object_get(o, "curve");
	const char *time = json_string_value(json_object_get(o, "time"));
	struct step_result r = {
		.done = json_is_true(json_object_get(o, "done")),
		.skipped = json_is_true(json_object_get(o, "skipped")),
		.choice = (int)json_integer_value(json_object_get(o, "choice")),
		.right = json_is_true(json_object_get(o, "right")),
		.curve = json_is_number(curve) ? json_number_value(curve) : NAN,
		.tries = (int)json_integer_value(json_object_get(o, "tries")),
	};
	snprintf(r.time, sizeof r.time, "%s", time ? time : "");
	return r;
}

static json_t *result_json(const struct step_result *r)
{
	json_t *curve = isnan(r->curve) ? json_null() : json_real(r->curve);
	return json_pack("{s:b,s:b,s:i,s:b,s:o,s:i,s:s}", "done", r->done, "skipped", r->skipped, "choice", r->choice,
		"right", r->right, "curve", curve, "tries", r->tries, "time", r->time);
}

static void print_pages(FILE *out, const void *pages)
{
	json_dumpf(pages, out, JSON_INDENT(1) | JSON_SORT_KEYS);
}

static bool save_progress(const struct course_progress *p, struct err *e)
{
	char *folder = path_user_data("");
	bool ok = path_make_directories(folder, e) && file_write_atomic(p->path, print_pages, p->pages, "", e);
	free(folder);
	return ok;
}

static json_t *get_or_add_object(json_t *in, const char *name)
{
	json_t *o = json_object_get(in, name);
	if (json_is_object(o))
		return o;
	json_object_set_new(in, name, json_object());
	return json_object_get(in, name);
}

/* Results that another process has saved since the file was read. */
static void add_saved_steps(json_t *pages, json_t *saved)
{
	const char *id;
	json_t *page;
	json_object_foreach(saved, id, page)
	{
		json_t *steps = json_object_get(page, "steps");
		if (json_is_object(steps))
			json_object_update(get_or_add_object(get_or_add_object(pages, id), "steps"), steps);
	}
}

bool course_progress_put(
	struct course_progress *p, const char *lesson, int step, const struct step_result *r, struct err *e)
{
	char number[16];
	json_t *saved = read_progress_file(p->path, NULL);
	add_saved_steps(p->pages, saved);
	json_decref(saved);
	struct step_result before = course_progress_get(p, lesson, step),
			   now = before.done && !before.skipped ? before : *r;
	now.tries = before.tries + 1;
	if (!*now.time)
		now_utc(now.time);
	snprintf(number, sizeof number, "%d", step);
	json_object_set_new(get_or_add_object(get_or_add_object(p->pages, lesson), "steps"), number, result_json(&now));
	return save_progress(p, e);
}

struct lesson_totals course_progress_count(const struct course_progress *p, const struct lesson *l)
{
	struct lesson_totals t = {.steps = l->step_count};
	for (int i = 1; i <= l->step_count; i++) {
		struct step_result r = course_progress_get(p, l->id, i);
		t.done += r.done;
		t.chosen += r.choice > 0;
		t.right += r.right;
		t.tries += r.tries;
	}
	return t;
}
