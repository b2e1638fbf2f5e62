/* The options of --check, for `exec` and `run`, and the report that they ask for. */
#ifndef CLI_CHECK_CHECK_OPTIONS_H
#define CLI_CHECK_CHECK_OPTIONS_H

#include "base/err.h"
#include "checks/check_findings.h"
#include "checks/check_suppressions.h"

/* Values as written; NULL: not given. */
struct check_request {
	bool wanted;
	const char *checks; /* after --check= */
	const char *error_status, *limit, *suppress, *json, *junit;
};

/* Rows of a table of options (cli_support.h) that fill in the request q. */
/* clang-format off */
#define CHECK_OPTIONS(q) \
	{"--check", NULL, &(q).wanted}, {"--error-exitcode", &(q).error_status, NULL}, \
	{"--suppress", &(q).suppress, NULL}, {"--check-limit", &(q).limit, NULL}, \
	{"--check-json", &(q).json, NULL}, {"--check-junit", &(q).junit, NULL}
/* clang-format on */

/* Before such a table is used: takes the list of --check=LIST out of the first `count` words. */
void check_request_take_list(struct check_request *q, int count, char **words);

/* What a request means. */
struct check_plan {
	char *checks; /* "memory,race" */
	struct check_rules *rules;
	int error_status; /* -1: that of the program */
	int limit;
	const char *json, *junit; /* files; NULL: none */
};

/* False with an error, also for an option that needs --check without it. Without --check, plan->checks is NULL.
 * check_plan_free in any case. */
bool check_plan_make(const struct check_request *q, struct check_plan *out, struct err *e);
void check_plan_free(struct check_plan *p);

/* Reports what the journals contain, on standard error and in the files. Fills in r->journals, r->places and r->checks
 * while it does so. `folder`: of check_places_collect. Returns the exit status, which is r->status if nothing was found
 * or no --error-exitcode was given; -1 with an error if a file cannot be written. */
int check_plan_report(const struct check_plan *p, struct check_findings *r, const struct check_journals *j,
	const char *folder, struct err *e);

#endif
