/* Asks whether the C reference of an experiment may run. */
#ifndef CLI_OWN_NATIVE_QUESTION_H
#define CLI_OWN_NATIVE_QUESTION_H

#include "experiments/definition/experiment.h"

/* Once for each content. `trust`: the command line has the yes. False with an error if the answer is no, or if there
 * is no terminal to ask. */
bool command_allow_native(const struct experiment *x, bool trust, struct err *e);

#endif
