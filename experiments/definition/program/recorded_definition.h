/* The definition of a session that has the points of a program. */
#ifndef EXPERIMENTS_DEFINITION_PROGRAM_RECORDED_DEFINITION_H
#define EXPERIMENTS_DEFINITION_PROGRAM_RECORDED_DEFINITION_H

#include <jansson.h>

#include "base/err.h"

/* Writes the text of a program's definition to NAME.lua in a new folder, which is removed when this process ends.
 * Returns its path, which the caller frees; NULL with an error. */
char *program_definition_write(const char *name, const char *text, struct err *e);
/* The same for the definition in a session's header. NULL, with e->text "", if the session is of something else. */
char *program_definition_restore(const json_t *header, struct err *e);

#endif
