/* SVG pictures: a path for the shapes of each color, and a text element for each run of text. `textLength` gives every
 * run the width of its cells, whatever the advance of the viewer's font is. */
#include <stdlib.h>

#include "tui/toolkit/cell_painter.h"
#include "tui/toolkit/screenshot.h"

enum { FONT_SIZE = 13, CORNER = 6 };
#define FONT_FAMILY "DejaVu Sans Mono,Menlo,Consolas,Liberation Mono,monospace"

struct svg_layer { /* the shapes of one color */
	unsigned rgb;
	struct buf fills, dots;
	struct rect last; /* the last fill; not yet in `fills`, since the next one may extend it */
};

struct svg_painter {
	struct cell_painter painter; /* first: the callbacks get its address */
	struct svg_layer *layers;    /* owned */
	int layer_count;
	struct buf texts;
};

static struct svg_layer *layer_of_color(struct svg_painter *s, unsigned rgb)
{
	for (int i = 0; i < s->layer_count; i++)
		if (s->layers[i].rgb == rgb)
			return &s->layers[i];
	s->layers = xrealloc(s->layers, (size_t)(s->layer_count + 1) * sizeof *s->layers);
	s->layers[s->layer_count] = (struct svg_layer){.rgb = rgb};
	return &s->layers[s->layer_count++];
}

static void flush_fill(struct svg_layer *l)
{
	if (l->last.w)
		buf_printf(&l->fills, "M%d %dh%dv%dh-%dz", l->last.x, l->last.y, l->last.w, l->last.h, l->last.w);
	l->last = (struct rect){0};
}

static void svg_fill(struct cell_painter *p, struct rect r, unsigned rgb)
{
	struct svg_layer *l = layer_of_color((struct svg_painter *)p, rgb);
	if (l->last.w && l->last.y == r.y && l->last.h == r.h && l->last.x + l->last.w == r.x) {
		l->last.w += r.w;
		return;
	}
	flush_fill(l);
	l->last = r;
}

/* A line of no length with round ends. */
static void svg_dot(struct cell_painter *p, int x, int y, unsigned rgb)
{
	buf_printf(&layer_of_color((struct svg_painter *)p, rgb)->dots, "M%d %dh0", x, y);
}

static void append_escaped(struct buf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&': buf_puts(out, "&amp;"); break;
		case '<': buf_puts(out, "&lt;"); break;
		case '>': buf_puts(out, "&gt;"); break;
		default: buf_add(out, text, 1);
		}
}

static void svg_text(struct cell_painter *p, int x, int y, const char *text, int columns, unsigned rgb, bool bold)
{
	struct buf *out = &((struct svg_painter *)p)->texts;
	buf_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s>", x, y, columns * CELL_WIDTH, rgb,
		bold ? " class=\"b\"" : "");
	append_escaped(out, text);
	buf_puts(out, "</text>\n");
}

static void append_layers(struct svg_painter *s, struct buf *out)
{
	for (struct svg_layer *l = s->layers; l < s->layers + s->layer_count; l++) {
		flush_fill(l);
		if (l->fills.len)
			buf_printf(out, "<path fill=\"#%06x\" d=\"%s\"/>\n", l->rgb, l->fills.data);
	}
	for (struct svg_layer *l = s->layers; l < s->layers + s->layer_count; l++) {
		if (l->dots.len)
			buf_printf(out, "<path class=\"d\" stroke=\"#%06x\" d=\"%s\"/>\n", l->rgb, l->dots.data);
		buf_free(&l->fills);
		buf_free(&l->dots);
	}
}

bool screenshot_encode_svg(const struct grid *g, int colors, struct buf *out, struct err *e)
{
	struct svg_painter s = {.painter = {svg_fill, svg_dot, svg_text}};
	int w = picture_width(g), h = picture_height(g);
	(void)e;
	paint_grid(g, colors, &s.painter);
	buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
		"<title>wavedeck screen</title>\n"
		"<style>text{font:%dpx %s}.b{font-weight:bold}.d{fill:none;stroke-width:3;stroke-linecap:round}</style>\n"
		"<rect width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"#%06x\"/>\n",
		w, h, w, h, FONT_SIZE, FONT_FAMILY, w, h, CORNER, picture_background(colors));
	append_layers(&s, out);
	buf_printf(out, "%s</svg>\n", s.texts.data ? s.texts.data : "");
	buf_free(&s.texts);
	free(s.layers);
	return true;
}
