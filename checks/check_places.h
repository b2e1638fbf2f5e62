/* What was found, by places in the source: unrolled copies of a line, processes, and launches count together. */
#ifndef CHECKS_CHECK_PLACES_H
#define CHECKS_CHECK_PLACES_H

#include "checks/check_record.h"

struct check_place {
	const struct check_record *record; /* the first one; of the journals */
	uint64_t count, launches;          /* of all */
	int64_t *offsets;                  /* of its instructions, each once */
	size_t offset_count;
	char *kernel; /* readable name */
	struct code_point at, other;
	bool suppressed;
};

struct check_places {
	struct check_place *list; /* sorted by kernel, line, and kind */
	size_t count;
};

/* `j` must stay valid. `folder` has the code objects of programs; NULL: there are none. */
void check_places_collect(const struct check_journals *j, const char *folder, struct check_places *out);
void check_places_free(struct check_places *p);
size_t check_places_count_suppressed(const struct check_places *p);

#endif
