#include "cli/cli_support.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/fatal_signals.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "base/printable_output.h"
#include "base/printable_text.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/protocol/record.h"
#include "base/settings.h"
#include "base/text_width.h"

enum { OPEN_SECONDS = 60, WAIT_MS = 50 };

void command_print_error(const char *text)
{
	char *line = text_join_lines(xstrdup(text));
	progress_clear();
	fprintf(stderr, "wavedeck: %s\n", line);
	free(line);
}

void command_printf_error(const char *fmt, ...)
{
	char text[2000];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	command_print_error(text);
}

int command_report_failure(const struct err *e)
{
	progress_clear();
	if (e->text[0])
		command_print_error(e->text);
	return e->status;
}

int command_report_extra_word(const char *command, const char *word)
{
	struct err e = {0};
	err_set(&e, ST_REQUEST, "unexpected argument '%.60s'; see `wavedeck help %s`", word, command);
	return command_report_failure(&e);
}

/* --- arguments --- */

static const struct option *find_option(const struct option *options, const char *word, size_t n)
{
	for (const struct option *o = options; o->name; o++)
		if (strlen(o->name) == n && !strncmp(o->name, word, n))
			return o;
	return NULL;
}

static bool report_unknown_option(
	const struct option *options, const char *command, const char *word, size_t n, struct err *e)
{
	const char *names[32];
	int count = 0;
	for (const struct option *o = options; o->name && count < 32; o++)
		names[count++] = o->name;
	char *name = xasprintf("%.*s", (int)n, word);
	const char *near = find_nearest_name(name, names, count);
	if (near)
		err_set(e, ST_REQUEST, "unknown option %s of %s; did you mean %s?", name, command, near);
	else
		err_set(e, ST_REQUEST, "unknown option %s of %s; `wavedeck help %s` lists its options", name, command,
			command);
	free(name);
	return false;
}

static bool repeat_option(const struct option *o, const char *value, struct err *e)
{
	int n = 0;
	while (o->value[n])
		n++;
	if (n == OPTION_REPEATS)
		return err_set(e, ST_REQUEST, "more than %d times %s; remove some", OPTION_REPEATS, o->name);
	o->value[n] = value;
	return *o->flag = true;
}

static bool parse_option(const struct option *options, char **argv, int argc, int *at, struct err *e)
{
	const char *word = argv[*at], *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *o = find_option(options, word, n);
	if (!o)
		return report_unknown_option(options, argv[0], word, n, e);
	if (!o->value) {
		*o->flag = true;
		return !equals || err_set(e, ST_REQUEST, "%s takes no value; remove %s", o->name, equals);
	}
	if (!equals && *at + 1 >= argc)
		return err_set(e, ST_REQUEST, "%s needs a value; see `wavedeck help %s`", o->name, argv[0]);
	const char *value = equals ? equals + 1 : argv[++*at];
	if (!*value)
		return err_set(e, ST_REQUEST, "%s needs a value; see `wavedeck help %s`", o->name, argv[0]);
	if (o->flag)
		return repeat_option(o, value, e);
	*o->value = value;
	return true;
}

static bool handle_help_option(const char *word, const char *command, struct err *e)
{
	if (strcmp(word, "--help") && strcmp(word, "-h"))
		return false;
	const struct command *c = command_find(command, NULL);
	if (c)
		command_print_usage(c, stdout);
	*e = (struct err){.status = ST_OK};
	return true;
}

int options_count_own(const struct option *options, int argc, char **argv)
{
	int i = 1;
	while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--")) {
		const struct option *o = find_option(options, argv[i], strlen(argv[i]));
		i += o && o->value ? 2 : 1;
	}
	return i < argc ? i : argc;
}

bool options_parse(const struct option *options, int argc, char **argv, struct argument_list *words, struct err *e)
{
	bool only_words = false;
	*words = (struct argument_list){xcalloc((size_t)argc + 1, sizeof *words->list), 0};
	for (int i = 1; i < argc; i++) {
		if (only_words || argv[i][0] != '-' || !argv[i][1]) {
			words->list[words->count++] = argv[i];
		} else if (!strcmp(argv[i], "--")) {
			only_words = true;
		} else if (handle_help_option(argv[i], argv[0], e) || !parse_option(options, argv, argc, &i, e)) {
			free(words->list);
			*words = (struct argument_list){0};
			return false;
		}
	}
	return true;
}

/* --- the catalog --- */

static void print_bad_definition(void *ctx, const char *line)
{
	(void)ctx;
	command_print_error(line);
}

bool command_load_catalog(struct catalog *out, bool report, struct err *e)
{
	char *folder = path_catalog();
	bool ok = catalog_load(folder, out, report ? print_bad_definition : NULL, NULL, e);
	free(folder);
	return ok;
}

bool command_open_catalog(struct catalog *out, struct err *e)
{
	char *folder = path_catalog();
	bool ok = catalog_open(folder, out, NULL, NULL, e);
	free(folder);
	return ok;
}

/* --- workers --- */

const char *command_default_device(const char *asked)
{
	if (asked)
		return asked;
	return setting_equals(SETTING_DEVICE, "auto") ? device_default_name() : setting_value(SETTING_DEVICE);
}

