/* Where a session comes from, as name and value: the provenance lines of the CSV, and the sources of published rows. */
#ifndef SESSIONS_EXPORT_PROVENANCE_FACTS_H
#define SESSIONS_EXPORT_PROVENANCE_FACTS_H

#include "sessions/export/session_output.h"

struct provenance_fact {
	char *name, *value;
};
struct provenance_facts {
	struct provenance_fact *list;
	int count;
};

void provenance_facts_read(const json_t *header, struct provenance_facts *out);
/* The same, and the sources of the published values of the output. */
void provenance_facts_make(const struct session_output *o, struct provenance_facts *out);
void provenance_facts_free(struct provenance_facts *f);
const char *provenance_facts_find(const struct provenance_facts *f, const char *name); /* "" if missing */

#endif
