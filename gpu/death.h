/* Why a worker died, from how it ended and what it wrote to standard error last. */
#ifndef GPU_DEATH_H
#define GPU_DEATH_H

#include <stddef.h>

enum { DEATH_WIDTH = 400 };

/* What standard error said since the last point: the most telling line (ROCr prints pages after it) and the last one.
 */
struct last_words {
	char telling[DEATH_WIDTH], last[DEATH_WIDTH];
	int rank; /* of `telling`, 0 without */
};

void last_words_add(struct last_words *w, const char *line);
void last_words_clear(struct last_words *w);

/* One line: `status` is waitpid's, `doing` what it was at ("running point 3", "" when idle). */
void death_text(char *out, size_t size, int status, const struct last_words *w, const char *doing);

#endif
