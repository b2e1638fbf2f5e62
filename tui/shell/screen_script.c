#include "tui/shell/screen_script.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/units.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/shell/apply_settings.h"
#include "tui/lab/edit/file_watch.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/edit/kernel_edit.h"
#include "experiments/analysis/sweep_estimate.h"
#include "tui/shell/mouse_dispatch.h"
#include "tui/shell/shell.h"
#include "tui/shell/files/native_ask.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/screen_draw.h"

enum { WAIT_S = 60, WAIT_S_MAX = 3600, STEP_MS = 50 };

struct script {
	struct app app;
	struct grid grid;
};
typedef bool command_run(struct script *s, char *argument, struct err *e);

/* --- waiting --- */
static void run_one_poll(struct script *s, int ms)
{
	int fds[MEASURE_FDS], n = measure_poll_fds(&s->app, fds), timeout = app_poll_timeout(&s->app);
	struct pollfd polls[MEASURE_FDS];
	for (int i = 0; i < n; i++)
		polls[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
	poll(polls, (nfds_t)n, timeout < ms ? timeout : ms);
	app_pump(&s->app);
}

static bool is_idle(const struct script *s)
{
	return !s->app.measure_at && !s->app.restart_at && !measure_is_running(&s->app) &&
		!app_views_have_work(&s->app, VIEW_POLLING);
}

static bool sweep_has_ended(const struct script *s)
{
	return is_idle(s) && s->app.sweep;
}
static bool device_is_open(const struct script *s)
{
	return s->app.workers && worker_pool_device_record(s->app.workers);
}

static bool background_is_idle(const struct script *s)
{
	return !background_jobs_are_busy(&s->app) && !app_views_have_work(&s->app, VIEW_BACKGROUND);
}
static bool telemetry_has_come(const struct script *s)
{
	return s->app.telemetry_count > 0;
}

/* The saves that were waited for, so that one is not waited for twice. */
static int saves_seen;

static bool file_was_saved(const struct script *s)
{
	return file_watch_saves(&s->app) > saves_seen;
}

static bool sessions_are_read(const struct script *s)
{
	return !app_views_have_work(&s->app, VIEW_SLICING);
}

static bool run_wait(struct script *s, char *argument, struct err *e)
{
	static const struct {
		const char *name;
		bool (*done)(const struct script *);
	} conditions[] = {
		{"sweep", sweep_has_ended},
		{"idle", is_idle},
		{"device", device_is_open},
		{"telemetry", telemetry_has_come},
		{"background", background_is_idle},
		{"sessions", sessions_are_read},
		{"saved", file_was_saved},
	};
	char *rest = strchr(argument, ' ');
	int seconds = rest ? count_parse(rest, WAIT_S_MAX + 1) : WAIT_S, ms = count_parse(argument, INT_MAX);
	bool (*done)(const struct script *) = NULL;
	if (rest)
		*rest = 0;
	if (seconds < 1 || seconds > WAIT_S_MAX)
		return err_set(e, ST_REQUEST, "cannot wait '%s' seconds; use 1 to %d", rest + 1, WAIT_S_MAX);
	long long end = now_ms() + seconds * 1000LL;
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
		if (!strcmp(argument, conditions[i].name))
			done = conditions[i].done;
	if (!done && ms <= 0)
		return err_set(e, ST_REQUEST,
			"cannot wait for '%s'; use sweep, idle, device, telemetry, background, sessions, saved or a number of milliseconds",
			argument);
	if (!done)
		end = now_ms() + ms;
	while (now_ms() < end && !(done && done(s)) && !s->app.fatal[0])
		run_one_poll(s, STEP_MS);
	if (done && !done(s) && !s->app.fatal[0])
		return err_set(e, ST_FAILED, "timed out after %d s waiting for '%s'", seconds, argument);
	if (done == file_was_saved)
		saves_seen = file_watch_saves(&s->app);
	return true;
}

/* --- commands --- */
static bool run_size(struct script *s, char *argument, struct err *e)
{
	int w, h;
	if (sscanf(argument, "%dx%d", &w, &h) != 2 || w < 1 || h < 1 || w > 1000 || h > 1000)
		return err_set(e, ST_REQUEST, "not a size: '%s'; write for example size 80x24", argument);
	grid_resize(&s->grid, w, h);
	app_resize(&s->app, w, h);
	return true;
}

static bool run_glyphs(struct script *s, char *argument, struct err *e)
{
	bool ascii = !strcmp(argument, "ascii");
	if (!ascii && strcmp(argument, "unicode"))
		return err_set(e, ST_REQUEST, "unknown glyphs '%s'; use ascii or unicode", argument);
	s->app.ascii = ascii;
	return true;
}

static bool run_experiment(struct script *s, char *argument, struct err *e)
{
	struct experiment *x = catalog_find(&s->app.catalog, argument, e);
	for (int i = 0; x && i < s->app.lab_count; i++)
		if (s->app.labs[i].x == x) {
			s->app.current = i;
			measure_start(&s->app);
			return true;
		}
	return x ? err_set(e, ST_REQUEST, "'%s' is not in the catalog", argument) : false;
}

static bool run_action(struct script *s, char *argument, struct err *e)
{
	char *rest = strchr(argument, ' ');
	if (rest)
		*rest++ = 0;
	return app_run_action(&s->app, argument, rest && *rest ? rest : NULL, e);
}

static bool run_key(struct script *s, char *argument, struct err *e)
{
	int key = key_parse(argument);
	if (key == TK_NONE)
		return err_set(e, ST_REQUEST, "unknown key '%s'; write for example Left, Tab, Space or q", argument);
	app_handle_key(&s->app, key);
	return true;
}

static bool run_mouse(struct script *s, char *argument, struct err *e)
{
	struct mouse m;
	char button[16] = "left";
	if (sscanf(argument, "%d %d %15s", &m.x, &m.y, button) < 2 || !mouse_button_parse(button, &m.button))
		return err_set(e, ST_REQUEST,
			"not a mouse event: '%s'; write for example mouse 10 5, or mouse 10 5 up (buttons: left, up, down)",
			argument);
	screen_draw(&s->app, &s->grid);
	mouse_handle_event(&s->app, &s->grid, m);
	return true;
}

static bool run_estimates(struct script *s, char *argument, struct err *e)
{
	(void)s;
	bool on = !strcmp(argument, "on");
	if (!on && strcmp(argument, "off"))
		return err_set(e, ST_REQUEST, "unknown value '%s'; use estimates on or estimates off", argument);
	estimate_show_times(on);
	return true;
}

static bool run_theme(struct script *s, char *argument, struct err *e)
{
	return app_run_action(&s->app, "theme", argument, e) &&
		(!strcmp(theme_name(), argument) || err_set(e, ST_REQUEST, "%s", s->app.message));
}

static bool run_type(struct script *s, char *argument, struct err *e)
{
	(void)e;
	for (; *argument; argument++)
		app_handle_key(&s->app, (unsigned char)*argument);
	return true;
}

static bool write_text(const char *path, char *text, struct err *e)
{
	FILE *out = *path ? fopen(path, "w") : stdout;
	bool ok = out && fputs(text, out) >= 0;
	ok = out && !(out == stdout ? fflush(out) : fclose(out)) && ok;
	free(text);
	return ok || err_set(e, ST_FAILED, "cannot write %s: %s", *path ? path : "standard output", strerror(errno));
}

static bool run_dump(struct script *s, char *argument, struct err *e)
{
	screen_draw(&s->app, &s->grid);
	return write_text(argument, grid_dump_text(&s->grid), e);
}

static bool run_clipboard(struct script *s, char *argument, struct err *e)
{
	return s->app.clipboard ? write_text(argument, xstrdup(s->app.clipboard), e)
				: err_set(e, ST_FAILED, "nothing was copied");
}

static bool run_colors(struct script *s, char *argument, struct err *e)
{
	screen_draw(&s->app, &s->grid);
	return write_text(argument, grid_dump_roles(&s->grid), e);
}

static bool run_screenshot(struct script *s, char *argument, struct err *e)
{
	if (!*argument)
		return err_set(e, ST_REQUEST, "screenshot needs a file name, for example screenshot wavedeck.svg");
	return screen_write_picture(&s->app, argument, e);
}

static bool run_expect(struct script *s, char *argument, struct err *e)
{
	screen_draw(&s->app, &s->grid);
	char *text = grid_dump_text(&s->grid);
	bool there = strstr(text, argument) != NULL;
	free(text);
	return there || err_set(e, ST_FAILED, "the screen does not show '%s'", argument);
}

static const struct {
	const char *name, *arguments, *help;
	command_run *run;
} commands[] = {
	{"size", "80x24", "sets columns and rows, before the first dump", run_size},
	{"glyphs", "ascii|unicode", "selects the glyphs; default: by the settings and the locale", run_glyphs},
	{"estimates", "on|off", "whether the screen shows how long a sweep takes; that depends on the host",
		run_estimates},
	{"theme", "NAME", "selects a theme", run_theme},
	{"experiment", "ID", "selects an experiment and measures it", run_experiment},
	{"action", "NAME [ARGUMENT]", "runs an action as its key does: action param-more stride", run_action},
	{"key", "NAME", "presses a key: Left, Tab, Space, q ...", run_key},
	{"mouse", "X Y [left|up|down]", "clicks or turns the wheel at that column and row, counted from 0", run_mouse},
	{"type", "TEXT", "types text into the open line", run_type},
	{"wait", "MS|sweep|device|telemetry|idle|background|sessions|saved [SECONDS]",
		"waits, by default up to 60 seconds; idle: no sweep runs or is due; saved: a watched file was saved; background: no lesson, inspector or device view measures",
		run_wait},
	{"expect", "TEXT", "ends the script with status 1 unless the screen shows the text", run_expect},
	{"dump", "[FILE]", "writes the screen as text; default: to standard output", run_dump},
	{"clipboard", "[FILE]", "writes what the last copy put into the clipboard", run_clipboard},
	{"colors", "[FILE]", "writes the role of each cell: its letter, ^ for reverse, a blank for an empty cell",
		run_colors},
	{"screenshot", "FILE.svg|.png", "writes the screen as a picture in the theme's colors", run_screenshot},
};

const char *script_command(int i, const char **arguments, const char **help)
{
	if (i < 0 || i >= (int)(sizeof commands / sizeof *commands))
		return NULL;
	*arguments = commands[i].arguments;
	*help = commands[i].help;
	return commands[i].name;
}

static bool run_script_command(struct script *s, const char *name, size_t n, char *argument, struct err *e)
{
	struct buf names = {0};
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (strlen(commands[i].name) == n && !strncmp(name, commands[i].name, n)) {
			buf_free(&names);
			return commands[i].run(s, argument, e);
		}
		buf_printf(&names, "%s%s", i ? ", " : "", commands[i].name);
	}
	err_set(e, ST_REQUEST, "unknown command '%.*s'; use one of %s", (int)n, name, names.data);
	buf_free(&names);
	return false;
}

