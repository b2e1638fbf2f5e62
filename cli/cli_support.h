/* What the commands share: the table of commands, arguments, the catalog, opening a worker, interrupts, output. */
#ifndef CLI_CLI_SUPPORT_H
#define CLI_CLI_SUPPORT_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "experiments/definition/experiment.h"
#include "gpu/controller/worker_pool.h"

/* --- commands --- */

struct command {
	const char *name, *arguments, *summary;
	/* Options and examples, as lines. {formats} and {format list} stand for the export formats. */
	const char *help;
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
	unsigned formats;                  /* what --format can export: EXPORT_ flags of exporters.h; 0: no --format */
};
const struct command *command_find(const char *name, struct err *e);
const struct command *command_at(int i); /* NULL after the last */
/* "wavedeck NAME ARGUMENTS", and the help with its formats; the caller frees both. */
char *command_format_usage(const struct command *c);
char *command_format_help(const struct command *c);
void command_print_usage(const struct command *c, FILE *out);
int command_print_overview(void); /* `wavedeck --help` */

int command_run(int argc, char **argv);
/* Prints plot and table of the default sweep. `device` NULL: the default. */
int command_run_default(const char *experiment, const char *device);
int command_new(int argc, char **argv);
int command_edit(int argc, char **argv);
int command_list(int argc, char **argv);
int command_show(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_validate(int argc, char **argv);
int command_roofline(int argc, char **argv);
int command_open(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_export(int argc, char **argv);
int command_isa(int argc, char **argv);
int command_exec(int argc, char **argv);
int command_capture(int argc, char **argv);
int command_lesson(int argc, char **argv);
int command_batch(int argc, char **argv);
int command_batch_task(int argc, char **argv);
int command_gather(int argc, char **argv);
int command_fleet(int argc, char **argv);
int command_install(int argc, char **argv);
int command_worker(int argc, char **argv);
int command_completion(int argc, char **argv);

/* "wavedeck: TEXT" as one line on standard error; clears the progress line. */
void command_print_error(const char *text);
void command_printf_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error and returns the exit status. An empty text (after --help) prints nothing. */
int command_report_failure(const struct err *e);
/* For a command that takes no further arguments: reports `word` and returns the exit status. */
int command_report_extra_word(const char *command, const char *word);

/* --- arguments --- */

enum { OPTION_REPEATS = 64 };
struct option { /* a value or a flag. Both: the option may be repeated, and `value` is a list that ends with NULL */
	const char *name;
	const char **value;
	bool *flag;
};
struct argument_list {
	const char **list; /* points into argv; the caller frees the list */
	int count;
};
/* For a command that starts a program: what is before "--" or the program are its own options; the rest is the
 * program's. Returns the index of the first word of that, or argc. */
int options_count_own(const struct option *options, int argc, char **argv);
/* Accepts options anywhere before "--", as "--name VALUE" or "--name=VALUE". `options` ends with a NULL name. */
bool options_parse(const struct option *options, int argc, char **argv, struct argument_list *words, struct err *e);

/* Measures a plan into a session and prints only failures. `words`: the experiment and the arguments of `run`. */
int command_run_recorded(const struct argument_list *words, const char *device, const char *record);
/* Estimates how long that run takes, from a few points at a reduced size; `workers` as in worker_count_choose. */
int command_estimate(const struct argument_list *words, const char *device, const char *workers);
int command_print_comparison(const char *const *paths, int count); /* prints what `compare` prints, for 2 to 8 files */

/* --- the catalog --- */

/* Loads all definitions. With `report`, prints those that cannot be loaded on standard error. */
bool command_load_catalog(struct catalog *out, bool report, struct err *e);
/* For a command that needs one experiment: catalog_find loads its definition. */
bool command_open_catalog(struct catalog *out, struct err *e);

/* --- workers --- */

/* `asked`, or if it is NULL the device of the settings, else the first GPU, else the software GPU. */
const char *command_default_device(const char *asked);
/* Starts a pool of `count` workers and waits until the device is open: up to a minute, but without a limit for workers
 * elsewhere, which may have to wait for a machine. NULL with one line in `e`, also if interrupted. */
struct worker_pool *command_start_workers(const char *device, int count, struct err *e);
struct worker_pool *command_start_workers_at(const struct worker_place *places, int count, int jobs, struct err *e);
/* The same; gives up when the condition is met, too. It is asked several times a second. NULL: none. */
struct stop_condition {
	bool (*is_met)(void *ctx);
	void *ctx;
};
struct worker_pool *command_start_workers_unless(
	const struct stop_condition *stop, const struct worker_place *places, int count, int jobs, struct err *e);
/* Waits shortly for input, then pumps. */
void command_pump_workers(struct worker_pool *w);
/* The next record, which the caller owns, or NULL. Prints deaths of workers. */
json_t *command_next_record(struct worker_pool *w);
struct sweep;
/* Pumps, and hands the records to the sweep. */
void command_pump_sweep(struct worker_pool *w, struct sweep *s);

/* --- interrupts --- */

extern volatile sig_atomic_t command_interrupted;
/* INT, TERM, HUP: the first one sets command_interrupted, the second one exits with status 130. */
void command_catch_interrupts(void);

/* --- output --- */

void progress_show(const char *text); /* one line on standard error, if that is a terminal */
void progress_clear(void);
int terminal_width(int fallback);
bool terminal_is_ascii(void);
enum { TEXT_WIDTH_MAX = 100 }; /* of texts for reading */
/* Prints the text broken at spaces; `first` begins its first line, `rest` the others. */
void command_print_wrapped(const char *first, const char *rest, const char *text, int width);
void command_print_json(json_t *v); /* one line on standard output; takes the reference */
/* Flushes standard output; a full disk is an error, a closed pipe is not. Returns the exit status. */
int command_finish_output(int status);

#endif
