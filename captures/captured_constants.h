/* The constants of a device (turned_constants.def) in the definition of a captured launch. */
#ifndef CAPTURES_CAPTURED_CONSTANTS_H
#define CAPTURES_CAPTURED_CONSTANTS_H

#include "base/buf.h"

/* The lines of `params`, with the values of the model ("mi25,l1_bytes=65536") as defaults. */
void captured_constants_put_params(struct buf *b, const char *model);
/* The lines of `captured` that fill the table `changed` with the constants that differ from the model's. */
void captured_constants_put_changes(struct buf *b, const char *model);

#endif
