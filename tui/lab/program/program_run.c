#include "tui/lab/program/program_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "gpu/protocol/record.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"

/* --- start and end --- */
static char **copy_words(char *const *words)
{
	int count = 0;
	while (words[count])
		count++;
	char **copy = xcalloc((size_t)count + 1, sizeof *copy);
	for (int i = 0; i < count; i++)
		copy[i] = xstrdup(words[i]);
	return copy;
}

static void free_words(char **words)
{
	for (int i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

/* WAVEDECK capture -o FILE --journal FOLDER -- PROGRAM ARGUMENTS */
static bool start_process(struct program_run *r, int columns, int rows, struct err *e)
{
	char *self = path_self(), *own[] = {self, "capture", "-o", r->file, "--journal", r->folder, "--"};
	enum { OWN = sizeof own / sizeof *own };
	int count = 0;
	while (r->command[count])
		count++;
	char **argv = xcalloc((size_t)(OWN + count + 1), sizeof *argv);
	memcpy(argv, own, sizeof own);
	memcpy(argv + OWN, r->command, (size_t)count * sizeof *argv);
	r->process = program_process_start(argv, columns, rows, e);
	free(argv);
	free(self);
	return r->process;
}

struct program_run *program_run_start(char *const *command, int columns, int rows, struct err *e)
{
	struct program_run *r = xcalloc(1, sizeof *r);
	r->command = copy_words(command);
	r->started_ms = now_ms();
	r->folder = temporary_folder_create(e);
	r->file = r->folder ? xasprintf("%s/program.wbc", r->folder) : NULL;
	if (r->folder && start_process(r, columns, rows, e))
		return r;
	program_run_free(r);
	return NULL;
}

void program_run_free(struct program_run *r)
{
	if (!r)
		return;
	program_process_free(r->process);
	program_kernels_free(&r->kernels);
	if (r->folder)
		temporary_folder_remove(r->folder);
	free(r->captured);
	capture_close(&r->capture);
	free_words(r->command);
	free(r->folder);
	free(r->file);
	free(r);
}

/* --- pump --- */
static void open_capture(struct app *a, struct program_run *r)
{
	struct err e = {0};
	if (access(r->file, R_OK)) {
		snprintf(r->why_none, sizeof r->why_none, "%s",
			r->kernels.count ? "no launch was kept; the output says why" : "it launched no kernel");
		return;
	}
	if (!capture_open(r->file, &r->capture, &e)) {
		snprintf(r->why_none, sizeof r->why_none, "%.290s", e.text);
		return;
	}
	r->captured = capture_list_kernels(r->capture.capture, &r->captured_count);
	program_kernels_note_kept(&r->kernels, r->capture.capture);
	for (int i = 0; i < r->captured_count; i++) {
		char *path = xasprintf("%s/%s.lua", r->capture.folder, r->captured[i].id);
		if (!*r->captured[i].reason && !app_add_captured_experiment(a, path, &e))
			app_show_message(a, ROLE_BAD, "%s", e.text);
		free(path);
	}
}

bool program_run_pump(struct app *a, struct program_run *r)
{
	bool changed;
	if (r->state == PROGRAM_ENDED)
		return false;
	changed = program_process_pump(r->process);
	bool ended = program_process_has_ended(r->process, &r->status),
	     read = program_kernels_read(&r->kernels, r->folder);
	if (!ended || read) /* after the end, the rest of long journals */
		return changed || read;
	program_process_pump(r->process); /* what it has printed before its end */
	r->state = PROGRAM_ENDED;
	r->seconds = (double)(now_ms() - r->started_ms) / 1000;
	open_capture(a, r);
	return true;
}

/* --- kernels --- */
const struct captured_kernel *program_run_captured(const struct program_run *r, const struct program_kernel *k)
{
	for (int i = 0; i < r->captured_count; i++)
		if (!strcmp(r->captured[i].symbol, k->symbol))
			return &r->captured[i];
	return NULL;
}

static bool use_device(struct app *a, const char *model, struct err *e)
{
	char name[DEVICE_NAME_MAX];
	snprintf(name, sizeof name, "soft:%s", model);
	return !strcmp(a->device, name) || app_switch_device(a, name) ||
		err_set(e, ST_REQUEST, "the device %.200s of the launch cannot be opened", name);
}

static const struct captured_kernel *find_kernel_of(const struct program_run *r, const json_t *launch)
{
	for (int i = 0; i < r->captured_count; i++)
		if (!strcmp(r->captured[i].symbol, record_get_text(launch, "kernel")) &&
			!strcmp(r->captured[i].model, record_get_text(launch, "model")))
			return &r->captured[i];
	return NULL;
}

/* The experiment of a captured kernel; -1: it was not loaded. */
static int find_lab(const struct app *a, const struct program_run *r, const struct captured_kernel *k)
{
	char *path = xasprintf("%s/%s.lua", r->capture.folder, k->id);
	int i = 0;
	while (i < a->lab_count && strcmp(a->labs[i].x->path, path))
		i++;
	free(path);
	return i < a->lab_count ? i : -1;
}

/* Whether it was another one. */
static bool set_launch(struct lab *b, const char *choice)
{
	int param = *choice ? experiment_find_param(b->x, "launch") : -1;
	struct err e;
	double value;
	if (param < 0 || !param_parse(&b->x->params[param], choice, &value, &e))
		return false;
	if (b->axis == param)
		lab_set_x_axis(b, b->x->x);
	else if (b->values[param] == value)
		return false;
	b->values[param] = value;
	return true;
}

bool program_run_open_launch(struct app *a, const struct program_run *r, const json_t *launch, struct err *e)
{
	const struct captured_kernel *k = find_kernel_of(r, launch);
	char choice[CAPTURE_CHOICE_NAME];
	if (!k || !capture_find_choice(r->capture.capture, k, launch, choice))
		return err_set(e, ST_REQUEST,
			"it is not among the %d launches with the same code that an experiment can have",
			CAPTURE_CHOICES_MAX);
	int i = find_lab(a, r, k);
	if (i < 0)
		return err_set(e, ST_FAILED, "the experiment of %s was not loaded; the log says why", k->id);
	a->current = i;
	if (!use_device(a, k->model, e))
		return false;
	bool changed = set_launch(&a->labs[i], choice);
	if (changed ? !measure_show_known_curve(a) : !a->labs[i].curve.ended)
		measure_start(a);
	return true;
}

/* --- the file --- */
/* A short write has no errno; the write of the rest gives it. */
static bool copy_bytes(int from, int to)
{
	char part[1 << 16];
	ssize_t n;
	while ((n = read(from, part, sizeof part)) > 0)
		for (ssize_t done = 0, m; done < n; done += m)
			if ((m = write(to, part + done, (size_t)(n - done))) < 0)
				return false;
	return n == 0;
}

bool program_run_save(const struct program_run *r, const char *file, struct err *e)
{
	int from = open(r->file, O_RDONLY | O_CLOEXEC), to = -1;
	if (from >= 0)
		to = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool ok = to >= 0 && copy_bytes(from, to), made = to >= 0;
	int why = errno;
	if (made && close(to) && ok) {
		ok = false;
		why = errno;
	}
	if (from >= 0)
		close(from);
	if (made && !ok)
		unlink(file);
	return ok ||
		err_set(e, ST_FAILED, "cannot write %.200s: %s%s", file, strerror(why),
			why == EEXIST ? "; choose another name" : "");
}
