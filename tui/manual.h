/* The manual, made of the program's tables: commands, settings, actions and their keys, roles, script lines. */
#ifndef TUI_MANUAL_H
#define TUI_MANUAL_H

#include <stdbool.h>

/* One topic as text on standard output; false when there is none of that name. */
bool manual_topic(const char *name);
/* All topics with what they are about; NULL behind the last. */
const char *manual_topic_name(int i, const char **about);
/* All of it as roff on standard output. */
void manual_roff(void);

#endif
