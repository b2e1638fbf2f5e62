/* Splits Markdown into the blocks of a lesson, with md4c. lesson.c checks what a page must contain. */
#ifndef EXPERIMENTS_COURSE_LESSON_MARKDOWN_H
#define EXPERIMENTS_COURSE_LESSON_MARKDOWN_H

#include <stddef.h>

#include "experiments/course/lesson.h"

struct markdown {
	void *ctx;
	void (*heading)(void *ctx, int level, const char *text);
	void (*block)(void *ctx, enum lesson_kind kind, int number, bool right, const char *text,
		const char *info);                                      /* info: a code block's language */
	void (*link)(void *ctx, const char *target, const char *words); /* words: what it is written on */
	void (*html)(void *ctx, const char *text); /* an unchanged HTML block, including comments */
	int *line; /* set to the line of the text before each call, from 1; may be NULL */
};

/* Calls the functions in the order of the text. False if md4c fails. */
bool markdown_read(const char *text, size_t len, const struct markdown *m);

#endif
