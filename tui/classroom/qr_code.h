/* A QR code in half blocks, for phones to read from the screen. libqrencode makes it; it is loaded on the first use. */
#ifndef TUI_CLASSROOM_QR_CODE_H
#define TUI_CLASSROOM_QR_CODE_H

#include "tui/toolkit/grid.h"

enum { QR_SIDE_MAX = 64 }; /* modules, without the margin */

struct qr_code {
	int side; /* 0: none, the library is missing or the text is too long */
	unsigned char dark[QR_SIDE_MAX * QR_SIDE_MAX];
};

void qr_code_make(struct qr_code *q, const char *text);
int qr_code_columns(const struct qr_code *q); /* with its margin; 0 without a code */
int qr_code_rows(const struct qr_code *q);
/* Draws light modules as blocks in the role's color, or the dark ones if the background of the terminal is light. */
void qr_code_draw(const struct qr_code *q, struct area at, int role, bool light_background);

#endif
