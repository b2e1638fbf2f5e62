/* Explains the value at the cursor, from the device, the experiment and the point's record. */
#ifndef TUI_LAB_EXPLAIN_POINT_H
#define TUI_LAB_EXPLAIN_POINT_H

#include "base/buf.h"
#include "tui/lab/app.h"

/* Writes the explanations, most important first, separated by "; "; "" without any. The point's error text (struct
 * point.text) is not included. */
void explain_point(const struct app *a, const struct lab *b, struct buf *out);

#endif
