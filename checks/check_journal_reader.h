/* Reads what the processes of a checked program wrote down, and what points of experiments contain. */
#ifndef CHECKS_CHECK_JOURNAL_READER_H
#define CHECKS_CHECK_JOURNAL_READER_H

#include "checks/check_record.h"

/* All files *.check in the folder, in order of their names. Lines that are damaged are counted and left out: a process
 * may end while it writes. False with an error if the folder cannot be read. check_journals_free in both cases. */
bool check_journals_read(const char *folder, struct check_journals *out, struct err *e);
/* What the checks of a point of an experiment found (point_get_found). Damaged places are counted. `j` may be zeroed at
 * first. */
void check_journals_add_point(struct check_journals *j, const json_t *found, const struct checked_point *point);
void check_journals_free(struct check_journals *j);

#endif
