#include "gpu/causes.h"

#include <stddef.h>
#include <string.h>

#define CAUSE_TEXT(id, label, letter, family, says) [CAUSE_##id] = {#id, label, letter, FAMILY_##family, says},
static const struct cause_row rows[CAUSE_COUNT] = {
#include "gpu/causes.def"
	[CAUSE_OTHER] = {"", "other", '.', FAMILY_STORE, "go to other causes"},
};
#undef CAUSE_TEXT

const struct cause_row *cause_row(int cause)
{
	return &rows[cause];
}

/* A worker names them in an order of its own, the same in every record: the search goes on where the last one ended. */
static int find(const char *name, int from)
{
	for (int i = 0; i < CAUSE_OTHER; i++)
		if (!strcmp(rows[(from + i) % CAUSE_OTHER].name, name))
			return (from + i) % CAUSE_OTHER;
	return CAUSE_OTHER;
}

int cause_named(const char *name)
{
	return find(name, 0);
}

bool causes_of(const json_t *record, double cycles[CAUSE_COUNT], double *all)
{
	const char *name;
	json_t *value;
	int at = 0;
	memset(cycles, 0, CAUSE_COUNT * sizeof *cycles);
	*all = 0;
	json_object_foreach(json_object_get(json_object_get(record, "profile"), "account"), name, value)
	{
		at = find(name, at);
		cycles[at] += json_number_value(value);
		*all += json_number_value(value);
	}
	return *all > 0;
}
