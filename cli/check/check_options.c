#include "cli/check/check_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "checks/check_report_json.h"
#include "checks/check_report_junit.h"

enum { LIMIT_DEFAULT = 20, LIMIT_MAX = 1 << 20, STATUS_MAX = 255 };

/* --- the request --- */
void check_request_take_list(struct check_request *q, int count, char **words)
{
	static char alone[] = "--check";
	for (int i = 0; i < count && strcmp(words[i], "--"); i++)
		if (!strncmp(words[i], "--check=", 8)) {
			q->checks = words[i] + 8;
			words[i] = alone;
		}
}

static bool need_check(const struct check_request *q, struct err *e)
{
	const struct {
		const char *name, *value;
	} list[] = {{"--error-exitcode", q->error_status}, {"--suppress", q->suppress}, {"--check-limit", q->limit},
		{"--check-json", q->json}, {"--check-junit", q->junit}};
	for (size_t i = 0; !q->wanted && i < sizeof list / sizeof *list; i++)
		if (list[i].value)
			return err_set(e, ST_REQUEST, "%s needs --check", list[i].name);
	return true;
}

static bool read_option_number(const char *name, const char *text, int most, int *out, struct err *e)
{
	char *end;
	if (!text)
		return true;
	long n = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || n > most)
		return err_set(e, ST_REQUEST, "%s %.40s: write a number from 0 to %d", name, text, most);
	*out = (int)n;
	return true;
}

/* A misspelled option would go unnoticed for hours. */
bool check_plan_make(const struct check_request *q, struct check_plan *p, struct err *e)
{
	*p = (struct check_plan){.error_status = -1, .limit = LIMIT_DEFAULT, .json = q->json, .junit = q->junit};
	if (!q->wanted)
		return need_check(q, e);
	p->checks = check_names_choose(!q->checks ? "" : *q->checks ? q->checks : ",", e);
	return p->checks && read_option_number("--error-exitcode", q->error_status, STATUS_MAX, &p->error_status, e) &&
		read_option_number("--check-limit", q->limit, LIMIT_MAX, &p->limit, e) &&
		check_rules_read(q->suppress, &p->rules, e);
}

void check_plan_free(struct check_plan *p)
{
	check_rules_free(p->rules);
	free(p->checks);
	*p = (struct check_plan){0};
}

/* --- the report --- */
static void print_check_report(const struct check_findings *r, const struct check_plan *p)
{
	struct buf text = {0};
	check_report_append_text(&text, r, (size_t)p->limit);
	fputs(text.data, stderr);
	buf_free(&text);
}

static bool write_files(const struct check_findings *r, const struct check_plan *p, struct err *e)
{
	return (!p->json || check_report_write_json(r, p->json, e)) &&
		(!p->junit || check_report_write_junit(r, p->junit, e));
}

int check_plan_report(const struct check_plan *p, struct check_findings *r, const struct check_journals *j,
	const char *folder, struct err *e)
{
	struct check_places places;
	check_places_collect(j, folder, &places);
	check_places_suppress(&places, p->rules, r->sources);
	r->checks = p->checks;
	r->journals = j;
	r->places = &places;
	print_check_report(r, p);
	bool found = places.count > check_places_count_suppressed(&places), written = write_files(r, p, e);
	check_places_free(&places);
	return !written ? -1 : found && p->error_status >= 0 ? p->error_status : r->status;
}
