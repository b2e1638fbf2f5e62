/* The catalog: a folder of chapters with definition files. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/definition/sweep_plan.h"
#include "softgpu/isa/isa.h"

enum { DEPTH_MAX = 4 };

/* In the order of the course; other chapters follow, by name. */
static const char *const chapters[] = {
	CAPTURED_CHAPTER,
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

static int compare_course_order(const void *a, const void *b)
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

static void report_bad_file(const struct catalog *c, const char *line)
{
	if (c->bad)
		c->bad(c->bad_ctx, line);
}

static void append_experiment(struct catalog *c, struct experiment *x)
{
	x->catalog = c;
	c->list = xrealloc(c->list, (size_t)(c->count + 1) * sizeof *c->list);
	c->list[c->count++] = x;
}

static struct experiment *find_loaded_experiment(const struct catalog *c, const char *id)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->list[i]->id, id))
			return c->list[i];
	return NULL;
}

static struct experiment *load_catalog_file(struct catalog *c, const struct catalog_file *f, struct err *e)
{
	struct experiment *x = experiment_load(f->path, e);
	const struct experiment *same = x ? find_loaded_experiment(c, x->id) : NULL;
	if (x && same)
		err_set(e, ST_REQUEST, "%s: duplicate experiment '%s', already defined in %s; rename one of the files",
			f->path, x->id, same->path);
	if (!x || same) {
		experiment_free(x);
		return NULL;
	}
	snprintf(x->chapter, sizeof x->chapter, "%s", f->chapter);
	append_experiment(c, x);
	return x;
}

static bool is_definition(const char *name)
{
	return path_has_suffix(name, ".lua") && !path_has_suffix(name, SHARED_SUFFIX);
}

static int is_visible_entry(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void add_pending_file(struct catalog *c, const char *path, const char *chapter)
{
	c->pending = xrealloc(c->pending, (size_t)(c->pending_count + 1) * sizeof *c->pending);
	struct catalog_file *f = &c->pending[c->pending_count++];
	f->path = xstrdup(path);
	snprintf(f->chapter, sizeof f->chapter, "%.31s", chapter);
}

static bool find_definition_files(struct catalog *c, const char *folder, int depth)
{
	struct dirent **names;
	int count = scandir(folder, &names, is_visible_entry, alphasort);
	if (count < 0)
		return false;
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]->d_name);
		struct stat st;
		if (is_definition(names[i]->d_name))
			add_pending_file(c, path, depth ? path_basename(folder) : "own");
		else if (depth < DEPTH_MAX && !stat(path, &st) && S_ISDIR(st.st_mode))
			find_definition_files(c, path, depth + 1);
		free(path);
		free(names[i]);
	}
	free(names);
	return true;
}

/* An experiment that measures others can be checked only when they are loaded: at each point of its default sweep. */
static bool check_delegated_points(struct experiment *x, struct err *e)
{
	double values[PARAMS_MAX];
	struct plan p;
	bool ok = true;
	if (x->work != WORK_DELEGATED)
		return true;
	plan_init_default(&p, x, false, "");
	for (int i = 0; ok && i < plan_point_count(&p); i++) {
		plan_point_values(&p, i, values);
		json_t *job = experiment_build_job(x, values, false, "", true, e);
		ok = job != NULL;
		json_decref(job);
	}
	plan_free(&p);
	return ok;
}

static void drop_experiment(struct catalog *c, struct experiment *x)
{
	int i = 0;
	while (c->list[i] != x)
		i++;
	memmove(&c->list[i], &c->list[i + 1], (size_t)(--c->count - i) * sizeof *c->list);
	experiment_free(x);
}

static void drop_broken_experiments(struct catalog *c)
{
	struct err e;
	for (int i = c->count - 1; i >= 0; i--)
		if (!check_delegated_points(c->list[i], &e)) {
			report_bad_file(c, e.text);
			drop_experiment(c, c->list[i]);
		}
}

static void free_pending_files(struct catalog *c)
{
	for (int i = 0; i < c->pending_count; i++)
		free(c->pending[i].path);
	free(c->pending);
	c->pending = NULL;
	c->pending_count = c->pending_next = 0;
}

bool catalog_open(
	const char *folder, struct catalog *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e)
{
	*out = (struct catalog){.bad = bad, .bad_ctx = ctx};
	return find_definition_files(out, folder, 0) ||
		err_set(e, ST_REQUEST,
			"cannot read the experiments in %s: %s; run from the source tree or reinstall wavedeck", folder,
			strerror(errno));
}

bool catalog_load_next(struct catalog *c)
{
	struct err e;
	if (!c->pending)
		return false;
	while (c->pending_next < c->pending_count && !c->pending[c->pending_next].path)
		c->pending_next++;
	if (c->pending_next < c->pending_count) {
		if (!load_catalog_file(c, &c->pending[c->pending_next++], &e))
			report_bad_file(c, e.text);
		return true;
	}
	free_pending_files(c);
	drop_broken_experiments(c);
	if (c->count)
		qsort(c->list, (size_t)c->count, sizeof *c->list, compare_course_order);
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
	for (int i = 0; i < c->replaced_count; i++)
		experiment_free(c->replaced[i]);
	free(c->replaced);
	free(c->list);
	free_pending_files(c);
	*c = (struct catalog){0};
}

