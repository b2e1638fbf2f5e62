#include "cli/check/checked_program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/host/host_paths.h"
#include "base/host/temporary_folder.h"
#include "checks/check_journal_reader.h"
#include "cli/cli_support.h"
#include "cli/program_wait.h"

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

/* The workbench opens a program by a path only. */
static char *format_steps_command(char **program)
{
	struct buf b = {0};
	if (!strchr(program[0], '/'))
		return NULL;
	buf_puts(&b, "`wavedeck");
	for (char **word = program; *word; word++) {
		buf_puts(&b, " ");
		buf_put_shell_word(&b, *word);
	}
	buf_puts(&b, "`, then Enter on the kernel and !");
	return b.data;
}

static int report_program(char **program, int ended, const struct check_plan *p, const char *folder, struct err *e)
{
	struct check_journals journals;
	char *steps = format_steps_command(program);
	struct check_findings r = {
		.sources = source_text_new(find_build_time(program[0])),
		.modules = host_modules_new(),
		.program = program,
		.status = ended,
		.steps = steps,
	};
	if (ended > 128) /* a signal; the shell would name it */
		command_printf_error("%s ended with status %d", program[0], ended);
	int status = check_journals_read(folder, &journals, e) ? check_plan_report(p, &r, &journals, folder, e) : -1;
	check_journals_free(&journals);
	source_text_free(r.sources);
	host_modules_free(r.modules);
	free(steps);
	return status;
}

int checked_program_run(
	const struct check_plan *p, const char *model, const struct exec_watch *w, char **program, struct err *e)
{
	char *folder = temporary_folder_create(e);
	struct exec_watch watch = *w;
	watch.checks = p->checks;
	watch.check_folder = folder;
	int ended = folder ? program_run_and_wait(model, &watch, program, e) : -1;
	int status = ended < 0 ? -1 : report_program(program, ended, p, folder, e);
	if (folder)
		temporary_folder_remove(folder);
	free(folder);
	return status;
}
