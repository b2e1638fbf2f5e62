#include "softgpu/driver/probe/kernel_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/driver/interpose/loaded_function.h"

/* The caller frees it; NULL without libstdc++. Python loads that with local scope. */
static char *demangle_name(const char *name)
{
	typedef char *demangle_fn(const char *, char *, size_t *, int *);
	demangle_fn *demangle = (demangle_fn *)loaded_function_find("__cxa_demangle", NULL);

	return demangle ? demangle(name, NULL, NULL, NULL) : NULL;
}

char *kernel_name_text(char *out, size_t size, const char *symbol)
{
	char *readable = demangle_name(symbol);
	const char *name = readable ? readable : strncmp(symbol, "0x", 2) ? symbol : NAMELESS_KERNEL;

	if ((size_t)snprintf(out, size, "%s", name) >= size && size > 3)
		memcpy(out + size - 4, "...", 4);
	free(readable);
	return out;
}
