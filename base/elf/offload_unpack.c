#include "base/elf/offload_unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum method { METHOD_ZLIB, METHOD_ZSTD };
struct header {
	unsigned method;
	size_t bytes;    /* of the header */
	uint64_t packed; /* the whole file; version 1 does not say, so: up to the end */
	uint64_t size;   /* unpacked */
};

static uint64_t read_number(const uint8_t *data, size_t bytes)
{
	uint64_t v = 0;
	memcpy(&v, data, bytes);
	return v;
}

/* "CCOB", version and method (2 bytes each), size of the file (not in version 1), unpacked size, hash (8 bytes). The
 * sizes have 4 bytes, since version 3 8. */
static const char *read_header(const struct offload_bundle *b, struct header *h)
{
	unsigned version = b->size < 8 ? 1 : (unsigned)read_number(b->data + 4, 2);
	size_t width = version < 3 ? 4 : 8, at = 8;
	if (version < 1 || version > 3)
		return "its version is not known; versions 1 to 3 are";
	h->bytes = 8 + (version == 1 ? 1 : 2) * width + 8;
	if (b->size < h->bytes)
		return "its header is cut";
	h->method = (unsigned)read_number(b->data + 6, 2);
	h->packed = version == 1 ? b->size : read_number(b->data + at, width);
	at += version == 1 ? 0 : width;
	h->size = read_number(b->data + at, width);
	if (h->packed < h->bytes || h->packed > b->size)
		return "its size lies outside of the file";
	return NULL;
}

/* Both unpackers set *in to the bytes that they used, and fill `out` completely. */
static bool unpack_zlib(const uint8_t *data, size_t *in, uint8_t *out, size_t size)
{
	z_stream z = {.next_in = (uint8_t *)data, .next_out = out};
	size_t in_left = *in, out_left = size;
	int status = inflateInit(&z) ? Z_MEM_ERROR : Z_OK;
	while (status == Z_OK) { /* it counts with 32 bits */
		uInt in_part = in_left < UINT_MAX ? (uInt)in_left : UINT_MAX,
		     out_part = out_left < UINT_MAX ? (uInt)out_left : UINT_MAX;
		z.avail_in = in_part;
		z.avail_out = out_part;
		status = inflate(&z, Z_NO_FLUSH);
		in_left -= in_part - z.avail_in;
		out_left -= out_part - z.avail_out;
	}
	inflateEnd(&z);
	*in -= in_left;
	return status == Z_STREAM_END && !out_left;
}

static bool unpack_zstd(const uint8_t *data, size_t *in, uint8_t *out, size_t size)
{
	size_t frame = ZSTD_findFrameCompressedSize(data, *in);
	if (ZSTD_isError(frame))
		return false;
	*in = frame;
	return ZSTD_decompress(out, size, data, frame) == size;
}

uint8_t *offload_unpack(const struct offload_bundle *b, size_t limit, size_t *size, size_t *packed, const char **why)
{
	struct header h;
	*why = read_header(b, &h);
	if (!*why && h.method > METHOD_ZSTD)
		*why = "its method is not known; zlib and zstd are";
	if (!*why && (h.size > limit || !h.size))
		*why = h.size ? "unpacked, it is too large" : "unpacked, it is empty";
	uint8_t *out = *why ? NULL : malloc(h.size);
	if (!out) {
		*why = *why ? *why : "unpacked, it does not fit into memory";
		return NULL;
	}
	size_t in = h.packed - h.bytes;
	bool ok = h.method == METHOD_ZLIB ? unpack_zlib(b->data + h.bytes, &in, out, h.size)
					  : unpack_zstd(b->data + h.bytes, &in, out, h.size);
	if (!ok) {
		free(out);
		*why = "it does not unpack";
		return NULL;
	}
	*size = h.size;
	*packed = h.bytes + in;
	return out;
}
