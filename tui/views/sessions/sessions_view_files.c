/* Files of the session view: loads a session for the workbench, exports one in a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/paths.h"
#include "base/units.h"
#include "tui/lab/lab.h"
#include "tui/lab/measured_curve.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/files/curve_files.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"
#include "tui/lab/session_curve.h"
#include "tui/views/sessions/sessions_view.h"
#include "tui/shell/shell.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { SLICE_MS = 8 };

extern char **environ;

/* --- loading --- */
/* "soft:mi25 11-21 20:06": short enough for a legend. */
static void label_of(const struct library_entry *e, char *out, size_t size)
{
	const char *device = device_get_id(header_get_device(e->summary.header));
	struct tm local;
	char when[32] = "";
	if (e->when && localtime_r(&e->when, &local))
		strftime(when, sizeof when, "%m-%d %H:%M", &local);
	snprintf(out, size, "%.*s %s", (int)strcspn(device, ","), device, when);
}

void sessions_view_load_curve(struct app *a, bool open)
{
	struct sessions_view *v = sessions_view_of(a);
	const struct library_entry *e = sessions_view_selected(v);
	struct err why = {0};
	if (!e || v->taking || v->taken)
		return;
	label_of(e, v->pin_label, sizeof v->pin_label);
	v->opening = open ? xstrdup(e->path) : NULL;
	v->taking = session_load_start(e->path, &why);
	if (!v->taking)
		app_show_message(a, ROLE_BAD, "%s", why.text);
}

static struct lab *find_lab(const struct app *a, const char *experiment)
{
	for (int i = 0; i < a->lab_count; i++)
		if (!strcmp(a->labs[i].x->id, experiment))
			return &a->labs[i];
	return NULL;
}

static void pin_curve(struct app *a, struct lab *b, const struct measured_curve *c)
{
	if (undo_pin_curve(a, b, c, sessions_view_of(a)->pin_label))
		app_show_message(a, ROLE_OK, "%d point%s pinned in %s, as %s", c->count, plural_s((unsigned)c->count),
			b->x->id, sessions_view_of(a)->pin_label);
	else
		app_show_message(a, ROLE_BAD,
			"%d curves are already pinned in %s; Backspace there removes the last one", PINS_MAX, b->x->id);
}

/* The recording becomes the device. At full speed its points are shown as loaded; otherwise the device plays them
 * back. */
static void open_curve(struct app *a, struct lab *b, struct measured_curve *c)
{
	char *device = xasprintf("replay:%s", sessions_view_of(a)->opening);
	bool ok = !strcmp(a->device, device) || app_switch_device(a, device);
	free(device);
	if (!ok)
		return;
	if (a->replay_speed > 0) {
		measure_start_after(a, 0);
	} else {
		a->measure_at = 0;
		measure_start_worker(a); /* the worker reads the file in the background */
		measured_curve_move(&b->curve, c);
		b->curve.device = measured_curve_device_hash(a->device);
		b->cursor = 0;
		app_show_message(a, ROLE_OK, "recording opened: %d point%s; Space plays them back, B leaves it",
			b->curve.count, plural_s((unsigned)b->curve.count));
	}
	app_show_view(a, views[0]);
}

void sessions_view_load_end(struct sessions_view *v)
{
	if (v->curve)
		measured_curve_free(&v->curve->curve);
	free(v->curve);
	v->curve = NULL;
	session_free(v->taken);
	v->taken = NULL;
	free(v->opening);
	v->opening = NULL;
}

static void read_whole(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	struct err e = {0};
	v->taken = session_load_finish(v->taking, &e);
	v->taking = NULL;
	const char *id = v->taken ? record_get_experiment(v->taken->header) : "";
	struct lab *b = find_lab(a, id);
	if (v->taken && b) {
		v->curve = xcalloc(1, sizeof *v->curve);
		session_curve_start(v->curve, b->x, v->taken);
		return;
	}
	if (v->taken)
		app_show_message(a, ROLE_BAD, "experiment %s is not in the catalog", id);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
	sessions_view_load_end(v);
}

static void curve_made(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	struct lab *b = find_lab(a, v->curve->x->id);
	if (!v->curve->curve.count || !b)
		app_show_message(a, ROLE_BAD, "no point of this session fits the current definition of experiment %s",
			v->curve->x->id);
	else if (v->opening)
		open_curve(a, b, &v->curve->curve);
	else
		pin_curve(a, b, &v->curve->curve);
	sessions_view_load_end(v);
}

bool sessions_view_load_slice(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	if (v->taking && session_load_continue(v->taking, SLICE_MS))
		return false;
	if (v->taking)
		read_whole(a);
	else if (!session_curve_continue(v->curve, SLICE_MS))
		curve_made(a);
	return !v->taking && !v->taken;
}

/* --- exported --- */
static bool spawn_export(struct sessions_view *v, const char *session, struct err *e)
{
	int ends[2];
	char *self = path_self();
	char *const argv[] = {self, (char *)"export", (char *)session, (char *)"-o", v->export_to, NULL};
	posix_spawn_file_actions_t to;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
		free(self);
		return err_set(e, ST_FAILED, "cannot make a pipe: %s", strerror(errno));
	}
	posix_spawn_file_actions_init(&to);
	posix_spawn_file_actions_addopen(&to, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&to, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&to, ends[1], STDERR_FILENO);
	int error = posix_spawn(&v->exporting, self, &to, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&to);
	close(ends[1]);
	free(self);
	v->export_errors = ends[0];
	if (!error)
		return true;
	close(ends[0]);
	v->exporting = 0;
	return err_set(e, ST_FAILED, "cannot start the export: %s", strerror(error));
}

char *sessions_view_export_name(const struct app *a)
{
	const struct library_entry *entry = sessions_view_selected(sessions_view_of(a));
	return xasprintf("%.120s.html", entry ? entry->name : "session");
}

void sessions_view_export(struct app *a, const char *to)
{
	struct sessions_view *v = sessions_view_of(a);
	const struct library_entry *entry = sessions_view_selected(v);
	struct err e = {0};
	if (!entry || v->exporting) {
		app_show_message(a, ROLE_DIM, "%s", entry ? "another export is still running" : "no session selected");
		return;
	}
	snprintf(v->export_to, sizeof v->export_to, "%s", to);
	if (spawn_export(v, entry->path, &e))
		app_show_message(a, ROLE_DIM, "writing %s", to);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

/* The next line without the program's name; NULL: none. */
static char *take_error_line(char **rest)
{
	static const char prefix[] = "wavedeck: ";
	char *line = strsep(rest, "\n");
	if (!line || !*line)
		return NULL;
	return line + (strncmp(line, prefix, strlen(prefix)) ? 0 : strlen(prefix));
}

static void log_export_warnings(char *text)
{
	for (char *line; (line = take_error_line(&text));)
		log_printf(LOG_WARNING, "%s", line);
}

void sessions_view_poll_export(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	char text[2000] = "";
	int status;
	if (waitpid(v->exporting, &status, WNOHANG) != v->exporting)
		return;
	ssize_t n = read(v->export_errors, text, sizeof text - 1);
	text[n > 0 ? n : 0] = 0;
	close(v->export_errors);
	v->exporting = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		log_export_warnings(text);
		export_report(a, v->export_to, true, NULL);
	} else {
		char *rest = text, *line = take_error_line(&rest);
		app_show_message(a, ROLE_BAD, "%s", line ? line : "the export failed without a message");
	}
}
