/* Base64 (RFC 4648, 4): bytes as text. */
#ifndef GPU_PROTOCOL_BASE64_H
#define GPU_PROTOCOL_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

char *base64_encode(const void *bytes, size_t n); /* the caller frees it */
bool base64_decode(const char *text, struct buf *out);

#endif
