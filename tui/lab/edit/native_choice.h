/* Whether the C file of an experiment's reference may run: a choice of the user, once for each content. */
#ifndef TUI_LAB_EDIT_NATIVE_CHOICE_H
#define TUI_LAB_EDIT_NATIVE_CHOICE_H

#include "tui/lab/app.h"

/* The user has neither allowed nor refused it. False without native code, and on a recording, which runs nothing. */
bool native_choice_is_missing(const struct app *a, const struct lab *b);
/* The content was refused: the experiment is measured without verification. */
bool native_choice_is_no(const struct app *a, const struct lab *b);
void native_choice_make(struct app *a, const struct lab *b, bool yes);

#endif
