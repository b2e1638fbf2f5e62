/* Why the curve is as it is at the cursor: facts that the device, the definition and the point's record give, in words.
 */
#ifndef TUI_LAB_EXPLAIN_POINT_H
#define TUI_LAB_EXPLAIN_POINT_H

#include "base/buf.h"
#include "tui/lab/app.h"

/* The facts there are, the most telling first, joined; empty when there is none. What is wrong with the point (struct
 * point.text) is not among them. */
void explain_point(const struct app *a, const struct lab *b, struct buf *out);

#endif
