/* The glossary (glossary.def): the terms that the screen, the lessons and the manual use. */
#ifndef EXPERIMENTS_COURSE_GLOSSARY_H
#define EXPERIMENTS_COURSE_GLOSSARY_H

#include <stddef.h>

struct glossary_entry {
	const char *section;
	const char *terms;        /* "workgroup, block": all of them name the same */
	const char *amd, *nvidia; /* their names; "": none of their own */
	const char *meaning;
};

const struct glossary_entry *glossary_at(int i); /* NULL after the last */
/* The entry of a term, of its plural or of the beginning of a term, in any case; -1: none. */
int glossary_find(const char *term);
/* The entry of the longest term that the text begins with, as a whole word or its plural, written as in the glossary or
 * with a capital letter; *length: its bytes. -1: none. */
int glossary_match_start(const char *text, size_t *length);
const char *glossary_nearest_term(const char *term); /* for "did you mean"; NULL: none */

#endif
