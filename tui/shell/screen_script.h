/* `wavedeck --script FILE`: the screen driven by names and dumped as text, without a terminal. Its lines are the
 * rows of the table in screen_script.c; `wavedeck help scripts` tells them. */
#ifndef TUI_SHELL_SCREEN_SCRIPT_H
#define TUI_SHELL_SCREEN_SCRIPT_H

/* The lines' names, one by one, with their arguments and what they do; NULL behind the last. */
const char *script_command(int i, const char **arguments, const char **help);

int script_run(const char *file, const char *device); /* "-": standard input. Returns an exit status. */

#endif
