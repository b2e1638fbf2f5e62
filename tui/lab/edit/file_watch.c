#include "tui/lab/edit/file_watch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/definition/kernel_copy.h"
#include "experiments/definition/native_permission.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"

enum {
	SETTLE_MS = 150, /* editors write in several steps, or rename a new file over the old one */
	FILES_MAX = 32,
};

/* A file by the watch descriptor of its folder, and as the compiler listed it, or its path. */
struct watched_file {
	int folder;
	char *listed;
};

struct file_watch {
	int fd;
	int definition_folder, kernel_folder; /* watch descriptors; -1: none */
	const struct experiment *x;           /* whose files are watched */
	double values[PARAMS_MAX];
	char *definition, *kernel;            /* paths, owned; kernel NULL: none */
	struct watched_file files[FILES_MAX]; /* the reference's, and what the compiler read, in other folders too */
	int file_count, points;               /* points: of the curve, when the list was made */
	int saves;
};

/* --- which files --- */
static int watch_folder_of(const struct file_watch *w, const char *path)
{
	if (!path)
		return -1;
	char *folder = xasprintf("%.*s", (int)(path_basename(path) - path), path);
	int id = inotify_add_watch(w->fd, *folder ? folder : ".", IN_CLOSE_WRITE | IN_MOVED_TO);
	free(folder);
	return id;
}

static void remove_watch(struct file_watch *w, int *folder)
{
	if (*folder >= 0)
		inotify_rm_watch(w->fd, *folder);
	*folder = -1;
}

static void forget_files(struct file_watch *w)
{
	while (w->file_count) {
		struct watched_file *f = &w->files[--w->file_count];
		remove_watch(w, &f->folder);
		free(f->listed);
	}
	remove_watch(w, &w->definition_folder);
	remove_watch(w, &w->kernel_folder);
	free(w->definition);
	free(w->kernel);
	w->definition = w->kernel = NULL;
	w->x = NULL;
	w->points = 0;
}

static bool is_watched(const struct file_watch *w, int folder, const char *name)
{
	for (int i = 0; i < w->file_count; i++)
		if (w->files[i].folder == folder && !strcmp(path_basename(w->files[i].listed), name))
			return true;
	return false;
}

/* `listed` is relative to the kernel's folder (kernel_inputs.h). Most points list the same files. */
static void watch_file(struct file_watch *w, const char *listed)
{
	for (int i = 0; i < w->file_count; i++)
		if (!strcmp(w->files[i].listed, listed))
			return;
	if (w->file_count == FILES_MAX)
		return;
	char *path = xasprintf("%.*s%s", (int)(path_basename(w->kernel) - w->kernel), w->kernel, listed);
	w->files[w->file_count++] = (struct watched_file){watch_folder_of(w, path), xstrdup(listed)};
	free(path);
}

static void watch_reference(struct file_watch *w, const struct experiment *x)
{
	char *path = native_source_path(x);
	if (path)
		w->files[w->file_count++] = (struct watched_file){watch_folder_of(w, path), path};
}

/* What the kernel includes, as the compiler listed it for the points that were measured: looked at when the first one
 * has ended, and the last one. */
static void follow_includes(struct file_watch *w, const struct lab *b)
{
	const struct measured_curve *c = &b->curve;
	bool first = !w->points && c->ended, last = c->ended == c->count;
	if (!w->kernel || w->points == c->ended || !(first || last || c->ended < w->points))
		return;
	w->points = c->ended;
	for (int i = 0; i < c->count; i++) {
		const char *name;
		json_t *hash;
		json_object_foreach(json_object_get(json_object_get(c->points[i].record, "kernel"), "files"), name,
			hash) watch_file(w, name);
	}
}

/* The settings select the kernel: variants may have files of their own. */
static void follow_experiment(struct app *a)
{
	struct file_watch *w = a->watch;
	struct lab *b = app_current_lab(a);
	if (!b)
		return;
	if (w->x == b->x && !memcmp(w->values, b->values, sizeof w->values)) {
		follow_includes(w, b);
		return;
	}
	forget_files(w);
	w->x = b->x;
	memcpy(w->values, b->values, sizeof w->values);
	w->definition = xstrdup(b->x->path);
	w->kernel = kernel_source_path(b->x, b->values, NULL);
	w->definition_folder = watch_folder_of(w, w->definition);
	w->kernel_folder = watch_folder_of(w, w->kernel);
	watch_reference(w, b->x);
	follow_includes(w, b);
}

