/* A strict reader of MessagePack in memory, as much of it as code-object metadata uses. Never reads past the end; any
 * fault makes the cursor bad, and everything read from a bad cursor is empty. Format:
 * github.com/msgpack/msgpack/blob/master/spec.md */
#ifndef KERNELS_INSPECT_MSGPACK_H
#define KERNELS_INSPECT_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct msgpack {
	const uint8_t *at, *end;
	bool bad;
};

uint32_t msgpack_map(struct msgpack *m);   /* pairs that follow; bad when the next value is no map */
uint32_t msgpack_array(struct msgpack *m); /* elements that follow */
uint64_t msgpack_uint(struct msgpack *m);  /* unsigned integer */
/* String: pointer into the buffer, not terminated. */
const char *msgpack_string(struct msgpack *m, size_t *length);
void msgpack_skip(struct msgpack *m); /* one whole value */

#endif
