/* Functions of vendor libraries that a sequence of steps can call. */
#ifndef GPU_PROTOCOL_LIBRARY_CALL_H
#define GPU_PROTOCOL_LIBRARY_CALL_H

#include "base/err.h"
#include "gpu/protocol/element_type.h"

enum { LIBRARY_CALL_ARGS = 15 };

#define LIBRARY_CALL(name, ...) LIBRARY_CALL_##name,
enum library_call {
#include "gpu/protocol/library_calls.def"
	LIBRARY_CALL_COUNT
};
#undef LIBRARY_CALL

/* False with an error for a name that is not in library_calls.def. */
bool library_call_find(const char *name, enum library_call *out, struct err *e);
/* Whether arguments of these types can be passed to it. */
bool library_call_check(enum library_call call, const struct arg_type *types, int count, struct err *e);

#endif
