#include "cli/validate/shown_accuracy.h"

#include <stdio.h>

#include "base/units.h"

void accuracy_print(const struct accuracy_table *t, const struct published *set, const char *experiment)
{
	bool has_title = false;
	for (int i = 0; i < t->count; i++) {
		const struct accuracy *a = &t->rows[i];
		if (!accuracy_fits_experiment(a, set, experiment))
			continue;
		if (!has_title)
			printf("\naccuracy of kernels of this kind, by published rows that no constant was fitted to;\n"
			       "other programs can be worse, see docs/accuracy.md\n");
		has_title = true;
		printf("    %-16s %.1f %% median error on %d row%s (%s)\n", a->kind, 100 * a->median, a->rows,
			plural_s((unsigned)a->rows), a->device);
	}
}

json_t *accuracy_json(const struct accuracy_table *t, const struct published *set, const char *experiment)
{
	json_t *all = json_array();
	for (int i = 0; i < t->count; i++) {
		const struct accuracy *a = &t->rows[i];
		if (accuracy_fits_experiment(a, set, experiment))
			json_array_append_new(all,
				json_pack("{s:s, s:s, s:i, s:f}", "device", a->device, "kind", a->kind, "rows", a->rows,
					"median", a->median));
	}
	return all;
}
