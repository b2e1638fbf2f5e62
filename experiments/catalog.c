/* The experiments there are: a folder of chapters, each with its files. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "experiments/sweep.h"

enum { DEPTH_MAX = 4 };

/* As a course goes; chapters that are not named come behind, by name. */
static const char *const chapters[] = {
	"launch", "dispatch", "compute", "alu", "registers", "divergence", "memory", "caches", "lds", "channels", "math", "reduction", "convolution", "padding",
	"batchnorm", "address", "roofline", "transfer", "access", "coalescing", "transpose", "occupancy", "matrix", "sgemm", "throughput",
};
enum { CHAPTERS = sizeof chapters / sizeof *chapters };

static int chapter_rank(const char *name)
{
	int i = 0;
	while (i < CHAPTERS && strcmp(chapters[i], name))
		i++;
	return i;
}

static int in_order(const void *a, const void *b)
{
	const struct experiment *x = *(struct experiment *const *)a, *y = *(struct experiment *const *)b;
	int rank = chapter_rank(x->chapter) - chapter_rank(y->chapter);
	if (!rank)
		rank = strcmp(x->chapter, y->chapter);
	return rank ? rank : strcmp(x->id, y->id);
}

/* --- files --------------------------------------------------------------------------------------------------------------- */
struct reading_catalog {
	struct catalog *out;
	void (*bad)(void *ctx, const char *line);
	void *ctx;
};

static void report(const struct reading_catalog *r, const char *line)
{
	if (r->bad)
		r->bad(r->ctx, line);
}

static void add(struct catalog *c, struct experiment *x)
{
	x->catalog = c;
	c->list = xrealloc(c->list, (size_t)(c->count + 1) * sizeof *c->list);
	c->list[c->count++] = x;
}

static struct experiment *by_id(const struct catalog *c, const char *id)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->list[i]->id, id))
			return c->list[i];
	return NULL;
}

static void load_file(const struct reading_catalog *r, const char *path, const char *chapter)
{
	struct err e;
	struct experiment *x = experiment_load(path, &e);
	const struct experiment *same = x ? by_id(r->out, x->id) : NULL;
	if (x && same)
		err_set(&e, ST_REQUEST, "%s: there is an experiment '%s' already: %s; rename one of the files", path, x->id, same->path);
	if (!x || same) {
		report(r, e.text);
		experiment_free(x);
		return;
	}
	snprintf(x->chapter, sizeof x->chapter, "%.31s", chapter);
	add(r->out, x);
}

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);
	return len > n && !strcmp(name + len - n, end);
}

static bool is_definition(const char *name) { return ends_in(name, ".lua") && !ends_in(name, SHARED_SUFFIX); }

static int visible(const struct dirent *d) { return d->d_name[0] != '.'; }

static bool read_folder(const struct reading_catalog *r, const char *folder, int depth)
{
	struct dirent **names;
	const char *slash = strrchr(folder, '/');
	int count = scandir(folder, &names, visible, alphasort);
	if (count < 0)
		return false;
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]->d_name);
		struct stat st;
		if (!stat(path, &st) && S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			read_folder(r, path, depth + 1);
		else if (is_definition(names[i]->d_name))
			load_file(r, path, depth && slash ? slash + 1 : "own");
		free(path);
		free(names[i]);
	}
	free(names);
	return true;
}

/* One that measures others can be tried only when they are there: on the defaults, with each of the names it sweeps over. */
static bool try_others(struct experiment *x, struct err *e)
{
	double values[PARAMS_MAX];
	struct plan p;
	bool ok = true;
	if (x->work != WORK_OTHER)
		return true;
	plan_default(&p, x, false);
	for (int i = 0; ok && i < plan_points(&p); i++) {
		plan_values(&p, i, values);
		json_t *job = experiment_job(x, values, false, true, e);
		ok = job != NULL;
		json_decref(job);
	}
	plan_free(&p);
	return ok;
}

static void leave_out_broken(const struct reading_catalog *r)
{
	struct catalog *c = r->out;
	struct err e;
	for (int i = 0; i < c->count; i++) {
		if (try_others(c->list[i], &e))
			continue;
		report(r, e.text);
		experiment_free(c->list[i]);
		memmove(&c->list[i], &c->list[i + 1], (size_t)(--c->count - i) * sizeof *c->list);
		i--;
	}
}

bool catalog_load(const char *folder, struct catalog *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e)
{
	struct reading_catalog r = { out, bad, ctx };
	*out = (struct catalog){0};
	if (!read_folder(&r, folder, 0))
		return err_set(e, ST_REQUEST, "cannot read the experiments in %s: %s; run from the source tree or install the program again", folder,
		               strerror(errno));
	leave_out_broken(&r);
	if (out->count)
		qsort(out->list, (size_t)out->count, sizeof *out->list, in_order);
	return true;
}

void catalog_free(struct catalog *c)
{
	for (int i = 0; i < c->count; i++)
		experiment_free(c->list[i]);
	free(c->list);
	*c = (struct catalog){0};
}

bool experiment_runs_on(const struct experiment *x, const char *arch)
{
	for (int i = 0; *arch && i < x->needs_count; i++)
		if (!strncmp(arch, x->needs_arch[i], strlen(x->needs_arch[i])))
			return true;
	return !*arch || !x->needs_count;
}

/* --- look-up ------------------------------------------------------------------------------------------------------------- */
static struct experiment *own_file(struct catalog *c, const char *path, struct err *e)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->list[i]->path, path))
			return c->list[i];
	struct experiment *x = experiment_load(path, e);
	if (!x)
		return NULL;
	x->catalog = c;
	if (!try_others(x, e)) {
		experiment_free(x);
		return NULL;
	}
	add(c, x);
	return x;
}

struct experiment *catalog_find(struct catalog *c, const char *name, struct err *e)
{
	if (strchr(name, '/') || is_definition(name))
		return own_file(c, name, e);
	struct experiment *x = by_id(c, name);
	if (x)
		return x;
	const char **ids = xmalloc((size_t)c->count * sizeof *ids);
	for (int i = 0; i < c->count; i++)
		ids[i] = c->list[i]->id;
	const char *near = nearest_name(name, ids, c->count);
	err_set(e, ST_REQUEST, "there is no experiment '%.60s'; %s%s%s'wavedeck list' shows all, PATH.lua runs your own", name, near ? "did you mean '" : "",
	        near ? near : "", near ? "'? " : "");
	free(ids);
	return NULL;
}
