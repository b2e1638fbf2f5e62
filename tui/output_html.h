/* A session as one HTML file: its picture, which a script in it makes interactive, its points and its provenance. It
 * asks for nothing from elsewhere. */
#ifndef TUI_OUTPUT_HTML_H
#define TUI_OUTPUT_HTML_H

#include "tui/command_output.h"

void html_export(const struct session_output *o);

#endif
