/* Fill patterns of areas, which differ without color. A pattern is named by a letter: the mark of its series, and what
 * the ASCII canvas draws. */
#ifndef PLOT_BAND_PATTERN_H
#define PLOT_BAND_PATTERN_H

#include <stdbool.h>

/* The letter in ASCII, else its glyph; never empty. The text is static. */
const char *band_pattern_text(char letter, bool ascii);

/* "#56b4e9": its color on white paper. */
const char *band_color(char letter);

#endif
