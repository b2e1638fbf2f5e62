/* The interactive workbench. */
#ifndef TUI_SHELL_MAIN_LOOP_H
#define TUI_SHELL_MAIN_LOOP_H

/* Runs until the person quits or a signal ends it. NULL: the default device, the default experiment. Returns an exit
 * status; errors before the screen is there go to standard error. After SIGTERM, SIGHUP, SIGINT or SIGQUIT the process
 * ends by that signal, the terminal given back. */
int workbench_run(const char *device, const char *experiment);

#endif
