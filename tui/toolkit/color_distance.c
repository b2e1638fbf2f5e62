#include "tui/toolkit/color_distance.h"

/* The defaults in xterm's charproc.c. */
static const unsigned char xterm_colors[16][3] = {
	{0, 0, 0},
	{205, 0, 0},
	{0, 205, 0},
	{205, 205, 0},
	{0, 0, 238},
	{205, 0, 205},
	{0, 205, 205},
	{229, 229, 229},
	{127, 127, 127},
	{255, 0, 0},
	{0, 255, 0},
	{255, 255, 0},
	{92, 92, 255},
	{255, 0, 255},
	{0, 255, 255},
	{255, 255, 255},
};

void color_to_rgb(int color, int rgb[3])
{
	for (int i = 0; i < 3; i++)
		if (color < 16)
			rgb[i] = xterm_colors[color][i];
		else if (color < 232) {
			int step = (color - 16) / (i == 0 ? 36 : i == 1 ? 6 : 1) % 6;
			rgb[i] = step ? 55 + 40 * step : 0;
		} else
			rgb[i] = 8 + 10 * (color - 232);
}

int color_find_nearest(const int rgb[3], int first, int end)
{
	static const int weight[3] = {3, 6, 1}; /* about as sensitive as the eye */
	long least = -1;
	int best = first;
	for (int c = first; c < end; c++) {
		int other[3];
		long distance = 0;
		color_to_rgb(c, other);
		for (int i = 0; i < 3; i++)
			distance += (long)weight[i] * (rgb[i] - other[i]) * (rgb[i] - other[i]);
		if (least < 0 || distance < least) {
			least = distance;
			best = c;
		}
	}
	return best;
}
