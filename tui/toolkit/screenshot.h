/* Writes the cell grid to a picture file, in the colors of the theme. The extension of the file selects the format. */
#ifndef TUI_TOOLKIT_SCREENSHOT_H
#define TUI_TOOLKIT_SCREENSHOT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/toolkit/grid.h"

/* The picture formats: extension, encoder. A row without its encoder does not link. */
#define PICTURE_FORMATS(X)              \
	X("svg", screenshot_encode_svg) \
	X("png", screenshot_encode_png)

/* Writes FILE.svg or FILE.png, whole or not at all. `colors` selects the theme's colors (theme_cell_style): 256, 16, 8,
 * or 0 for none. False with one line when the extension is unknown, a library is missing or the file cannot be written.
 */
bool screenshot_write(const struct grid *g, int colors, const char *path, struct err *e);

/* Appends the picture to `out`. */
typedef bool screenshot_encoder(const struct grid *g, int colors, struct buf *out, struct err *e);
#define PICTURE_ENCODER(extension, encoder) screenshot_encoder encoder;
PICTURE_FORMATS(PICTURE_ENCODER)
#undef PICTURE_ENCODER

#endif
