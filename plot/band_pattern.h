/* The patterns of areas, told apart without colour. A pattern has a letter, which is drawn on the ASCII canvas and
 * stands in the series' mark. */
#ifndef PLOT_BAND_PATTERN_H
#define PLOT_BAND_PATTERN_H

#include <stdbool.h>

/* The letter itself or the glyph that stands for it; never empty. The text is static. */
const char *band_pattern_text(char letter, bool ascii);

#endif
