/* The candidates for the last word of an incomplete command line. */
#ifndef CLI_COMPLETION_WORDS_H
#define CLI_COMPLETION_WORDS_H

#include "base/buf.h"

/* `words` follow `wavedeck`; the last one is being typed. Appends each candidate as a line; one that ends in '=' needs
 * a value. Appends nothing if a file name is expected. */
void completion_list_words(const char *const *words, int count, struct buf *out);

#endif
