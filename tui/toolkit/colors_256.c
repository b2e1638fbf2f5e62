#include "tui/toolkit/colors_256.h"

#include <math.h>

/* xterm's charproc.c defaults. */
static const unsigned char sixteen[16][3] = {
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

void palette_rgb(int colour, int rgb[3])
{
	for (int i = 0; i < 3; i++)
		if (colour < 16)
			rgb[i] = sixteen[colour][i];
		else if (colour < 232) {
			int step = (colour - 16) / (i == 0 ? 36 : i == 1 ? 6 : 1) % 6;
			rgb[i] = step ? 55 + 40 * step : 0;
		} else
			rgb[i] = 8 + 10 * (colour - 232);
}

int palette_nearest_colour(const int rgb[3], int first, int end)
{
	static const int weight[3] = {3, 6, 1}; /* the eye's, roughly as luminance has them */
	long least = -1;
	int best = first;
	for (int c = first; c < end; c++) {
		int other[3];
		long far = 0;
		palette_rgb(c, other);
		for (int i = 0; i < 3; i++)
			far += (long)weight[i] * (rgb[i] - other[i]) * (rgb[i] - other[i]);
		if (least < 0 || far < least) {
			least = far;
			best = c;
		}
	}
	return best;
}

static double luminance(const int rgb[3])
{
	static const double part[3] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double c = rgb[i] / 255.0;
		sum += part[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double palette_contrast(const int a[3], const int b[3])
{
	double x = luminance(a), y = luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}
