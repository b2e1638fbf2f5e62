/* The user's program, in a terminal of its own: what it prints, and what is typed for it. Nothing here blocks. */
#ifndef TUI_LAB_PROGRAM_PROGRAM_PROCESS_H
#define TUI_LAB_PROGRAM_PROGRAM_PROCESS_H

#include <stdbool.h>

#include "base/err.h"

enum { PROGRAM_LINES_MAX = 2000, PROGRAM_LINE_BYTES = 500 };

struct program_process;

/* argv ends with NULL; argv[0] is a path. NULL with an error. program_process_free. */
struct program_process *program_process_start(char *const *argv, int columns, int rows, struct err *e);
/* The size of its terminal from now on. The program gets SIGWINCH if it differs. */
void program_process_resize(struct program_process *p, int columns, int rows);
/* Ends it, if it runs. */
void program_process_free(struct program_process *p);
/* Reads what it has printed, and notices its end. Whether something has changed. */
bool program_process_pump(struct program_process *p);
/* *status: as the shell gives it, when it has ended and all its output was read. */
bool program_process_has_ended(const struct program_process *p, int *status);
/* The line before the last by `back`, without escape sequences; NULL: there are not so many. */
const char *program_process_line(const struct program_process *p, int back);
int program_process_line_count(const struct program_process *p);
/* Types a text. "\x03": Ctrl-C. */
void program_process_type(struct program_process *p, const char *text);

#endif
