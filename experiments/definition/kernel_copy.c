#include "experiments/definition/kernel_copy.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/kernel_build.h"
#include "experiments/definition/definition.h"

/* --- files --- */
static bool copy_file(const char *from, const char *to, struct err *e)
{
	struct buf text = {0};
	const char *why;
	if (!input_file_read(from, KERNEL_SOURCE_MAX, &text, &why))
		return err_set(e, ST_FAILED, "cannot copy %s to %s: %s", from, to, why);
	FILE *out = fopen(to, "we");
	bool ok = out && fwrite(text.len ? text.data : "", 1, text.len, out) == text.len;
	if (out)
		ok = !fclose(out) && ok;
	if (!ok)
		err_set(e, ST_FAILED, "cannot copy %s to %s: %s", from, to, strerror(errno));
	buf_free(&text);
	return ok;
}

static bool read_source(const char *path, struct buf *out)
{
	const char *why;
	return input_file_read(path, KERNEL_SOURCE_MAX, out, &why);
}

static bool bufs_are_equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->data, b->data, a->len));
}

static bool files_are_equal(const char *a, const char *b)
{
	struct buf one = {0}, two = {0};
	bool equal = read_source(a, &one) && read_source(b, &two) && bufs_are_equal(&one, &two);
	buf_free(&one);
	buf_free(&two);
	return equal;
}

char *kernel_source_path(struct experiment *x, const double *values, struct err *e)
{
	if (x->work != WORK_LAUNCH && x->work != WORK_COMPILE) {
		err_set(e, ST_REQUEST, "%s has no kernel to edit", x->id);
		return NULL;
	}
	if (x->lua->captured) {
		err_set(e, ST_REQUEST,
			"the kernel of a captured launch cannot be edited; change the program and capture it again");
		return NULL;
	}
	json_t *job = experiment_build_job(x, values, true, "", false, e);
	const char *file = record_get_text(json_object_get(job, "kernel"), "file");
	char *path = !job || !*file ? NULL : *file == '/' ? xstrdup(file) : path_kernels(file);
	if (job && !path)
		err_set(e, ST_REQUEST, "%s launches no kernel, so there is nothing to edit", x->id);
	json_decref(job);
	return path;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);
	return n > k && !strcmp(text + n - k, end);
}

void kernel_copy_source_name(struct experiment *x, const double *values, char *out, size_t size)
{
	char *path = kernel_source_path(x, values, NULL);
	snprintf(out, size, "%s", path ? path_basename(path) : "");
	free(path);
}

static bool compiles_from(struct experiment *x, const double *values, const char *suffix)
{
	char name[256];
	kernel_copy_source_name(x, values, name, sizeof name);
	return ends_with(name, suffix);
}

int kernel_copy_find_hip(struct experiment *x, const double *values, double *choice)
{
	double other[PARAMS_MAX];
	if (!compiles_from(x, values, ".s"))
		return -1;
	for (int i = 0; i < x->param_count; i++) {
		memcpy(other, values, sizeof other);
		for (int c = 0; c < x->params[i].choice_count; c++) {
			other[i] = *choice = c;
			if (compiles_from(x, other, ".hip"))
				return i;
		}
	}
	return -1;
}

static char *edited_folder(const struct experiment *x)
{
	char *name = xasprintf("edited/%s", x->id), *folder = path_user_data(name);
	free(name);
	return folder;
}

static int is_shared_file(const struct dirent *d)
{
	const char *end = strstr(d->d_name, SHARED_SUFFIX);
	return end && !end[strlen(SHARED_SUFFIX)];
}

