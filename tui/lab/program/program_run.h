/* A run of the user's program under `wavedeck capture`: its kernels while it runs, and afterwards an experiment for
 * each of them. */
#ifndef TUI_LAB_PROGRAM_PROGRAM_RUN_H
#define TUI_LAB_PROGRAM_PROGRAM_RUN_H

#include "captures/capture_experiments.h"
#include "captures/capture_file.h"
#include "tui/lab/app.h"
#include "tui/lab/program/program_activity.h"
#include "tui/lab/program/program_process.h"

enum program_state { PROGRAM_RUNNING, PROGRAM_ENDED };

struct program_run {
	char **command; /* the program with its arguments, up to NULL; owned */
	enum program_state state;
	int status;           /* PROGRAM_ENDED: as the shell gives it */
	long long started_ms; /* now_ms */
	double seconds;       /* of the run, when it has ended */
	struct program_process *process;
	struct program_kernels kernels;
	char *folder, *file;           /* temporary: journals, and the capture */
	struct opened_capture capture; /* folder NULL: none was made */
	struct captured_kernel *captured;
	int captured_count;
	char why_none[300]; /* why there is no capture, when it has ended */
};

/* The copies of the words belong to the run. NULL with an error. program_run_free. */
struct program_run *program_run_start(char *const *command, int columns, int rows, struct err *e);
void program_run_free(struct program_run *r);
/* Whether something has changed. When the program has ended, its kernels become experiments of the app. */
bool program_run_pump(struct app *a, struct program_run *r);
/* The captured kernel of a row; NULL: none was kept, or the program runs. */
const struct captured_kernel *program_run_captured(const struct program_run *r, const struct program_kernel *k);
/* Makes the experiment of its kernel the current one, at this captured launch of it, on the device that it ran on.
 * False with an error. */
bool program_run_open_launch(struct app *a, const struct program_run *r, const json_t *launch, struct err *e);
/* Copies the capture to a new file that only this user can read. */
bool program_run_save(const struct program_run *r, const char *file, struct err *e);

#endif
