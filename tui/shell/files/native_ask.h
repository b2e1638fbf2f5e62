/* The question whether native code of an experiment's reference may run, on the input line. */
#ifndef TUI_SHELL_FILES_NATIVE_ASK_H
#define TUI_SHELL_FILES_NATIVE_ASK_H

#include "tui/lab/app.h"

/* Asks if a measurement waits for the answer; later, while another line is typed. */
void native_ask_if_wanted(struct app *a);

#endif
