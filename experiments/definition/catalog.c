/* The experiments there are: a folder of chapters, each with its files. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/sweep/sweep.h"

enum { DEPTH_MAX = 4 };

/* As a course goes; chapters that are not named come behind, by name. */
static const char *const chapters[] = {
	"launch",
	"dispatch",
	"compute",
	"alu",
	"registers",
	"divergence",
	"memory",
	"caches",
	"lds",
	"channels",
	"math",
	"reduction",
	"convolution",
	"padding",
	"batchnorm",
	"address",
	"roofline",
	"transfer",
	"access",
	"coalescing",
	"transpose",
	"occupancy",
	"matrix",
	"sgemm",
	"throughput",
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

/* --- files --- */
struct catalog_file {
	char *path;
	char chapter[32];
};

static void report(const struct catalog *c, const char *line)
{
	if (c->bad)
		c->bad(c->bad_ctx, line);
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

static struct experiment *load_file(struct catalog *c, const struct catalog_file *f, struct err *e)
{
	struct experiment *x = experiment_load(f->path, e);
	const struct experiment *same = x ? by_id(c, x->id) : NULL;
	if (x && same)
		err_set(e, ST_REQUEST, "%s: there is an experiment '%s' already: %s; rename one of the files", f->path,
			x->id, same->path);
	if (!x || same) {
		experiment_free(x);
		return NULL;
	}
	snprintf(x->chapter, sizeof x->chapter, "%s", f->chapter);
	add(c, x);
	return x;
}

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);
	return len > n && !strcmp(name + len - n, end);
}

static bool is_definition(const char *name)
{
	return ends_in(name, ".lua") && !ends_in(name, SHARED_SUFFIX);
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void wait_for(struct catalog *c, const char *path, const char *chapter)
{
	c->waiting = xrealloc(c->waiting, (size_t)(c->waiting_count + 1) * sizeof *c->waiting);
	struct catalog_file *f = &c->waiting[c->waiting_count++];
	f->path = xstrdup(path);
	snprintf(f->chapter, sizeof f->chapter, "%.31s", chapter);
}

static bool find_files(struct catalog *c, const char *folder, int depth)
{
	struct dirent **names;
	int count = scandir(folder, &names, visible, alphasort);
	if (count < 0)
		return false;
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]->d_name);
		struct stat st;
		if (is_definition(names[i]->d_name))
			wait_for(c, path, depth ? path_basename(folder) : "own");
		else if (depth < DEPTH_MAX && !stat(path, &st) && S_ISDIR(st.st_mode))
			find_files(c, path, depth + 1);
		free(path);
		free(names[i]);
	}
	free(names);
	return true;
}

/* One that measures others can be tried only when they are there: on the defaults, with each of the names it sweeps
 * over. */
static bool try_others(struct experiment *x, struct err *e)
{
	double values[PARAMS_MAX];
	struct plan p;
	bool ok = true;
	if (x->work != WORK_DELEGATED)
		return true;
	plan_init_default(&p, x, false);
	for (int i = 0; ok && i < plan_point_count(&p); i++) {
		plan_point_values(&p, i, values);
		json_t *job = experiment_build_job(x, values, false, true, e);
		ok = job != NULL;
		json_decref(job);
	}
	plan_free(&p);
	return ok;
}

static void leave_out(struct catalog *c, struct experiment *x)
{
	int i = 0;
	while (c->list[i] != x)
		i++;
	memmove(&c->list[i], &c->list[i + 1], (size_t)(--c->count - i) * sizeof *c->list);
	experiment_free(x);
}

static void leave_out_broken(struct catalog *c)
{
	struct err e;
	for (int i = c->count - 1; i >= 0; i--)
		if (!try_others(c->list[i], &e)) {
			report(c, e.text);
			leave_out(c, c->list[i]);
		}
}

static void forget_waiting(struct catalog *c)
{
	for (int i = 0; i < c->waiting_count; i++)
		free(c->waiting[i].path);
	free(c->waiting);
	c->waiting = NULL;
	c->waiting_count = c->waiting_next = 0;
}

bool catalog_open(
	const char *folder, struct catalog *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e)
{
	*out = (struct catalog){.bad = bad, .bad_ctx = ctx};
	return find_files(out, folder, 0) ||
		err_set(e, ST_REQUEST,
			"cannot read the experiments in %s: %s; run from the source tree or install the program again",
			folder, strerror(errno));
}

