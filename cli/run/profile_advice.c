#include <stdio.h>

#include "experiments/analysis/code_advice.h"
#include "cli/cli_support.h"
#include "cli/run/profile_report.h"

static void print_advice_line(const char *label, const char *text)
{
	int width = terminal_width(TEXT_WIDTH_MAX);
	char first[24];
	snprintf(first, sizeof first, "       %-6s", label);
	command_print_wrapped(first, "             ", text, width < TEXT_WIDTH_MAX ? width : TEXT_WIDTH_MAX);
}

static void print_one_advice(int number, const struct code_advice *c)
{
	char title[100];
	printf("%4d.  %s\n", number, code_advice_format_title(c, title, sizeof title));
	print_advice_line("seen", c->seen);
	print_advice_line("look", c->look);
	print_advice_line("try", c->suggestion);
}

void profile_print_advice(const struct code_model *m, json_t *profile)
{
	struct code_advice list[CODE_ADVICE_MAX];
	struct code_profile *p = profile ? code_profile_build(profile, m) : NULL;
	int n = code_advise(m, p, list);
	printf("\n  advice%s\n", profile ? "" : ", from the code alone; name an experiment to have it measured");
	for (int i = 0; i < n; i++)
		print_one_advice(i + 1, &list[i]);
	if (!n)
		print_advice_line("", code_advice_none);
	code_profile_free(p);
}
