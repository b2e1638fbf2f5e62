/* What is reported about a program. */
#ifndef CHECKS_CHECK_FINDINGS_H
#define CHECKS_CHECK_FINDINGS_H

#include "base/buf.h"
#include "checks/check_places.h"
#include "checks/host_frames.h"
#include "checks/source_text.h"

struct check_findings {
	const struct check_journals *journals;
	const struct check_places *places;
	struct source_text *sources;
	struct host_modules *modules;
	char **program;     /* with its arguments, up to NULL */
	int status;         /* with which it ended */
	const char *checks; /* "memory,race" */
	const char *steps;  /* what to do to see the steps of the accesses: "`wavedeck ./app`, ..."; NULL: nothing */
};

/* For people: a place as some lines; without its source and work-items if they are unknown. */
void check_place_append_text(struct buf *b, const struct check_findings *r, const struct check_place *p);
/* All places that are not suppressed, at most `limit`, and the summary. */
void check_report_append_text(struct buf *b, const struct check_findings *r, size_t limit);

#endif
