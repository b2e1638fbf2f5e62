/* The marks of series: an ASCII character, and its glyph on the other canvases. */
#ifndef PLOT_SERIES_MARK_H
#define PLOT_SERIES_MARK_H

#include <stdbool.h>

/* "*" or its glyph; never empty. The text is static. */
const char *mark_text(char mark, bool ascii);
/* True if the text of a cell is a mark and not a part of a line. */
bool text_is_mark(const char *utf8);

#endif
