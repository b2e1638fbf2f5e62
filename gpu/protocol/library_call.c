/* Names and argument types of the vendor libraries' functions. */
#include "gpu/protocol/library_call.h"

#include <string.h>

static const struct {
	const char *name, *types[LIBRARY_CALL_ARGS + 1]; /* ends with NULL */
} calls[] = {
#define LIBRARY_CALL(name, ...) {#name, {__VA_ARGS__}},
#include "gpu/protocol/library_calls.def"
};

bool library_call_find(const char *name, enum library_call *out, struct err *e)
{
	const char *names[LIBRARY_CALL_COUNT];
	for (int i = 0; i < LIBRARY_CALL_COUNT; i++) {
		names[i] = calls[i].name;
		*out = (enum library_call)i;
		if (!strcmp(name, names[i]))
			return true;
	}
	const char *near = find_nearest_name(name, names, LIBRARY_CALL_COUNT);
	return err_set(e, ST_REQUEST, "unknown library function '%.60s'%s%s%s", name, near ? "; did you mean '" : "",
		near ? near : "", near ? "'?" : "");
}

bool library_call_check(enum library_call call, const struct arg_type *types, int count, struct err *e)
{
	const char *const *wanted = calls[call].types;
	for (int i = 0; i < count || wanted[i]; i++) {
		bool pointer = false;
		const struct element_type *type = wanted[i] ? element_type_parse(wanted[i], &pointer, NULL) : NULL;
		if (i < count && type == types[i].type && pointer == types[i].pointer)
			continue;
		return err_set(e, ST_REQUEST, "%s: argument %d is %s%s, but the definition has %s%s%s",
			calls[call].name, i + 1, wanted[i] ? "a " : "", wanted[i] ? wanted[i] : "not expected",
			i < count ? "a " : "fewer arguments", i < count ? types[i].type->name : "",
			i < count && types[i].pointer ? " *" : "");
	}
	return true;
}
