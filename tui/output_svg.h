/* A session as an SVG picture with its metadata, and the parts of it that the HTML report has too. */
#ifndef TUI_OUTPUT_SVG_H
#define TUI_OUTPUT_SVG_H

#include "base/buf.h"
#include "tui/command_output.h"

void svg_print(const struct output *o);

/* --- parts --- */
enum { PICTURE_WIDTH = 900 };
/* <svg> with chart, clock strips and legend. False, and nothing added, when the session has nothing to draw. `title`:
 * with its heading and metadata. */
bool svg_picture(struct buf *out, const struct output *o, bool title);

struct fact {
	char *name, *value;
};
struct facts {
	struct fact *list;
	int count;
};
/* The lines of provenance of the CSV, and where published rows are from. */
void facts_make(const struct output *o, struct facts *out);
void facts_free(struct facts *f);
const char *fact_value(const struct facts *f, const char *name); /* "" */

#endif
