/* Whether headers have a word, outside of comments: a macro of that name may change them. */
#ifndef KERNELS_COMPILE_HEADER_WORDS_H
#define KERNELS_COMPILE_HEADER_WORDS_H

#include "kernels/compile/kernel_inputs.h"

/* `word`: "NAME" or "NAME=VALUE". True also if a file cannot be read. */
bool headers_have_word(const struct kernel_inputs *headers, const char *word);

#endif
