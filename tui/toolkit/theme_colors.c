#include "tui/toolkit/theme_colors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/toolkit/color_distance.h"

static bool parse_color_number(const char *text, int low, int high, short *out)
{
	char *end;
	long v = strtol(text, &end, 10);
	*out = (short)v;
	return isdigit((unsigned char)*text) && !*end && v >= low && v <= high;
}

/* "#5f87af" or "245" */
static bool parse_color_256(const char *text, short *out)
{
	unsigned rgb;
	if (*text == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6 &&
		sscanf(text + 1, "%6x", &rgb) == 1) {
		*out = (short)color_find_nearest(
			(int[3]){(int)(rgb >> 16), (int)(rgb >> 8 & 255), (int)(rgb & 255)}, 16, 256);
		return true;
	}
	return parse_color_number(text, 16, 255, out);
}

bool theme_color_parse(char *text, struct theme_color *out, struct err *e)
{
	*out = THEME_TERMINAL_COLOR;
	out->is_set = true;
	if (!strcmp(text, "default"))
		return true;
	char *part[DEPTHS] = {text, NULL, NULL};
	for (int d = 1; d < DEPTHS && part[d - 1] && (part[d] = strchr(part[d - 1], '/')); d++)
		*part[d]++ = 0;
	if (!parse_color_256(part[0], &out->at[DEPTH_256]))
		return err_set(e, ST_REQUEST, "not a color: '%.20s'; use default, 16..255 or #rrggbb", part[0]);
	int rgb[3];
	color_to_rgb(out->at[DEPTH_256], rgb);
	out->at[DEPTH_16] = (short)color_find_nearest(rgb, 0, 16);
	out->at[DEPTH_8] = (short)color_find_nearest(rgb, 0, 8);
	if (part[1] && !parse_color_number(part[1], 0, 15, &out->at[DEPTH_16]))
		return err_set(e, ST_REQUEST, "not one of 16 colors: '%.20s'; use 0..15", part[1]);
	return !part[2] || parse_color_number(part[2], 0, 7, &out->at[DEPTH_8]) ||
		err_set(e, ST_REQUEST, "not one of 8 colors: '%.20s'; use 0..7", part[2]);
}
