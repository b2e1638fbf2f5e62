/* A session as one HTML file: its picture, which a script in it makes interactive, its points and its provenance. It
 * asks for nothing from elsewhere. */
#ifndef SESSIONS_EXPORT_EXPORT_HTML_H
#define SESSIONS_EXPORT_EXPORT_HTML_H

#include "sessions/export/session_output.h"

void html_export(const struct session_output *o);

#endif
