/* The 256-color palette of terminals: 16 colors that the user can change, a cube of 6 x 6 x 6, and 24 grays. */
#ifndef TUI_TOOLKIT_COLOR_DISTANCE_H
#define TUI_TOOLKIT_COLOR_DISTANCE_H

/* Red, green and blue, 0..255. The first 16 have xterm's default values. */
void color_to_rgb(int color, int rgb[3]);
/* The color among first..end - 1 that is nearest. */
int color_find_nearest(const int rgb[3], int first, int end);

#endif