static bool run_line(struct script *s, char *line, struct err *e)
{
	line += strspn(line, " \t");
	line[strcspn(line, "\r\n")] = 0;
	if (!*line || *line == '#')
		return true;
	size_t n = strcspn(line, " \t");
	char *argument = line + n + (line[n] ? strspn(line + n, " \t") : 0);
	bool ok = run_script_command(s, line, n, argument, e);
	if (ok && s->app.edit_wanted)
		measure_edited_kernel(&s->app);
	native_ask_if_wanted(&s->app);
	return ok;
}

static bool run_file(struct script *s, FILE *in, const char *name, struct err *e)
{
	char line[1024];
	struct err why = {.status = ST_FAILED};
	for (int n = 1; !s->app.quit && fgets(line, sizeof line, in); n++)
		if (!run_line(s, line, &why))
			return err_set(e, why.status, "%s:%d: %s", name, n, why.text);
	return true;
}

int script_run(const char *file, const char *device, const char *experiment, char *const *program)
{
	static struct script s;
	struct err e = {.status = ST_FAILED};
	bool standard = !strcmp(file, "-");
	FILE *in = standard ? stdin : fopen(file, "r");
	setlocale(LC_CTYPE, "");
	if (!in) {
		fprintf(stderr, "wavedeck: cannot read script %s: %s; give a script file, or - for standard input\n",
			file, strerror(errno));
		return ST_REQUEST;
	}
	bool ok = app_open(&s.app, device, experiment, &e);
	if (ok) {
		log_to_stderr((enum log_level)(LOG_ERROR + 1)); /* the log view shows them */
		apply_all_settings(&s.app);
		grid_resize(&s.grid, s.app.width, s.app.height);
		s.app.program = program;
		if (program)
			app_run_action(&s.app, "program", NULL, &e);
		else
			measure_start(&s.app);
		ok = run_file(&s, in, standard ? "standard input" : file, &e);
		palette_close(&s.app);
		app_close(&s.app);
		grid_free(&s.grid);
	}
	if (!standard)
		fclose(in);
	if (!ok)
		fprintf(stderr, "wavedeck: %s\n", e.text);
	return ok ? ST_OK : e.status;
}