bool catalog_load_next(struct catalog *c)
{
	struct err e;
	if (!c->waiting)
		return false;
	while (c->waiting_next < c->waiting_count && !c->waiting[c->waiting_next].path)
		c->waiting_next++;
	if (c->waiting_next < c->waiting_count) {
		if (!load_file(c, &c->waiting[c->waiting_next++], &e))
			report(c, e.text);
		return true;
	}
	forget_waiting(c);
	leave_out_broken(c);
	if (c->count)
		qsort(c->list, (size_t)c->count, sizeof *c->list, in_order);
	return false;
}

bool catalog_load(
	const char *folder, struct catalog *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e)
{
	if (!catalog_open(folder, out, bad, ctx, e))
		return false;
	while (catalog_load_next(out))
		;
	return true;
}

void catalog_free(struct catalog *c)
{
	for (int i = 0; i < c->count; i++)
		experiment_free(c->list[i]);
	free(c->list);
	forget_waiting(c);
	*c = (struct catalog){0};
}

bool experiment_supports_arch(const struct experiment *x, const char *arch)
{
	for (int i = 0; *arch && i < x->needs_count; i++)
		if (!strncmp(arch, x->needs_arch[i], strlen(x->needs_arch[i])))
			return true;
	return !*arch || !x->needs_count;
}

/* --- look-up --- */
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

static char *id_of(const struct catalog_file *f)
{
	const char *name = path_basename(f->path);
	return xasprintf("%.*s", (int)strlen(name) - 4, name);
}

/* The file that still waits under this id, else NULL. */
static struct catalog_file *waiting_for(const struct catalog *c, const char *id)
{
	struct catalog_file *found = NULL;
	for (int i = c->waiting_next; !found && i < c->waiting_count; i++) {
		char *own = c->waiting[i].path ? id_of(&c->waiting[i]) : NULL;
		if (own && !strcmp(own, id))
			found = &c->waiting[i];
		free(own);
	}
	return found;
}

/* Out of its turn, because it is asked for. */
static struct experiment *load_waiting(struct catalog *c, struct catalog_file *f, struct err *e)
{
	struct catalog_file taken = *f;
	f->path = NULL;
	struct experiment *x = load_file(c, &taken, e);
	free(taken.path);
	if (x && !try_others(x, e)) {
		leave_out(c, x);
		x = NULL;
	}
	if (!x)
		report(c, e->text);
	return x;
}

bool catalog_contains(const struct catalog *c, const char *id)
{
	return by_id(c, id) || waiting_for(c, id);
}

int catalog_list_ids(const struct catalog *c, char ***out)
{
	int count = 0;
	char **ids = *out = xcalloc((size_t)(c->count + c->waiting_count) + 1, sizeof *ids);
	for (int i = 0; i < c->count; i++)
		ids[count++] = xstrdup(c->list[i]->id);
	for (int i = c->waiting_next; i < c->waiting_count; i++)
		if (c->waiting[i].path)
			ids[count++] = id_of(&c->waiting[i]);
	return count;
}

static void unknown(const struct catalog *c, const char *name, struct err *e)
{
	char **ids;
	if (strchr(name, '=')) {
		err_set(e, ST_REQUEST, "'%.60s' is no experiment; its name comes first, before its parameters", name);
		return;
	}
	int count = catalog_list_ids(c, &ids);
	const char *near = find_nearest_name(name, (const char *const *)ids, count);
	err_set(e, ST_REQUEST,
		"there is no experiment '%.60s'; %s%s%s'wavedeck list' shows all, PATH.lua runs your own", name,
		near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
	for (int i = 0; i < count; i++)
		free(ids[i]);
	free(ids);
}

struct experiment *catalog_find(struct catalog *c, const char *name, struct err *e)
{
	struct err why;
	if (strchr(name, '/') || is_definition(name))
		return own_file(c, name, e);
	struct experiment *x = by_id(c, name);
	struct catalog_file *waiting = x ? NULL : waiting_for(c, name);
	if (waiting && !(x = load_waiting(c, waiting, &why)))
		err_set(e, why.status, "%s", why.text);
	else if (!x)
		unknown(c, name, e);
	return x;
}