/* A definition looks for shared files in its own folder, so the copy needs them too. */
static bool copy_shared_files(const struct experiment *x, const char *folder, struct err *e)
{
	struct dirent **names;
	char *from = xasprintf("%.*s", (int)(path_basename(x->path) - x->path), x->path);
	int count = scandir(*from ? from : ".", &names, is_shared_file, alphasort);
	bool ok = count >= 0 || err_set(e, ST_FAILED, "cannot read %s: %s", from, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *source = xasprintf("%s%s", from, names[i]->d_name),
		     *to = xasprintf("%s/%s", folder, names[i]->d_name);
		ok = ok && copy_file(source, to, e);
		free(source);
		free(to);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	free(from);
	return ok;
}

/* The copy's reference is the original's. */
static bool link_original_folder(const struct experiment *x, const char *folder, struct err *e)
{
	char *link = xasprintf("%s/" ORIGINAL_FOLDER, folder);
	bool ok = (!unlink(link) || errno == ENOENT) && !symlink(x->lua->folder, link);
	if (!ok)
		err_set(e, ST_FAILED, "cannot write %s: %s; remove it", link, strerror(errno));
	free(link);
	return ok;
}

bool kernel_copy_prepare(struct experiment *x, const double *values, struct kernel_copy *out, struct err *e)
{
	char *source = kernel_source_path(x, values, e);
	*out = (struct kernel_copy){0};
	if (!source)
		return false;
	out->folder = edited_folder(x);
	out->definition = xasprintf("%s/%s.lua", out->folder, x->id);
	out->kernel = xasprintf("%s/%s", out->folder, path_basename(source));
	bool ok = path_make_directories(out->folder, e) && copy_file(x->path, out->definition, e) &&
		copy_shared_files(x, out->folder, e) && link_original_folder(x, out->folder, e) &&
		(!access(out->kernel, F_OK) || copy_file(source, out->kernel, e));
	out->pristine = ok && files_are_equal(source, out->kernel);
	free(source);
	if (!ok)
		kernel_copy_free(out);
	return ok;
}

void kernel_copy_free(struct kernel_copy *d)
{
	free(d->folder);
	free(d->definition);
	free(d->kernel);
	*d = (struct kernel_copy){0};
}

bool kernel_copy_remove(const struct experiment *x, bool *had, struct err *e)
{
	char *folder = edited_folder(x);
	DIR *d = opendir(folder);
	bool ok = true;
	*had = d != NULL;
	for (struct dirent *f; d && (f = readdir(d));) {
		char *path = xasprintf("%s/%s", folder, f->d_name);
		if (strcmp(f->d_name, ".") && strcmp(f->d_name, "..") && unlink(path))
			ok = err_set(e, ST_FAILED, "cannot remove %s: %s", path, strerror(errno));
		free(path);
	}
	if (d)
		closedir(d);
	if (*had && ok && rmdir(folder))
		ok = err_set(e, ST_FAILED, "cannot remove %s: %s", folder, strerror(errno));
	free(folder);
	return ok;
}

/* --- the editor --- */
static const char *editor_command(void)
{
	const char *visual = getenv("VISUAL"), *plain = getenv("EDITOR");
	return visual && *visual ? visual : plain && *plain ? plain : "vi";
}

/* In the child: run through the shell, so that EDITOR="code --wait" works. */
static _Noreturn void exec_editor(const char *command, const char *path)
{
	char *line = xasprintf("%s \"$1\"", command);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execl("/bin/sh", "sh", "-c", line, "sh", path, (char *)NULL);
	_exit(127);
}

/* While the editor has the terminal, Ctrl-C must not end this program, and Ctrl-Z stops both. */
static const struct {
	int number;
	void (*handler)(int);
} editor_signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTSTP, SIG_DFL}};
enum { EDITOR_SIGNALS = sizeof editor_signals / sizeof *editor_signals };

static bool run_editor_on(const struct kernel_copy *d, struct err *e)
{
	struct sigaction before[EDITOR_SIGNALS];
	const char *command = editor_command();
	int status = 0;
	for (int i = 0; i < EDITOR_SIGNALS; i++)
		sigaction(editor_signals[i].number, &(struct sigaction){.sa_handler = editor_signals[i].handler},
			&before[i]);
	pid_t child = fork();
	if (child == 0)
		exec_editor(command, d->kernel);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	for (int i = 0; i < EDITOR_SIGNALS; i++)
		sigaction(editor_signals[i].number, &before[i], NULL);
	if (child < 0)
		return err_set(e, ST_FAILED, "cannot start an editor: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(
			e, ST_REQUEST, "cannot start the editor '%s'; set EDITOR, for example EDITOR=nano", command);
	return err_set(e, ST_FAILED, "the editor '%s' failed, so nothing was measured; your copy is still in %s",
		command, d->kernel);
}

bool kernel_copy_run_editor(struct kernel_copy *d, struct err *e)
{
	struct buf before = {0}, after = {0};
	bool known = read_source(d->kernel, &before), ok = run_editor_on(d, e);
	d->changed = !known || !read_source(d->kernel, &after) || !bufs_are_equal(&before, &after);
	buf_free(&before);
	buf_free(&after);
	return ok;
}
