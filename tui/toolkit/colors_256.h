/* The 256-colour palette of terminals: 16 colours of the person's, a cube of 6 x 6 x 6, 24 greys. */
#ifndef TUI_TOOLKIT_COLORS_256_H
#define TUI_TOOLKIT_COLORS_256_H

/* Red, green, blue, 0..255. The first 16 as xterm has them: what they really are is the person's choice. */
void palette_rgb(int colour, int rgb[3]);
/* The nearest one of first..end - 1. */
int palette_nearest_colour(const int rgb[3], int first, int end);
/* WCAG 2.1's contrast ratio of two colours, 1..21: (lighter + 0.05) / (darker + 0.05) of their relative luminances. */
double palette_contrast(const int a[3], const int b[3]);

#endif
