/* The documents that the published rows cite: full titles and the short names that people read. */
#ifndef SESSIONS_COMPARE_PUBLISHED_SOURCES_H
#define SESSIONS_COMPARE_PUBLISHED_SOURCES_H

#include <stddef.h>

struct published_source {
	const char *id;         /* "S0", as the rows cite it */
	const char *short_name; /* "Vega64 notes" */
	const char *title, *author, *where;
};

/* The document number `index`, from 0; NULL behind the last. For a legend. */
const struct published_source *published_source_at(int index);

/* A row's citation for people: "S0 2.9.2" becomes "Vega64 notes 2.9.2", "S1 kernel 5" becomes "RDNA3 SGEMM,
 * kernel 5". Text without a known id stays as it is. Returns out. */
const char *published_source_format(char *out, size_t size, const char *source);

#endif
