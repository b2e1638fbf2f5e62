/* A kernel argument as C declares it: "const int *buf", "unsigned int n". */
#ifndef EXPERIMENTS_DEFINITION_DECLARATION_H
#define EXPERIMENTS_DEFINITION_DECLARATION_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/protocol/element_type.h"

struct declaration {
	char type[48]; /* "const int *", "int": blanks as the records have them */
	char name[32];
	bool pointer;
	const struct element_type *of; /* what is pointed to, or the scalar */
};

/* A name in C: letters, digits and _, no digit first. */
bool is_c_identifier(const char *s);
/* False with what was expected. */
bool declaration_parse(const char *text, struct declaration *out, struct err *e);
/* Whether an integer type holds the value; always for floating point. */
bool declaration_fits_value(const struct declaration *d, int64_t value);

#endif
