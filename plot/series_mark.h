/* The marks of series, in ASCII and as the glyph that stands for it on the other canvases. */
#ifndef PLOT_SERIES_MARK_H
#define PLOT_SERIES_MARK_H

#include <stdbool.h>

/* "*" or its glyph; never empty. The text is static. */
const char *mark_text(char mark, bool ascii);
/* Is this cell's text a mark (and not a part of a line)? */
bool text_is_mark(const char *utf8);

#endif
