/* A kernel argument as C declares it: "const int *buf", "unsigned int n". */
#ifndef EXPERIMENTS_DEFINITION_DECLARATION_H
#define EXPERIMENTS_DEFINITION_DECLARATION_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/protocol/element_type.h"

struct declaration {
	char type[48]; /* "const int *", "int": spaced as in records */
	char name[32];
	bool pointer;
	const struct element_type *of; /* the type pointed to, or of the scalar */
};

/* A C identifier: letters, digits and _, not starting with a digit. */
bool is_c_identifier(const char *s);
/* False with an error that shows the expected form. */
bool declaration_parse(const char *text, struct declaration *out, struct err *e);
/* Whether the value fits the integer type; always true for floating point. */
bool declaration_fits_value(const struct declaration *d, int64_t value);

#endif
