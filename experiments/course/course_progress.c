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

struct lesson_result course_progress_get(const struct course_progress *p, const char *page)
{
	const json_t *o = json_object_get(p->pages, page), *curve = json_object_get(o, "curve");
	return (struct lesson_result){
		.done = json_is_true(json_object_get(o, "done")),
		.skipped = json_is_true(json_object_get(o, "skipped")),
		.choice = (int)json_integer_value(json_object_get(o, "choice")),
		.right = json_is_true(json_object_get(o, "right")),
		.curve = json_is_number(curve) ? json_number_value(curve) : NAN,
		.tries = (int)json_integer_value(json_object_get(o, "tries")),
	};
}

static json_t *result_json(const struct lesson_result *r)
{
	json_t *curve = isnan(r->curve) ? json_null() : json_real(r->curve);
	return json_pack("{s:b,s:b,s:i,s:b,s:o,s:i}", "done", r->done, "skipped", r->skipped, "choice", r->choice,
		"right", r->right, "curve", curve, "tries", r->tries);
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

bool course_progress_put(struct course_progress *p, const char *page, const struct lesson_result *r, struct err *e)
{
	struct lesson_result before = course_progress_get(p, page), now = before.done && !before.skipped ? before : *r;
	json_t *others = read_progress_file(p->path, NULL);
	now.tries = before.tries + 1;
	if (others) {
		json_object_update_missing(others, p->pages);
		json_decref(p->pages);
		p->pages = others;
	}
	json_object_set_new(p->pages, page, result_json(&now));
	return save_progress(p, e);
}