static bool has_ending(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);
	return n > k && !strcmp(name + n - k, end);
}

static bool is_definition_file(const struct file_watch *w, const char *name)
{
	return !strcmp(name, path_basename(w->definition)) || has_ending(name, SHARED_SUFFIX);
}

/* Before a point is measured, any header of its folder may be one of the kernel. */
static bool is_kernel_file(const struct file_watch *w, int folder, const char *name)
{
	bool is_near = w->kernel && folder == w->kernel_folder &&
		(!strcmp(name, path_basename(w->kernel)) || has_ending(name, ".inc") || has_ending(name, ".h"));
	return is_near || is_watched(w, folder, name);
}

/* --- what was saved --- */
/* A file that cannot be read leaves everything as it is, and the user corrects it. */
static bool reload_definition(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct experiment *old = b->x;
	struct err e = {0};
	measure_drop_sweep(a);
	struct experiment *x = catalog_reload(&a->catalog, old, &e);
	if (!x) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return false;
	}
	if (b->original == old)
		b->original = x;
	if (!lab_take_definition(b, x, a->soft))
		undo_forget_lab(a, b);
	validation_free(&b->published);
	if (!validation_make_for(&a->published, x, true, &b->published, &e))
		app_show_message(a, ROLE_WARN, "%s", e.text);
	device_take_numbers(a);
	return true;
}

static void on_save(struct app *a, bool definition, const char *name)
{
	struct file_watch *w = a->watch;
	w->saves++;
	if (definition && !reload_definition(a))
		return;
	if (definition)
		w->x = NULL; /* it may name another kernel */
	app_show_message(a, ROLE_DIM, "%s was saved; measuring again", name);
	measure_start_after(a, SETTLE_MS);
}

struct saved_files {
	bool definition, kernel;
	char name[NAME_MAX + 1];
};

static void note_event(const struct file_watch *w, const struct inotify_event *event, struct saved_files *out)
{
	bool definition = event->wd == w->definition_folder && event->len && is_definition_file(w, event->name),
	     kernel = event->len && is_kernel_file(w, event->wd, event->name);
	if (!definition && !kernel)
		return;
	out->definition |= definition;
	out->kernel |= kernel;
	snprintf(out->name, sizeof out->name, "%s", event->name);
}

static struct saved_files read_events(const struct file_watch *w)
{
	_Alignas(struct inotify_event) char bytes[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
	struct saved_files saved = {0};
	for (ssize_t n; (n = read(w->fd, bytes, sizeof bytes)) > 0;)
		for (char *at = bytes; at < bytes + n;) {
			const struct inotify_event *event = (const struct inotify_event *)at;
			note_event(w, event, &saved);
			at += sizeof *event + event->len;
		}
	return saved;
}

void file_watch_pump(struct app *a)
{
	if (!a->watch || !a->loaded)
		return;
	struct saved_files saved = read_events(a->watch);
	if ((saved.definition || saved.kernel) && app_current_lab(a))
		on_save(a, saved.definition, saved.name);
	follow_experiment(a);
}

/* --- on, off --- */
void file_watch_enable(struct app *a, bool on)
{
	if (!on || a->watch) {
		if (!on)
			file_watch_close(a);
		return;
	}
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (fd < 0) {
		app_show_message(a, ROLE_BAD, "cannot watch files: %s", strerror(errno));
		return;
	}
	a->watch = xcalloc(1, sizeof *a->watch);
	*a->watch = (struct file_watch){.fd = fd, .definition_folder = -1, .kernel_folder = -1};
	file_watch_pump(a);
}

void file_watch_close(struct app *a)
{
	if (!a->watch)
		return;
	forget_files(a->watch);
	close(a->watch->fd);
	free(a->watch);
	a->watch = NULL;
}

bool file_watch_is_on(const struct app *a)
{
	return a->watch != NULL;
}

int file_watch_saves(const struct app *a)
{
	return a->watch ? a->watch->saves : 0;
}

const char *file_watch_kernel_name(const struct app *a)
{
	return a->watch && a->watch->kernel ? path_basename(a->watch->kernel) : "";
}

int file_watch_poll_fd(const struct app *a, int *fd)
{
	if (a->watch)
		*fd = a->watch->fd;
	return a->watch != NULL;
}
