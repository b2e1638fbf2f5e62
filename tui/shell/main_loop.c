/* The event loop: one poll over terminal, workers, signals and timers. A key redraws at once, data at most
 * `frames` times a second, and nothing is drawn when nothing changed. */
#include "tui/shell/main_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host_clock.h"
#include "base/log.h"
#include "base/printable_output.h"
#include "base/settings.h"
#include "gpu/backends/backend.h"
#include "tui/lab/app.h"
#include "tui/shell/apply_settings.h"
#include "tui/lab/edit/file_watch.h"
#include "tui/lab/files/left_state.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/edit/kernel_edit.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/files/definition_wait.h"
#include "tui/shell/files/native_ask.h"
#include "tui/shell/mouse_dispatch.h"
#include "tui/shell/shell.h"
#include "tui/shell/tour/tour.h"
#include "tui/toolkit/key_codes.h"
#include "tui/toolkit/terminal.h"
#include "tui/shell/screen_draw.h"

enum { SLICE_MS = 5 /* for loading the catalog: no key waits longer */ };

/* --- signals: each writes a byte into a pipe, the loop does the work --- */
static const int caught[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGWINCH};
static int signal_pipe[2] = {-1, -1};
static volatile sig_atomic_t ending; /* set by the first signal; the second one forces an exit */

static void on_signal(int sig)
{
	int saved = errno;
	unsigned char byte = (unsigned char)sig;
	ssize_t n = write(signal_pipe[1], &byte, 1);
	(void)n;
	if (sig != SIGWINCH && sig != SIGTSTP) {
		if (ending)
			raise(SIGABRT); /* the loop is stuck; the SIGABRT handler restores the terminal */
		ending = 1;
	}
	errno = saved;
}

static bool catch_signals(struct err *e)
{
	if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK))
		return err_set(e, ST_FAILED, "cannot make a pipe: %s", strerror(errno));
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		sigaction(caught[i], &act, NULL);
	return true;
}

/* --- loop --- */
struct loop {
	struct app app;
	json_t *left; /* where the last run was left, until all of it is restored; NULL: nothing is restored */
	struct grid grid;
	long long drawn_at;
	int draw_ms;    /* how long the last frame took */
	int ended_by;   /* signal number; 0: none */
	char note[600]; /* why nothing was restored; "" */
};

static void take_signals(struct loop *l)
{
	unsigned char sig;
	int w, h;
	while (read(signal_pipe[0], &sig, 1) == 1) {
		if (sig == SIGTSTP)
			term_suspend();
		else if (sig != SIGWINCH) {
			l->ended_by = sig;
			l->app.quit = true;
		}
		if (term_resized(&w, &h))
			grid_resize(&l->grid, w, h);
		app_resize(&l->app, l->grid.w, l->grid.h);
	}
}

static void take_keys(struct loop *l)
{
	for (int key; !l->app.quit && (key = term_key()) != TK_NONE;) {
		if (key != TK_MOUSE) {
			app_handle_key(&l->app, key);
			continue;
		}
		mouse_handle_event(&l->app, &l->grid, term_mouse());
	}
}

static void send_clipboard(struct loop *l)
{
	if (l->app.clipboard)
		term_set_clipboard(l->app.clipboard);
	free(l->app.clipboard);
	l->app.clipboard = NULL;
}

static void edit_kernel_in_terminal(struct loop *l)
{
	term_release();
	measure_edited_kernel(&l->app);
	term_reclaim();
	l->app.redraw = true;
}

static void draw_frame(struct loop *l)
{
	if (l->app.redraw)
		term_redraw();
	l->app.redraw = l->app.dirty = l->app.urgent = false;
	term_mouse_on(l->app.mouse);
	long long began = now_ms();
	screen_draw(&l->app, &l->grid);
	term_draw_grid(&l->grid);
	l->drawn_at = now_ms();
	l->draw_ms = (int)(l->drawn_at - began);
}

static int ms_to_next_frame(const struct loop *l)
{
	/* A curve with very many points takes long to draw: frames for data leave three quarters of the time to
	 * keys and records. */
	int interval = 1000 / l->app.frames > 4 * l->draw_ms ? 1000 / l->app.frames : 4 * l->draw_ms;
	long long left = l->drawn_at + interval - now_ms();
	return l->app.urgent || left < 0 ? 0 : (int)left;
}

/* Sleeps until an event or a deadline. */
static void wait_for_event(struct loop *l)
{
	struct pollfd fds[2 + MEASURE_FDS] = {
		{.fd = term_fd(), .events = POLLIN}, {.fd = signal_pipe[0], .events = POLLIN}};
	int worker[MEASURE_FDS], n = measure_poll_fds(&l->app, worker), timeout = app_poll_timeout(&l->app);
	for (int i = 0; i < n; i++)
		fds[2 + i] = (struct pollfd){.fd = worker[i], .events = POLLIN};
	if (l->app.dirty && ms_to_next_frame(l) < timeout)
		timeout = ms_to_next_frame(l);
	if (!l->app.loaded)
		timeout = 0;
	if (poll(fds, 2 + (nfds_t)n, timeout) < 0 && errno != EINTR) {
		log_printf(LOG_ERROR, "poll: %s", strerror(errno));
		l->app.quit = true;
	}
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) && !(fds[0].revents & POLLIN))
		l->app.quit = true; /* the terminal is gone */
}

static void restore_the_rest(struct loop *l)
{
	left_state_restore_others(&l->app, l->left);
	json_decref(l->left);
	l->left = NULL;
}

