/* The table of stall reasons, and the cycle breakdown of a point. */
#include "gpu/protocol/stalls/stall_reasons.h"

#include <stddef.h>
#include <string.h>

#define STALL_REASON(id, stack, label, letter, family, help, phrase) \
	[stack] = {#id, label, letter, STALL_FAMILY_##family, phrase},
static const struct stall_reason_info rows[STALL_REASON_COUNT] = {
#include "softgpu/stall_reasons.def"
	[STALL_OTHER] = {"", "other", '.', STALL_FAMILY_STORE, "have other reasons"},
};
#undef STALL_REASON

const struct stall_reason_info *stall_reason_info(int reason)
{
	return &rows[reason];
}

int stall_reason_variant(int reason)
{
	int n = 0;
	for (int i = 0; i < reason; i++)
		n += rows[i].family == rows[reason].family;
	return n;
}

/* A worker lists the names in a fixed order, which may differ from ours: start the search after the last match. */
static int find_stall_reason(const char *name, int from)
{
	for (int i = 0; i < STALL_OTHER; i++)
		if (!strcmp(rows[(from + i) % STALL_OTHER].name, name))
			return (from + i) % STALL_OTHER;
	return STALL_OTHER;
}

int stall_reason_find(const char *name)
{
	return find_stall_reason(name, 0);
}

const char *stall_reason_label(const char *name)
{
	int reason = stall_reason_find(name);
	return reason == STALL_OTHER ? name : stall_reason_info(reason)->label;
}

bool breakdown_from_record(const json_t *record, double cycles[STALL_REASON_COUNT], double *all)
{
	const char *name;
	json_t *value;
	int at = 0;
	memset(cycles, 0, STALL_REASON_COUNT * sizeof *cycles);
	*all = 0;
	json_object_foreach(json_object_get(json_object_get(record, "profile"), "account"), name, value)
	{
		at = find_stall_reason(name, at);
		cycles[at] += json_number_value(value);
		*all += json_number_value(value);
	}
	return *all > 0;
}
