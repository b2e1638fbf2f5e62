/* The course: all lessons in their order. */
#ifndef EXPERIMENTS_COURSE_LESSONS_H
#define EXPERIMENTS_COURSE_LESSONS_H

#include "experiments/course/lesson.h"

struct lessons {
	struct lesson **list;
	int count;
};

/* The pages that the folder's README.md links to, in order. Pages with errors are reported through `bad` (may be NULL)
 * and skipped. */
bool lessons_load(
	const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e);
/* Adds all pages of a folder, by name; the folder may be missing. */
void lessons_add_folder(const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx);
void lessons_free(struct lessons *l);
bool lesson_name_is_file(const char *name); /* with a slash or ".md": not an id */
/* By id. NULL with an error, which suggests the nearest id. */
const struct lesson *lessons_find(const struct lessons *l, const char *id, struct err *e);

#endif
