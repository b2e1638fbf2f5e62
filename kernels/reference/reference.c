/* The table of C references. */
#include "kernels/reference/reference.h"

#include <string.h>

#include "kernels/reference/references.h"

/* One row per reference. libffi calls it with the signature that the experiment declares. */
static const struct reference table[] = {
#define REFERENCE(name, ...) {#name, (void (*)(void))reference_##name, false},
#include "kernels/reference/reference.def"
#undef REFERENCE
};

size_t reference_list(const struct reference **list)
{
	*list = table;
	return sizeof table / sizeof *table;
}

const struct reference *reference_find(const char *name)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}
