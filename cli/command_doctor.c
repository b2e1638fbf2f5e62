/* `doctor`: what this machine has and lacks, a line each, the mend below. */
#include <stdlib.h>

#include "base/paths.h"
#include "gpu/controller/doctor.h"
#include "sessions/session.h"
#include "tui/shell/bindings.h"
#include "cli/cli_support.h"
#include "base/settings.h"
#include "tui/toolkit/theme.h"

static void print_check(const struct doctor_check *c)
{
	printf("%-8s %-18s %s\n", check_state_name(c->state), c->name, c->text);
	if (c->mend[0])
		printf("%-8s %-18s -> %s\n", "", "", c->mend);
}

/* What is wrong in the person's files, line by line; the rest of them works. */
static void print_mistake(void *ctx, const char *line)
{
	*(size_t *)ctx += 1;
	printf("%-8s %-18s %s\n", check_state_name(CHECK_WARNING), "configuration", line);
}

static void print_configuration(void)
{
	size_t mistakes = 0;
	struct err e;
	bool config = settings_read(print_mistake, &mistakes), keys = bindings_read(print_mistake, &mistakes);
	if (!theme_load(setting_value(SETTING_THEME), print_mistake, &mistakes, &e))
		print_mistake(&mistakes, e.text);
	char *folder = path_user_config("");
	if (!mistakes)
		printf("%-8s %-18s %s%s\n", check_state_name(CHECK_OK), "configuration", folder,
			config || keys ? "" : ": nothing there, all as it comes");
	free(folder);
}

int command_doctor(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const struct option options[] = {{NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (words.count)
		err_set(&e, ST_REQUEST, "doctor takes no further word '%s'", words.list[0]);
	free(words.list);
	if (e.text[0])
		return command_report_failure(&e);
	struct doctor_check *list;
	size_t count = doctor_run_checks(&list), missing = 0;
	for (size_t i = 0; i < count; i++) {
		print_check(&list[i]);
		missing += list[i].state == CHECK_MISSING;
	}
	print_configuration();
	char *folder = session_default_folder();
	printf("%-8s %-18s %s\n", "", "sessions", folder);
	free(folder);
	free(list);
	return missing ? ST_FAILED : ST_OK;
}
