/* A strict reader for the subset of MessagePack that code-object metadata uses. Never reads past the end. An error sets
 * `bad`, and everything read after that is empty. Format: github.com/msgpack/msgpack/blob/master/spec.md */
#ifndef BASE_METADATA_MSGPACK_H
#define BASE_METADATA_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct msgpack {
	const uint8_t *at, *end;
	bool bad;
};

uint32_t msgpack_map(struct msgpack *m);   /* number of pairs that follow; bad if the next value is not a map */
uint32_t msgpack_array(struct msgpack *m); /* number of elements that follow */
uint64_t msgpack_uint(struct msgpack *m);  /* unsigned integer */
/* A string: pointer into the buffer, not NUL-terminated. */
const char *msgpack_string(struct msgpack *m, size_t *length);
void msgpack_skip(struct msgpack *m); /* skips one value, including its content */

#endif
