/* What a person knows and does not want to see again: a file of rules, and comments in the source. */
#ifndef CHECKS_CHECK_SUPPRESSIONS_H
#define CHECKS_CHECK_SUPPRESSIONS_H

#include "base/err.h"
#include "checks/check_places.h"
#include "checks/source_text.h"

struct check_rules;
/* Lines "KIND KERNEL-REGEX [FILE[:LINE]]"; KIND can be "all". False with an error that names the line. `path` NULL: no
 * rules. */
bool check_rules_read(const char *path, struct check_rules **out, struct err *e);
void check_rules_free(struct check_rules *r); /* NULL: nothing */
/* r may be NULL: no rules. Marks the places that a rule means, or a comment "wavedeck: ignore KIND,KIND" on one of
 * their lines. */
void check_places_suppress(struct check_places *p, const struct check_rules *r, struct source_text *sources);

#endif
