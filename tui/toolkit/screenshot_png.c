/* PNG pictures, drawn by cairo. The library is loaded when the first one is written, because nothing else needs it. Its
 * text functions take each glyph from the system's monospace font. */
#include <dlfcn.h>
#include <string.h>

#include "base/host/shared_library.h"
#include "tui/toolkit/cell_painter.h"
#include "tui/toolkit/screenshot.h"

enum { SCALE = 2 /* pixels per picture unit */ };

/* As in cairo.h 1.16, which is not needed to build. */
typedef struct cairo_surface cairo_surface_t;
typedef struct cairo_context cairo_t;
typedef int cairo_write_func(void *closure, const unsigned char *data, unsigned length);
typedef struct {
	double x_bearing, y_bearing, width, height, x_advance, y_advance;
} cairo_text_extents_t;
enum {
	CAIRO_STATUS_SUCCESS = 0,
	CAIRO_FORMAT_RGB24 = 1,
	CAIRO_FONT_SLANT_NORMAL = 0,
	CAIRO_FONT_WEIGHT_NORMAL = 0,
	CAIRO_FONT_WEIGHT_BOLD = 1
};

/* Return type, name, parameters. */
#define CAIRO_FUNCTIONS(X)                                                                          \
	X(cairo_surface_t *, image_surface_create, (int format, int width, int height))             \
	X(int, surface_status, (cairo_surface_t *))                                                 \
	X(void, surface_destroy, (cairo_surface_t *))                                               \
	X(int, surface_write_to_png_stream, (cairo_surface_t *, cairo_write_func *, void *closure)) \
	X(cairo_t *, create, (cairo_surface_t *))                                                   \
	X(void, destroy, (cairo_t *))                                                               \
	X(void, scale, (cairo_t *, double x, double y))                                             \
	X(void, set_source_rgb, (cairo_t *, double red, double green, double blue))                 \
	X(void, rectangle, (cairo_t *, double x, double y, double width, double height))            \
	X(void, arc, (cairo_t *, double x, double y, double radius, double from, double to))        \
	X(void, fill, (cairo_t *))                                                                  \
	X(void, select_font_face, (cairo_t *, const char *family, int slant, int weight))           \
	X(void, set_font_size, (cairo_t *, double size))                                            \
	X(void, text_extents, (cairo_t *, const char *utf8, cairo_text_extents_t *))                \
	X(void, move_to, (cairo_t *, double x, double y))                                           \
	X(void, show_text, (cairo_t *, const char *utf8))

#define CAIRO_POINTER(type, name, parameters) type(*name) parameters;
static struct {
	void *library;
	CAIRO_FUNCTIONS(CAIRO_POINTER)
} cairo;
#undef CAIRO_POINTER

static bool cairo_load(struct err *e)
{
	if (cairo.library)
		return true;
	static const struct shared_library library = {"libcairo.so", "2", NULL};
#define CAIRO_LOOKUP(type, name, parameters) {"cairo_" #name, &cairo.name},
	static const struct library_function functions[] = {CAIRO_FUNCTIONS(CAIRO_LOOKUP)};
#undef CAIRO_LOOKUP
	char why[200];
	void *loaded = shared_library_open(&library, RTLD_NOW | RTLD_LOCAL, why, sizeof why);
	if (!loaded)
		return err_set(e, ST_FAILED,
			"cannot write PNG: libcairo.so.2 not found; install it with apt-get install libcairo2, or write .svg");
	const char *missing = shared_library_find(loaded, functions, sizeof functions / sizeof *functions);
	if (missing)
		return err_set(e, ST_FAILED, "cannot write PNG: libcairo.so.2 has no %s; write .svg", missing);
	cairo.library = loaded;
	return true;
}

struct png_painter {
	struct cell_painter painter; /* first: the callbacks get its address */
	cairo_t *cr;
	double font_size; /* at which a character is as wide as a cell */
};

static void set_color(cairo_t *cr, unsigned rgb)
{
	cairo.set_source_rgb(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}

static void png_fill(struct cell_painter *p, struct rect r, unsigned rgb)
{
	cairo_t *cr = ((struct png_painter *)p)->cr;
	set_color(cr, rgb);
	cairo.rectangle(cr, r.x, r.y, r.w, r.h);
	cairo.fill(cr);
}

static void png_dot(struct cell_painter *p, int x, int y, unsigned rgb)
{
	cairo_t *cr = ((struct png_painter *)p)->cr;
	set_color(cr, rgb);
	cairo.arc(cr, x, y, 1.5, 0, 6.283185307179586);
	cairo.fill(cr);
}

static int utf8_length(char first)
{
	unsigned char c = (unsigned char)first;
	return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* One character at a time, so that each stands in its column. */
static void png_text(struct cell_painter *p, int x, int y, const char *text, int columns, unsigned rgb, bool bold)
{
	struct png_painter *png = (struct png_painter *)p;
	set_color(png->cr, rgb);
	cairo.select_font_face(png->cr, "monospace", CAIRO_FONT_SLANT_NORMAL,
		bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo.set_font_size(png->cr, png->font_size);
	for (int i = 0; i < columns && *text; i++) {
		char character[5] = {0};
		memcpy(character, text, strnlen(text, (size_t)utf8_length(*text)));
		cairo.move_to(png->cr, x + i * CELL_WIDTH, y);
		cairo.show_text(png->cr, character);
		text += strlen(character);
	}
}

static double fitting_font_size(cairo_t *cr)
{
	enum { TRIED = 100, LEAST = 6, MOST = 20 };
	cairo_text_extents_t m;
	cairo.select_font_face(cr, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo.set_font_size(cr, TRIED);
	cairo.text_extents(cr, "M", &m);
	double size = m.x_advance > 0 ? CELL_WIDTH * TRIED / m.x_advance : 13;
	return size < LEAST ? LEAST : size > MOST ? MOST : size;
}

static int append_png(void *closure, const unsigned char *data, unsigned length)
{
	buf_add(closure, data, length);
	return CAIRO_STATUS_SUCCESS;
}

static void draw_png(cairo_surface_t *surface, const struct grid *g, int colors)
{
	cairo_t *cr = cairo.create(surface);
	cairo.scale(cr, SCALE, SCALE);
	struct png_painter png = {{png_fill, png_dot, png_text}, cr, fitting_font_size(cr)};
	png_fill(&png.painter, (struct rect){0, 0, picture_width(g), picture_height(g)}, picture_background(colors));
	paint_grid(g, colors, &png.painter);
	cairo.destroy(cr);
}

bool screenshot_encode_png(const struct grid *g, int colors, struct buf *out, struct err *e)
{
	if (!cairo_load(e))
		return false;
	cairo_surface_t *surface =
		cairo.image_surface_create(CAIRO_FORMAT_RGB24, picture_width(g) * SCALE, picture_height(g) * SCALE);
	bool ok = cairo.surface_status(surface) == CAIRO_STATUS_SUCCESS;
	if (ok) {
		draw_png(surface, g, colors);
		ok = cairo.surface_write_to_png_stream(surface, append_png, out) == CAIRO_STATUS_SUCCESS;
	}
	cairo.surface_destroy(surface);
	return ok || err_set(e, ST_FAILED, "cannot write PNG: cairo failed, possibly out of memory; write .svg");
}
