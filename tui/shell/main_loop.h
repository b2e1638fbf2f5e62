/* The interactive program. */
#ifndef TUI_SHELL_MAIN_LOOP_H
#define TUI_SHELL_MAIN_LOOP_H

/* Runs until the user quits or a signal ends it. NULL: the default device, the default experiment. Returns an exit
 * status; errors before the first frame go to standard error. After SIGTERM, SIGHUP, SIGINT or SIGQUIT it restores
 * the terminal and ends the process by that signal. */
int workbench_run(const char *device, const char *experiment, char *const *program);

#endif
