/* What the commands of the command line share: the table, arguments, the catalog, a worker opened, an interrupt seen,
 * output. */
#ifndef CLI_CLI_SUPPORT_H
#define CLI_CLI_SUPPORT_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "experiments/definition/experiment.h"
#include "gpu/controller/worker_controller.h"

/* One row per command word; makes the dispatch, `--help`, `help NAME` and the suggestions. */
struct command {
	const char *name, *arguments, *summary;
	const char *help;                  /* options and examples, lines */
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};
const struct command *command_find(const char *name, struct err *e);
const struct command *command_at(int i); /* NULL behind the last */
void command_help(const struct command *c, FILE *out);
int command_help_all(void);

int command_run(int argc, char **argv);
int command_run_default(
	const char *experiment, const char *device); /* plot and table of the default sweep; device NULL: the default */
int command_edit(int argc, char **argv);
int command_list(int argc, char **argv);
int command_show(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_validate(int argc, char **argv);
int command_open(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_export(int argc, char **argv);
int command_isa(int argc, char **argv);
int command_exec(int argc, char **argv);
int command_lesson(int argc, char **argv);
int command_worker(int argc, char **argv);
int command_completion(int argc, char **argv);

void command_print_error(const char *text); /* "wavedeck: TEXT" on standard error, in place of the progress line */
/* Prints "wavedeck: TEXT" on standard error and returns the exit status. Nothing is printed for an empty text (help was
 * asked for). */
int command_report_failure(const struct err *e);

/* --- arguments --- */
struct option {
	const char *name;
	const char **value;
	bool *flag;
}; /* "--device" with a value, or a flag */
struct argument_list {
	const char **list;
	int count;
}; /* list points into argv's memory and is owned by the caller: free(list) */
/* Options anywhere, "--name VALUE" or "--name=VALUE", until "--". `options` ends with a NULL name. */
bool options_parse(const struct option *options, int argc, char **argv, struct argument_list *words, struct err *e);

/* The same plan measured into a session, nothing printed but what failed. `words`: the experiment, then what `run`
 * takes. */
int command_run_recorded(const struct argument_list *words, const char *device, const char *record);
int command_estimate(const struct argument_list *words,
	const char *device); /* how long that run would take, from a few points at the small size */
int command_print_comparison(const char *const *paths, int count); /* what `compare` prints, 2 to 8 of them */

/* --- the catalog --- */
/* Definitions that do not load are named on standard error when `report`. */
bool command_load_catalog(struct catalog *out, bool report, struct err *e);
/* For a command that is about one experiment: a definition is loaded when catalog_find asks for it. */
bool command_open_catalog(struct catalog *out, struct err *e);

/* --- workers --- */
/* The one that was asked for; NULL: that of the settings, else the first GPU, else the software one. */
const char *command_default_device(const char *asked);
/* Starts one and waits until its device is open, at most a minute; NULL with why not. An interrupt ends the wait. */
struct worker_controller *command_start_worker(const char *device, struct err *e);
void command_pump_worker(struct worker_controller *w); /* for input or a moment, then pumps */
struct sweep;
void command_pump_sweep(struct worker_controller *w, struct sweep *s); /* the same, and the sweep gets what came */

/* --- interrupts --- */
extern volatile sig_atomic_t command_interrupted;
void command_catch_interrupts(
	void); /* INT, TERM, HUP: the first is noted, the second ends the program at once with 130 */

/* --- output --- */
void progress_show(const char *text); /* one line on standard error, when that is a terminal */
void progress_clear(void);
int terminal_width(int fallback);
bool terminal_is_ascii(void);
void command_print_json(json_t *v); /* JSON on standard output, a line; takes the reference */
/* Flushes standard output; a reader that has gone is no error, a full disk is. */
int command_finish_output(int status);

#endif
