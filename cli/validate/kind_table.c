#include "cli/validate/kind_table.h"

#include <stdio.h>

#include "cli/validate/kind_summary.h"
#include "cli/validate/validation_table.h"

/* "    9   12.0 %     89 %      0", or dashes. */
static void print_errors(const struct error_summary *s)
{
	if (s->rows)
		printf(" %5d %6.1f %% %6.0f %% %6d", s->rows, 100 * s->median, 100 * s->within_25, s->off_by_two);
	else
		printf(" %5d %8s %8s %6s", 0, "-", "-", "-");
}

void kind_table_print(const struct validation *v, const char *device, const char *device_name)
{
	struct kind_summary list[KIND_SUMMARIES_MAX];
	int count = validation_summarize_kinds(v, list);
	printf("%s, %s: errors of the published rows, by kind\n", device, device_name);
	if (!count) {
		validation_print_totals(v);
		return;
	}
	printf("\n%-15s %30s  | %30s\n", "", "all rows", "without calibrated rows");
	printf("%-15s %5s %8s %8s %6s  | %5s %8s %8s %6s\n", "kind", "rows", "median", "in 25 %", "off x2", "rows",
		"median", "in 25 %", "off x2");
	for (int i = 0; i < count; i++) {
		printf("%-15s", list[i].kind);
		print_errors(&list[i].all);
		printf("  |");
		print_errors(&list[i].unfitted);
		putchar('\n');
	}
	printf("\nmedian: of the errors, without their signs; in 25 %%: share of the rows with an error up to 25 %%\n"
	       "off x2: rows whose measured value is more than twice, or less than half of the published one\n");
	validation_print_totals(v);
}
