/* The user's results in the course as a table: a row for each question. */
#ifndef EXPERIMENTS_COURSE_COURSE_REPORT_H
#define EXPERIMENTS_COURSE_COURSE_REPORT_H

#include <stdio.h>

#include "experiments/course/course_progress.h"
#include "experiments/course/lessons.h"

/* Writes one format: all rows, also those without a result. */
typedef void course_report(const struct lesson *const *list, int count, const struct course_progress *p, FILE *out);

/* "text", "csv" or "json"; NULL with an error. */
course_report *course_report_find(const char *format, struct err *e);

#endif
