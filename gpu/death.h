/* Why a worker died, from how it ended and what it wrote to standard error last. */
#ifndef GPU_DEATH_H
#define GPU_DEATH_H

#include <stddef.h>

enum { DEATH_LINES = 24, DEATH_WIDTH = 300 };

/* The last lines of standard error, a ring. */
struct last_words { char line[DEATH_LINES][DEATH_WIDTH]; size_t count; };

void last_words_add(struct last_words *w, const char *line);

/* One line: `status` is waitpid's, `doing` what it was at ("running point 3", "" when idle). */
void death_text(char *out, size_t size, int status, const struct last_words *w, const char *doing);

#endif
