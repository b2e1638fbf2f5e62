#include "checks/check_kinds_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct kind_row {
	const char *name, *text;
};
static const struct kind_row kinds[] = {
#define CHECK_KIND(id, check, name, text) {name, text},
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
};

struct check_row {
	const char *name;
	bool by_default;
};
static const struct check_row checks[] = {
#define CHECK_NAME(id, name, by_default) {name, by_default},
#include "softgpu/check_names.def"
#undef CHECK_NAME
};
enum { CHECKS = sizeof checks / sizeof *checks };

const char *check_kind_name(enum check_kind kind)
{
	return kinds[kind].name;
}

const char *check_kind_text(enum check_kind kind)
{
	return kinds[kind].text;
}

bool check_kind_find(const char *name, size_t length, enum check_kind *out)
{
	for (int k = 0; k < CHECK_KINDS; k++)
		if (strlen(kinds[k].name) == length && !strncmp(kinds[k].name, name, length)) {
			*out = (enum check_kind)k;
			return true;
		}
	return false;
}

static char *join_check_names(const bool *chosen, const char *separator)
{
	struct buf b = {0};
	for (int k = 0; k < CHECKS; k++)
		if (!chosen || chosen[k])
			buf_printf(&b, "%s%s", b.len ? separator : "", checks[k].name);
	return b.data;
}

static bool choose_check(const char *name, size_t length, bool *chosen, struct err *e)
{
	for (int k = 0; k < CHECKS; k++)
		if (strlen(checks[k].name) == length && !strncmp(checks[k].name, name, length))
			return chosen[k] = true;
	char *all = join_check_names(NULL, ", ");
	err_set(e, ST_REQUEST, "--check: '%.*s' is not a check; write some of: %s", (int)(length < 40 ? length : 40),
		name, all);
	free(all);
	return false;
}

char *check_names_choose(const char *list, struct err *e)
{
	bool chosen[CHECKS];
	for (int k = 0; k < CHECKS; k++)
		chosen[k] = !*list && checks[k].by_default;
	for (bool more = *list; more;) {
		size_t length = strcspn(list, ",");
		if (!choose_check(list, length, chosen, e))
			return NULL;
		more = list[length] == ',';
		list += length + more;
	}
	return join_check_names(chosen, ",");
}
