#include "cli/check/checked_program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/host/host_paths.h"
#include "base/host/temporary_folder.h"
#include "checks/check_journal_reader.h"
#include "checks/check_findings.h"
#include "checks/check_report_json.h"
#include "checks/check_report_junit.h"
#include "checks/check_suppressions.h"
#include "cli/cli_support.h"
#include "cli/program_wait.h"

enum { LIMIT_DEFAULT = 20, LIMIT_MAX = 1 << 20, STATUS_MAX = 255 };

/* --- the request --- */
struct check_plan {
	char *checks;
	struct check_rules *rules;
	int error_status; /* -1: the program's */
	int limit;
	const char *json, *junit; /* files; NULL: none */
};

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
static bool read_check_request(const struct check_request *q, struct check_plan *p, struct err *e)
{
	*p = (struct check_plan){.error_status = -1, .limit = LIMIT_DEFAULT, .json = q->json, .junit = q->junit};
	p->checks = check_names_choose(!q->checks ? "" : *q->checks ? q->checks : ",", e);
	return p->checks && read_option_number("--error-exitcode", q->error_status, STATUS_MAX, &p->error_status, e) &&
		read_option_number("--check-limit", q->limit, LIMIT_MAX, &p->limit, e) &&
		check_rules_read(q->suppress, &p->rules, e);
}

/* --- the report --- */
/* Sources may be newer than a shell or an interpreter that starts the program, but not than a program with code of its
 * own. 0: unknown. */
static time_t find_build_time(const char *program)
{
	char *path = host_find_program(program), *model = path ? softgpu_choose_model(path) : NULL;
	struct stat st;
	time_t built = model && !stat(path, &st) ? st.st_mtime : 0;
	free(model);
	free(path);
	return built;
}

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

/* Returns the exit status, or -1 with an error. */
static int report_findings(struct check_findings *r, const struct check_plan *p, const char *folder, struct err *e)
{
	struct check_journals journals;
	struct check_places places;
	if (!check_journals_read(folder, &journals, e)) {
		check_journals_free(&journals);
		return -1;
	}
	check_places_collect(&journals, folder, &places);
	check_places_suppress(&places, p->rules, r->sources);
	r->journals = &journals;
	r->places = &places;
	print_check_report(r, p);
	bool found = places.count > check_places_count_suppressed(&places), written = write_files(r, p, e);
	int status = !written ? -1 : found && p->error_status >= 0 ? p->error_status : r->status;
	check_places_free(&places);
	check_journals_free(&journals);
	return status;
}

static int report_program(char **program, int ended, const struct check_plan *p, const char *folder, struct err *e)
{
	struct check_findings r = {
		.sources = source_text_new(find_build_time(program[0])),
		.modules = host_modules_new(),
		.program = program,
		.status = ended,
		.checks = p->checks,
	};
	if (ended > 128) /* a signal; the shell would name it */
		command_printf_error("%s ended with status %d", program[0], ended);
	int status = report_findings(&r, p, folder, e);
	source_text_free(r.sources);
	host_modules_free(r.modules);
	return status;
}

static int run_and_report(const struct check_plan *p, const char *model, const struct exec_watch *w, char **program,
	const char *folder, struct err *e)
{
	struct exec_watch watch = *w;
	watch.checks = p->checks;
	watch.check_folder = folder;
	int ended = program_run_and_wait(model, &watch, program, e);
	return ended < 0 ? -1 : report_program(program, ended, p, folder, e);
}

int checked_program_run(
	const struct check_request *q, const char *model, const struct exec_watch *w, char **program, struct err *e)
{
	struct check_plan p;
	char *folder = read_check_request(q, &p, e) ? temporary_folder_create(e) : NULL;
	int status = folder ? run_and_report(&p, model, w, program, folder, e) : -1;
	if (folder)
		temporary_folder_remove(folder);
	free(folder);
	check_rules_free(p.rules);
	free(p.checks);
	return status;
}
