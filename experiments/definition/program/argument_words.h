/* The arguments of a program as one text: "n={n} 'two words'". It is split as a shell splits words, without a shell:
 * blanks separate, '...' and "..." keep them, \ takes the next character as it is. {NAME} stands for a parameter's
 * value; other braces are text. */
#ifndef EXPERIMENTS_DEFINITION_PROGRAM_ARGUMENT_WORDS_H
#define EXPERIMENTS_DEFINITION_PROGRAM_ARGUMENT_WORDS_H

#include <stdbool.h>

#include "base/err.h"

struct argument_words {
	char **list; /* ends with NULL; owned */
	int count;
};

/* False with an error if a quote is not closed. */
bool argument_words_split(const char *text, struct argument_words *out, struct err *e);
void argument_words_free(struct argument_words *w);

enum { PLACEHOLDER_NAME = 32 };
/* The first {NAME} from `text` on: where it begins, and its end. NULL: there is none. */
const char *placeholder_find(const char *text, char name[PLACEHOLDER_NAME], const char **end);
/* The word with the values in place of the names; `value` gives the text for a name, NULL: it stays. The caller frees
 * it. */
char *placeholders_fill(const char *word, const char *(*value)(void *ctx, const char *name), void *ctx);

#endif
