/* What may stand at the end of a command line that begins with some words. */
#ifndef CLI_COMPLETION_WORDS_H
#define CLI_COMPLETION_WORDS_H

#include "base/buf.h"

/* The words behind `wavedeck`, the last one being typed. Adds each candidate as a line; one that ends in '=' wants a
 * value behind it. Nothing where a file's name is wanted. */
void completion_list_words(const char *const *words, int count, struct buf *out);

#endif