bool experiment_supports_arch(const struct experiment *x, const char *arch)
{
	for (int i = 0; *arch && i < x->needs_count; i++)
		if (!strncmp(arch, x->needs_arch[i], strlen(x->needs_arch[i])))
			return true;
	return !*arch || !x->needs_count;
}

const char *experiment_code_arch(const struct experiment *x, const char *arch)
{
	return experiment_supports_arch(x, arch) || !isa_target_by_name(x->needs_arch[0]) ? arch : x->needs_arch[0];
}

/* --- lookup --- */
static struct experiment *load_user_file(struct catalog *c, const char *path, struct err *e)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->list[i]->path, path))
			return c->list[i];
	struct experiment *x = experiment_load(path, e);
	if (!x)
		return NULL;
	x->catalog = c;
	if (!check_delegated_points(x, e)) {
		experiment_free(x);
		return NULL;
	}
	append_experiment(c, x);
	return x;
}

static char *pending_file_id(const struct catalog_file *f)
{
	const char *name = path_basename(f->path);
	return xasprintf("%.*s", (int)strlen(name) - 4, name);
}

/* The pending file with this id, else NULL. */
static struct catalog_file *find_pending_file(const struct catalog *c, const char *id)
{
	struct catalog_file *found = NULL;
	for (int i = c->pending_next; !found && i < c->pending_count; i++) {
		char *own = c->pending[i].path ? pending_file_id(&c->pending[i]) : NULL;
		if (own && !strcmp(own, id))
			found = &c->pending[i];
		free(own);
	}
	return found;
}

/* Loads a file early, because it was requested. */
static struct experiment *load_pending_file(struct catalog *c, struct catalog_file *f, struct err *e)
{
	struct catalog_file taken = *f;
	f->path = NULL;
	struct experiment *x = load_catalog_file(c, &taken, e);
	free(taken.path);
	if (x && !check_delegated_points(x, e)) {
		drop_experiment(c, x);
		x = NULL;
	}
	if (!x)
		report_bad_file(c, e->text);
	return x;
}

bool catalog_contains(const struct catalog *c, const char *id)
{
	return find_loaded_experiment(c, id) || find_pending_file(c, id);
}

int catalog_list_ids(const struct catalog *c, char ***out)
{
	int count = 0;
	char **ids = *out = xcalloc((size_t)(c->count + c->pending_count) + 1, sizeof *ids);
	for (int i = 0; i < c->count; i++)
		ids[count++] = xstrdup(c->list[i]->id);
	for (int i = c->pending_next; i < c->pending_count; i++)
		if (c->pending[i].path)
			ids[count++] = pending_file_id(&c->pending[i]);
	return count;
}

/* "did you mean 'a', 'b' or 'c'? ": ids that contain the name, else the most similar one. Empty: none. */
static char *format_similar_ids(const char *name, const char *const *ids, int count)
{
	enum { OFFERED_MAX = 3 };
	struct buf b = {0};
	const char *found[OFFERED_MAX];
	int n = 0;
	for (int i = 0; *name && i < count && n < OFFERED_MAX; i++)
		if (strstr(ids[i], name))
			found[n++] = ids[i];
	if (!n && (found[0] = find_nearest_name(name, ids, count)))
		n = 1;
	buf_puts(&b, n ? "did you mean " : "");
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s'%s'", !i ? "" : i + 1 < n ? ", " : " or ", found[i]);
	buf_puts(&b, n ? "? " : "");
	return b.data;
}

static void set_unknown_experiment(const struct catalog *c, const char *name, struct err *e)
{
	char **ids;
	if (strchr(name, '=')) {
		err_set(e, ST_REQUEST,
			"expected an experiment before '%.60s'; write its name first, then its parameters", name);
		return;
	}
	int count = catalog_list_ids(c, &ids);
	char *similar = format_similar_ids(name, (const char *const *)ids, count);
	err_set(e, ST_REQUEST, "unknown experiment '%.60s'; %s`wavedeck list` shows all, PATH.lua runs your own", name,
		similar);
	free(similar);
	for (int i = 0; i < count; i++)
		free(ids[i]);
	free(ids);
}

struct experiment *catalog_find(struct catalog *c, const char *name, struct err *e)
{
	struct err why;
	if (strchr(name, '/') || is_definition(name))
		return load_user_file(c, name, e);
	struct experiment *x = find_loaded_experiment(c, name);
	struct catalog_file *pending = x ? NULL : find_pending_file(c, name);
	if (pending && !(x = load_pending_file(c, pending, &why)))
		err_set(e, why.status, "%s", why.text);
	else if (!x)
		set_unknown_experiment(c, name, e);
	return x;
}

/* --- files that were saved --- */
static void replace_experiment(struct catalog *c, struct experiment *old, struct experiment *x)
{
	int i = 0;
	while (c->list[i] != old)
		i++;
	c->list[i] = x;
	c->replaced = xrealloc(c->replaced, (size_t)(c->replaced_count + 1) * sizeof *c->replaced);
	c->replaced[c->replaced_count++] = old;
}

struct experiment *catalog_reload(struct catalog *c, struct experiment *old, struct err *e)
{
	struct experiment *x = experiment_load(old->path, e);
	if (!x)
		return NULL;
	x->catalog = c;
	snprintf(x->chapter, sizeof x->chapter, "%s", old->chapter);
	if (!check_delegated_points(x, e)) {
		experiment_free(x);
		return NULL;
	}
	replace_experiment(c, old, x);
	return x;
}
