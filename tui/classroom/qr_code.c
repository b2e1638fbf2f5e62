#include "tui/classroom/qr_code.h"

#include <dlfcn.h>
#include <qrencode.h>

#include "base/host/shared_library.h"

enum { MARGIN = 2 };

void qr_code_make(struct qr_code *q, const char *text)
{
	*q = (struct qr_code){0};
	static const struct shared_library qrencode = {"libqrencode.so", "4", NULL};
	char why[200];
	__typeof__(QRcode_encodeString) *encode = NULL;
	__typeof__(QRcode_free) *release = NULL;
	const struct library_function functions[] = {{"QRcode_encodeString", &encode}, {"QRcode_free", &release}};
	void *library = shared_library_open(&qrencode, RTLD_NOW, why, sizeof why);
	if (!library || shared_library_find(library, functions, 2))
		return;
	QRcode *code = encode(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
	if (code && code->width <= QR_SIDE_MAX) {
		q->side = code->width;
		for (int i = 0; i < q->side * q->side; i++)
			q->dark[i] = code->data[i] & 1;
	}
	if (code)
		release(code);
}

int qr_code_columns(const struct qr_code *q)
{
	return q->side ? q->side + 2 * MARGIN : 0;
}

int qr_code_rows(const struct qr_code *q)
{
	return (qr_code_columns(q) + 1) / 2;
}

/* The margin and what lies outside is light. */
static bool is_dark_module(const struct qr_code *q, int x, int y)
{
	x -= MARGIN;
	y -= MARGIN;
	return x >= 0 && y >= 0 && x < q->side && y < q->side && q->dark[y * q->side + x];
}

void qr_code_draw(const struct qr_code *q, struct area at, int role, bool light_background)
{
	static const char *const halves[] = {" ", "▀", "▄", "█"};
	for (int y = 0; y < qr_code_rows(q); y++)
		for (int x = 0; x < qr_code_columns(q); x++) {
			bool upper = is_dark_module(q, x, 2 * y) == light_background,
			     lower = is_dark_module(q, x, 2 * y + 1) == light_background;
			area_draw_glyph(at, x, y, role, halves[upper | lower << 1]);
		}
}
