/* A session as an <svg> element, for the SVG file and the HTML report. */
#ifndef SESSIONS_EXPORT_SVG_PICTURE_H
#define SESSIONS_EXPORT_SVG_PICTURE_H

#include "base/buf.h"
#include "sessions/export/session_output.h"

enum { PICTURE_WIDTH = 900 };
/* Appends chart, clock strips and legend; `with_text` adds the heading, faults and metadata. False, and nothing is
 * appended, if the session has nothing to draw. */
bool svg_append_picture(struct buf *out, const struct session_output *o, bool with_text);

/* Appends a heat map of each drawn metric as an <svg> element; false, and nothing is appended, if the session did not
 * sweep exactly two parameters. */
bool svg_append_heatmaps(struct buf *out, const struct session_output *o);

#endif
