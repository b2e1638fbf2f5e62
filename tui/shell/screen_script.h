/* `wavedeck --script FILE`: drives the screen by action names and dumps it as text, without a terminal. `wavedeck
 * help scripts` lists the commands, the rows of the table in screen_script.c. */
#ifndef TUI_SHELL_SCREEN_SCRIPT_H
#define TUI_SHELL_SCREEN_SCRIPT_H

/* The i-th command with its arguments and help; NULL after the last. */
const char *script_command(int i, const char **arguments, const char **help);

int script_run(const char *file, const char *device, const char *experiment, char *const *program);
/* NULL: the default one */ /* "-": standard input. Returns an exit status. */

#endif