static void run_loop(struct loop *l)
{
	draw_frame(l); /* the first frame, before anything slow */
	if (!l->app.program)
		measure_start(&l->app);
	while (!l->app.quit) {
		if (l->app.dirty && ms_to_next_frame(l) == 0)
			draw_frame(l);
		wait_for_event(l);
		take_signals(l);
		take_keys(l);
		send_clipboard(l);
		native_ask_if_wanted(&l->app);
		if (l->app.edit_wanted)
			edit_kernel_in_terminal(l);
		if (term_is_disconnected())
			l->app.quit = true;
		if (l->app.urgent)
			draw_frame(l); /* the answer to a key does not wait for the worker's records */
		app_pump(&l->app);
		if (!app_load_slice(&l->app, SLICE_MS) && l->left)
			restore_the_rest(l);
	}
}

static int end_workbench(struct loop *l)
{
	struct err e = {0};
	term_close(); /* first, because closing the worker may take a moment */
	if (!l->ended_by && !l->left && setting_is_on(SETTING_RESTORE) && !left_state_write(&l->app, &e))
		fprintf(stderr, "wavedeck: %s\n", e.text);
	json_decref(l->left);
	palette_close(&l->app);
	if (l->app.message_at_end)
		printf("%s\n", l->app.message);
	app_close(&l->app);
	grid_free(&l->grid);
	if (!l->ended_by)
		return ST_OK;
	signal(l->ended_by, SIG_DFL);
	raise(l->ended_by);
	return ST_INTERRUPTED;
}

/* --- start --- */
/* Only a quit ends the wait early. */
static void take_waiting_keys(struct loop *l)
{
	take_signals(l);
	for (int key; (key = term_key()) != TK_NONE;)
		l->app.quit |= key == 'q' || key == TK_ESC;
	l->app.quit |= term_is_disconnected();
}

/* Shows the mistake in the definition until a file of its folder is saved; false if the user quits. */
static bool wait_for_save(struct loop *l, const char *path, const char *error)
{
	bool saved = false;
	int fd = definition_wait_open(path);
	apply_setting(&l->app, SETTING_THEME);
	apply_setting(&l->app, SETTING_GLYPHS);
	while (fd >= 0 && !l->app.quit && !saved) {
		struct pollfd fds[] = {{term_fd(), POLLIN, 0}, {signal_pipe[0], POLLIN, 0}, {fd, POLLIN, 0}};
		definition_wait_draw(&l->grid, l->app.ascii, path, error);
		term_draw_grid(&l->grid);
		poll(fds, sizeof fds / sizeof *fds, -1);
		take_waiting_keys(l);
		saved = definition_wait_read(fd);
	}
	if (fd >= 0)
		close(fd);
	return saved && !l->app.quit;
}

static int report_start_failure(const struct err *e)
{
	fprintf(stderr, "wavedeck: %s\n", e->text);
	return e->status;
}

/* What cannot be restored is a note, not an error. */
static bool open_where_it_was_left(struct loop *l, const char *device, const char *experiment)
{
	struct err e = {0};
	if (experiment || device_can(device, DEVICE_RECORDING) || !setting_is_on(SETTING_RESTORE))
		return false;
	l->left = left_state_read(&e);
	if (l->left && app_open_start(&l->app, device, left_state_experiment(l->left), &e))
		return true;
	snprintf(l->note, sizeof l->note, "%s", e.text);
	json_decref(l->left);
	l->left = NULL;
	return false;
}

/* The view of a program that is started goes before the one that was left. */
static void show_what_was_left(struct loop *l, bool starts_program)
{
	left_state_restore_current(&l->app, l->left);
	if (left_state_view(l->left) && !starts_program)
		app_open_view(&l->app, left_state_view(l->left));
}

static int end_without_experiment(struct loop *l, const struct err *e)
{
	term_close();
	grid_free(&l->grid);
	return report_start_failure(e);
}

/* Without a program of the user, who starts for the first time sees the tour. */
static void show_program(struct app *a, char *const *program)
{
	struct err unused;
	a->program = program;
	if (program)
		app_run_action(a, "program", NULL, &unused);
	else
		tour_start_first(a);
}

int workbench_run(const char *device, const char *experiment, char *const *program)
{
	static struct loop l;
	struct err e = {.status = ST_FAILED}, why;
	int w, h;
	setlocale(LC_CTYPE, ""); /* for glyphs only; numbers keep the C locale */
	bool opened = open_where_it_was_left(&l, device, experiment) || app_open_start(&l.app, device, experiment, &e),
	     waits = !opened;
	if (!opened && !definition_wait_can_help(experiment))
		return report_start_failure(&e);
	if (!catch_signals(&why) || !term_open(stdin, stdout_direct(), &why)) {
		app_close(&l.app);
		return report_start_failure(opened ? &why : &e);
	}
	log_to_stderr((enum log_level)(LOG_ERROR + 1)); /* the log view shows them */
	term_size(&w, &h);
	grid_resize(&l.grid, w, h);
	while (!opened && wait_for_save(&l, experiment, e.text))
		opened = app_open_start(&l.app, device, experiment, &e);
	if (!opened)
		return end_without_experiment(&l, &e);
	apply_all_settings(&l.app);
	file_watch_enable(&l.app, waits || file_watch_is_on(&l.app)); /* who had a mistake corrects it */
	app_resize(&l.app, l.grid.w, l.grid.h);
	if (l.left)
		show_what_was_left(&l, program != NULL);
	if (l.note[0])
		app_show_message(&l.app, ROLE_WARN, "%s", l.note);
	show_program(&l.app, program);
	run_loop(&l);
	return end_workbench(&l);
}
