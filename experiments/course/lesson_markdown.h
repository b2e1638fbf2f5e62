/* A lesson's Markdown as blocks, read by md4c. What the blocks must be is lesson.c's affair. */
#ifndef EXPERIMENTS_COURSE_LESSON_MARKDOWN_H
#define EXPERIMENTS_COURSE_LESSON_MARKDOWN_H

#include "experiments/course/lesson.h"

struct markdown {
	void *ctx;
	void (*heading)(void *ctx, int level, const char *text);
	void (*block)(void *ctx, enum lesson_kind kind, int number, bool right, const char *text,
		const char *info); /* info: a code block's language */
	void (*link)(void *ctx, const char *target);
	void (*html)(void *ctx, const char *text); /* a block of it as it stands, comments too */
	int *line; /* set before each call to where its text stands, from 1; NULL when nobody asks */
};

/* Calls back in the order of the text. False when md4c cannot read it. */
bool markdown_read(const char *text, size_t len, const struct markdown *m);

#endif
