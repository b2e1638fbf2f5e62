/* On what the answers of the course rest, as a table: a row for each source of an answer, and one for an answer
 * without. */
#ifndef EXPERIMENTS_COURSE_SOURCE_REPORT_H
#define EXPERIMENTS_COURSE_SOURCE_REPORT_H

#include <stdio.h>

#include "base/err.h"
#include "experiments/course/lesson.h"

/* Writes one format; `width` is that of lines of text. */
typedef void source_report(const struct lesson *const *list, int count, int width, FILE *out);

/* "text", "csv", "json" or "markdown"; NULL with an error. */
source_report *source_report_find(const char *format, struct err *e);

#endif
