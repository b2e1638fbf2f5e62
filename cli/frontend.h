/* What the command line needs from the terminal screen. cli includes nothing of tui: the main program fills in this
 * struct and hands it to cli_main. */
#ifndef CLI_FRONTEND_H
#define CLI_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/conf_file.h"
#include "base/err.h"

/* One row of a help topic. */
struct frontend_entry {
	char name[120];
	const char *help; /* valid until the next row is written */
};
/* Writes row `i` of a table; false after the last row. */
typedef bool frontend_table(int i, struct frontend_entry *out);

struct frontend {
	/* Both return an exit status. `device` as on the command line; `experiment` is an id or a path. */
	/* `experiment` NULL: that of the recording, else the one that was left (setting `restore`), else the first. */
	/* `program`: the user's program with its arguments, up to NULL, whose view is shown; NULL: none */
	int (*open_workbench)(const char *device, const char *experiment, char *const *program);
	/* file "-": standard input; experiment NULL: the default one */
	int (*run_script)(const char *file, const char *device, const char *experiment, char *const *program);

	/* Tables for help topics and the manual. */
	frontend_table *actions;      /* "run (Space)": an action with its keys */
	frontend_table *scopes;       /* the scopes that a key binding can name */
	frontend_table *roles;        /* the roles that a theme styles */
	frontend_table *script_lines; /* "expect TEXT": the lines of a script */

	/* The installed themes and the user's, sorted; the caller frees each name and the list. */
	size_t (*list_themes)(char ***names);
	char *(*read_theme_about)(const char *name); /* its description; the caller frees it */
	bool (*theme_exists)(const char *name, struct err *e);

	/* Reads the user's key bindings and reports each mistake to `bad`. False if there is no such file. */
	bool (*load_keys)(conf_error_handler *bad, void *ctx);
	/* Reads a theme and reports each mistake to `bad`. False with a line in `e` if it cannot be read. */
	bool (*load_theme)(const char *name, conf_error_handler *bad, void *ctx, struct err *e);
};

/* The frontend that was handed to cli_main. */
const struct frontend *cli_frontend(void);
/* Runs the command line; returns the exit status. `f` must stay valid. */
int cli_main(int argc, char **argv, const struct frontend *f);

#endif
