/* `doctor`: checks the installation, one line per check, and shows how to fix each problem. */
#include <stdlib.h>

#include "base/paths.h"
#include "base/settings.h"
#include "cli/cli_support.h"
#include "cli/frontend.h"
#include "gpu/controller/doctor/doctor.h"
#include "sessions/session.h"

static void print_check(const struct doctor_check *c)
{
	printf("%-8s %-18s %s\n", check_state_name(c->state), c->name, c->text);
	if (c->fix[0])
		printf("%-8s %-18s -> %s\n", "", "", c->fix);
}

/* A mistake in the user's files; all other lines are used. `ctx` counts them. */
static void print_config_mistake(void *ctx, const char *line)
{
	*(size_t *)ctx += 1;
	printf("%-8s %-18s %s\n", check_state_name(CHECK_WARNING), "configuration", line);
}

static void check_configuration(void)
{
	const struct frontend *screen = cli_frontend();
	size_t mistakes = 0;
	struct err e;
	bool config = settings_read(print_config_mistake, &mistakes),
	     keys = screen->load_keys(print_config_mistake, &mistakes);
	if (!screen->load_theme(setting_value(SETTING_THEME), print_config_mistake, &mistakes, &e))
		print_config_mistake(&mistakes, e.text);
	char *folder = path_user_config("");
	if (!mistakes)
		printf("%-8s %-18s %s%s\n", check_state_name(CHECK_OK), "configuration", folder,
			config || keys ? "" : ": no configuration file; using defaults");
	free(folder);
}

int command_doctor(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const struct option options[] = {{NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	const char *extra = words.count ? words.list[0] : NULL;
	free(words.list);
	if (extra)
		return command_report_extra_word("doctor", extra);
	struct doctor_check *list;
	size_t count = doctor_run_checks(&list), missing = 0;
	for (size_t i = 0; i < count; i++) {
		print_check(&list[i]);
		missing += list[i].state == CHECK_MISSING;
	}
	check_configuration();
	char *folder = session_default_folder();
	printf("%-8s %-18s %s\n", "", "sessions", folder);
	free(folder);
	free(list);
	return missing ? ST_FAILED : ST_OK;
}
