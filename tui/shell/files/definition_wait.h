/* The screen while the definition that the user named has a mistake: it shows the error until a file is saved. */
#ifndef TUI_SHELL_FILES_DEFINITION_WAIT_H
#define TUI_SHELL_FILES_DEFINITION_WAIT_H

#include <stdbool.h>

#include "tui/toolkit/grid.h"

/* Whether the experiment is named by the path of a file that can be read, so that saving it can help. */
bool definition_wait_can_help(const char *experiment);
/* A descriptor that can be read after a file of the definition's folder was saved; -1 if the folder cannot be watched.
 * The caller closes it. */
int definition_wait_open(const char *path);
bool definition_wait_read(int fd); /* whether a file was saved since the last call */
void definition_wait_draw(struct grid *g, bool ascii, const char *path, const char *error);

#endif
