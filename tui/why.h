/* Why the curve is as it is at the cursor: facts that the device, the definition and the point's record give, in words.
 */
#ifndef TUI_WHY_H
#define TUI_WHY_H

#include "base/buf.h"
#include "tui/app.h"

/* The facts there are, the most telling first, joined; empty when there is none. What is wrong with the point (struct
 * point.text) is not among them. */
void why_tell(const struct app *a, const struct bench *b, struct buf *out);

#endif
