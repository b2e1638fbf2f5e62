/* The line of a place in a journal: every field is checked, since a program can write anything there. */
#ifndef CHECKS_CHECK_RECORD_FIELDS_H
#define CHECKS_CHECK_RECORD_FIELDS_H

#include "checks/check_record.h"

/* False if a field is missing or not what it has to be. The caller clears the record. */
bool check_record_read(const json_t *line, struct check_record *out);
/* The same of a place that a worker found in a point, with source lines. */
bool check_record_read_of_point(const json_t *place, const struct checked_point *point, struct check_record *out);
void check_record_clear(struct check_record *r);
/* An integer from 0 on. */
bool check_field_read_count(const json_t *line, const char *name, uint64_t *out);
/* The sum, or the largest number. */
uint64_t count_add(uint64_t a, uint64_t b);

#endif
