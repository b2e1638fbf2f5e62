/* The ranges of a program's sweep, NAME=VALUE, NAME=A..B[:x2|:+16] or NAME=a,b,c, as parameters of a definition. */
#ifndef CLI_OWN_PROGRAM_RANGES_H
#define CLI_OWN_PROGRAM_RANGES_H

#include "base/buf.h"
#include "cli/cli_support.h"
#include "experiments/definition/program/argument_words.h"

/* Checks that each {NAME} of the arguments has values and is in `ranges` once, and that these are all; words with @ are
 * presets. False with an error that has the fix. */
bool program_ranges_check(const struct argument_words *arguments, const struct argument_list *ranges, struct err *e);
/* Appends `params = { ... }`. The one with the most values is swept by default. */
bool program_ranges_put(struct buf *b, const struct argument_list *ranges, struct err *e);

#endif