void command_pump_workers(struct worker_pool *w)
{
	int fds[WORKER_POOL_FDS], n = worker_pool_poll_fds(w, fds);
	struct pollfd p[WORKER_POOL_FDS];
	for (int i = 0; i < n; i++)
		p[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
	poll(p, (nfds_t)n, WAIT_MS);
	worker_pool_pump(w);
}

json_t *command_next_record(struct worker_pool *w)
{
	json_t *record = worker_pool_next_record(w);
	if (record && !strcmp(record_get_type(record), "death"))
		command_print_error(record_get_text(record, "text"));
	return record;
}

void command_pump_sweep(struct worker_pool *w, struct sweep *s)
{
	command_pump_workers(w);
	for (json_t *record; (record = command_next_record(w)); json_decref(record))
		sweep_handle_record(s, record);
}

static bool wait_until_open(struct worker_pool *w, double until, const struct stop_condition *stop, struct err *e)
{
	while (!worker_pool_device_record(w)) {
		json_t *record;
		command_pump_workers(w);
		while ((record = worker_pool_next_record(w)))
			json_decref(record);
		if (worker_pool_device_record(w))
			break;
		if (worker_pool_state(w) == WORKER_DEAD) {
			enum status status = ST_FAILED;
			worker_pool_open_failed(w, &status);
			return err_set(e, status == ST_OK ? ST_FAILED : status, "%s", worker_pool_crash_text(w));
		}
		if (command_interrupted)
			return err_set(e, ST_INTERRUPTED, "interrupted");
		if (stop && stop->is_met(stop->ctx))
			return err_set(e, ST_FAILED, "stopped before the device %s opened", worker_pool_device(w));
		if (now_seconds() > until)
			return err_set(e, ST_FAILED,
				"timed out after %d s waiting for the device %s; `wavedeck doctor` checks the installation",
				OPEN_SECONDS, worker_pool_device(w));
	}
	return true;
}

static bool has_places_elsewhere(const struct worker_place *places, int count)
{
	for (int i = 0; i < count; i++)
		if (places[i].via)
			return true;
	return false;
}

/* Closes the pool if its device does not open. `w` may be NULL. */
static struct worker_pool *open_workers(
	struct worker_pool *w, double until, const struct stop_condition *stop, struct err *e)
{
	if (!w || wait_until_open(w, until, stop, e))
		return w;
	worker_pool_close(w);
	return NULL;
}

struct worker_pool *command_start_workers_unless(
	const struct stop_condition *stop, const struct worker_place *places, int count, int jobs, struct err *e)
{
	double until = has_places_elsewhere(places, count) ? INFINITY : now_seconds() + OPEN_SECONDS;
	return open_workers(worker_pool_start(places, count, jobs, e), until, stop, e);
}

struct worker_pool *command_start_workers_at(const struct worker_place *places, int count, int jobs, struct err *e)
{
	return command_start_workers_unless(NULL, places, count, jobs, e);
}

struct worker_pool *command_start_workers(const char *device, int count, struct err *e)
{
	return open_workers(worker_pool_start_local(device, count, e), now_seconds() + OPEN_SECONDS, NULL, e);
}

/* --- interrupts --- */

volatile sig_atomic_t command_interrupted;

static void note_signal(int number)
{
	(void)number;
	if (command_interrupted) {
		fatal_signals_run_cleanups();
		_exit(ST_INTERRUPTED);
	}
	command_interrupted = 1;
}

void command_catch_interrupts(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note_signal};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction before;
		sigaction(signals[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) /* nohup */
			sigaction(signals[i], &action, NULL);
	}
}

/* --- output --- */

static bool progress_shown;

int terminal_width(int fallback)
{
	struct winsize size;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col > 0)
		return size.ws_col;
	return fallback;
}

void progress_show(const char *text)
{
	struct winsize size;
	if (!isatty(STDERR_FILENO))
		return;
	int width = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1 ? size.ws_col - 1 : 79;
	struct buf line = {0};
	buf_puts(&line, "\r");
	printable_append(&line, text, text_fit_bytes(text, width));
	fprintf(stderr_direct(), "\r%s\033[K", text_join_lines(line.data + 1));
	fflush(stderr_direct());
	buf_free(&line);
	progress_shown = true;
}

void progress_clear(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr_direct());
	progress_shown = false;
}

bool terminal_is_ascii(void)
{
	const char *code = nl_langinfo(CODESET);
	return strcasecmp(code, "UTF-8") && strcasecmp(code, "utf8");
}

/* UTF-8 continuation bytes take no column. */
void command_print_wrapped(const char *first, const char *rest, const char *text, int width)
{
	text_print_wrapped(stdout, first, rest, text, width);
}

void command_print_json(json_t *v)
{
	char *line = record_format_line(v);
	fputs(line, stdout);
	free(line);
	json_decref(v);
}

static bool pipe_is_closed(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

int command_finish_output(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno == EPIPE || pipe_is_closed())
		return status;
	fprintf(stderr, "wavedeck: cannot write the output: %s; free some space or write to another disk\n",
		strerror(errno ? errno : ENOSPC));
	return status == ST_OK ? ST_FAILED : status;
}
