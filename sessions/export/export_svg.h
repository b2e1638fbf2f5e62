/* A session as an SVG picture with its metadata, and the parts of it that the HTML report has too. */
#ifndef SESSIONS_EXPORT_EXPORT_SVG_H
#define SESSIONS_EXPORT_EXPORT_SVG_H

#include "base/buf.h"
#include "sessions/export/session_output.h"

void svg_export(const struct session_output *o);

/* --- parts --- */
enum { PICTURE_WIDTH = 900 };
/* <svg> with chart, clock strips and legend. False, and nothing added, when the session has nothing to draw. `title`:
 * with its heading and metadata. */
bool svg_export_picture(struct buf *out, const struct session_output *o, bool title);

struct provenance_fact {
	char *name, *value;
};
struct provenance_facts {
	struct provenance_fact *list;
	int count;
};
/* The lines of provenance of the CSV, and where published rows are from. */
void provenance_facts_make(const struct session_output *o, struct provenance_facts *out);
void provenance_facts_free(struct provenance_facts *f);
const char *provenance_facts_find(const struct provenance_facts *f, const char *name); /* "" */

#endif
