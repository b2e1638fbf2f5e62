#include "gpu/softgpu-link/fault_model.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/softgpu-link/soft_name.h"

static const struct fault_kind {
	const char *name, *form;
	const char *what; /* its number, for errors; NULL: it has none */
	double low, high;
	bool whole;
	size_t offset; /* in the model */
} kinds[] = {
	{"smi_slow", "smi_slow:MS", "time", 0, 5000, false, offsetof(struct fault_model, smi_slow)},
	{"smi_gone", "smi_gone", NULL, 0, 0, false, 0},
	{"idle_clock", "idle_clock:MHZ", "clock", 10, 10000, false, offsetof(struct fault_model, idle_clock)},
	{"hang", "hang:POINT", "point", 1, 1e6, true, offsetof(struct fault_model, hang)},
	{"error", "error:POINT", "point", 1, 1e6, true, offsetof(struct fault_model, error)},
	{"busy", "busy:SHARE", "share", 0, 0.95, false, offsetof(struct fault_model, busy)},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

void fault_find_text(const char *device, char text[FAULT_TEXT])
{
	soft_name_find(device, FAULT_MARK, text, FAULT_TEXT);
}

bool device_has_faults(const char *device)
{
	return strstr(device, FAULT_MARK) != NULL;
}

static bool refuse_kind(const char *part, struct err *e)
{
	return err_set(e, ST_REQUEST,
		"unknown fault '%.40s'; write fault= with smi_slow:MS, smi_gone, idle_clock:MHZ, hang:POINT, error:POINT or busy:SHARE, several joined with +",
		part);
}

static const struct fault_kind *find_fault_kind(const char *part)
{
	for (int i = 0; i < KINDS; i++)
		if (strcspn(part, ":") == strlen(kinds[i].name) && !strncmp(part, kinds[i].name, strlen(kinds[i].name)))
			return &kinds[i];
	return NULL;
}

static bool parse_fault_number(const struct fault_kind *k, const char *text, struct fault_model *out, struct err *e)
{
	char *end = NULL;
	double v = *text == ':' ? strtod(text + 1, &end) : NAN;
	if (!end || end == text + 1 || *end || !isfinite(v))
		return err_set(e, ST_REQUEST, "the %s of fault %s is missing or no number; write %s", k->what, k->name,
			k->form);
	if (v < k->low || v > k->high || (k->whole && v != floor(v)))
		return err_set(e, ST_REQUEST, "the %s of fault %s must be %s%g to %g, not %g", k->what, k->name,
			k->whole ? "a whole number from " : "", k->low, k->high, v);
	memcpy((char *)out + k->offset, &v, sizeof v);
	return true;
}

static bool parse_fault(const char *part, struct fault_model *out, struct err *e)
{
	const struct fault_kind *k = find_fault_kind(part);
	if (!k)
		return refuse_kind(part, e);
	const char *rest = part + strlen(k->name);
	if (k->what)
		return parse_fault_number(k, rest, out, e);
	out->smi_gone = true;
	return !*rest || err_set(e, ST_REQUEST, "'%.40s' has more than %s", part, k->form);
}

bool fault_parse(const char *device, struct fault_model *out, struct err *e)
{
	char copy[FAULT_TEXT], *rest = copy, *part;
	*out = (struct fault_model){0};
	if (!device_has_faults(device))
		return true;
	if (soft_name_find(device, FAULT_MARK, copy, sizeof copy) >= sizeof copy)
		return err_set(e, ST_REQUEST, "the text of fault= is longer than %zu characters", sizeof copy - 1);
	while ((part = strsep(&rest, "+")))
		if (!parse_fault(part, out, e))
			return false;
	return true;
}
