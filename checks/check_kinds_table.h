/* What checks of launches there are, and what they find. */
#ifndef CHECKS_CHECK_KINDS_TABLE_H
#define CHECKS_CHECK_KINDS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum check_kind {
#define CHECK_KIND(id, ...) KIND_##id,
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
	CHECK_KINDS
};

const char *check_kind_name(enum check_kind kind); /* for programs: "lds_race" */
const char *check_kind_text(enum check_kind kind); /* for people: "data race in LDS" */
/* False if no kind has this name. */
bool check_kind_find(const char *name, size_t length, enum check_kind *out);

/* `list` is "memory,race", or "" for those that are chosen by default. Returns the names, separated by commas and
 * without repetition, which the caller frees; NULL with an error that lists the checks. */
char *check_names_choose(const char *list, struct err *e);

#endif
