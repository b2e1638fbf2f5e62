/* The costs of causes in a report, as bars. */
#ifndef SESSIONS_EXPORT_HTML_WHAT_IF_BARS_H
#define SESSIONS_EXPORT_HTML_WHAT_IF_BARS_H

#include <jansson.h>

#include "base/buf.h"

/* Appends a section with the what_if records of a session (docs/protocol.md); nothing without any. */
void html_append_what_if(struct buf *out, const json_t *records);

#endif
