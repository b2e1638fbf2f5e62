/* `doctor`: what this machine has and lacks, a line each, the mend below. */
#include <stdlib.h>

#include "gpu/doctor.h"
#include "sessions/session.h"
#include "tui/command.h"

static void print_check(const struct check *c)
{
	printf("%-8s %-18s %s\n", check_state_name(c->state), c->name, c->text);
	if (c->mend[0])
		printf("%-8s %-18s -> %s\n", "", "", c->mend);
}

int command_doctor(int argc, char **argv)
{
	struct err e = {0};
	struct words words;
	const struct option options[] = { { NULL, NULL, NULL } };
	if (!options_parse(options, argc, argv, &words, &e))
		return command_fail(&e);
	if (words.count)
		err_set(&e, ST_REQUEST, "doctor takes no further word '%s'", words.list[0]);
	free(words.list);
	if (e.text[0])
		return command_fail(&e);
	struct check *list;
	size_t count = doctor_checks(&list), missing = 0;
	for (size_t i = 0; i < count; i++) {
		print_check(&list[i]);
		missing += list[i].state == CHECK_MISSING;
	}
	char *folder = session_folder();
	printf("%-8s %-18s %s\n", "", "sessions", folder);
	free(folder);
	free(list);
	return missing ? ST_FAILED : ST_OK;
}
