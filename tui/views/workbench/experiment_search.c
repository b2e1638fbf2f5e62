#include "tui/views/workbench/experiment_search.h"

#include <stdlib.h>

#include "base/buf.h"
#include "tui/shell/palette/fuzzy_match.h"

static int larger_of_two(int a, int b)
{
	return a > b ? a : b;
}

/* The title counts most; id and chapter match too. */
static int score_experiment(const struct app *a, const struct experiment *x)
{
	int title = 2 * fuzzy_match_score(a->filter, x->title, NULL), id = fuzzy_match_score(a->filter, x->id, NULL),
	    chapter = fuzzy_match_score(a->filter, x->chapter, NULL);
	return larger_of_two(title, larger_of_two(2 * id - (id > 0), 2 * chapter - (chapter > 0)));
}

struct match {
	int lab, score;
};

static int compare_matches(const void *a, const void *b)
{
	const struct match *x = a, *y = b;
	return x->score != y->score ? (x->score < y->score) - (x->score > y->score) : x->lab - y->lab;
}

int experiment_search(const struct app *a, int *out)
{
	struct match *list = xcalloc((size_t)(a->lab_count ? a->lab_count : 1), sizeof *list);
	int n = 0;
	for (int i = 0; i < a->lab_count; i++) {
		int score = a->filter[0] ? score_experiment(a, a->labs[i].x) : 1;
		if (score > 0)
			list[n++] = (struct match){i, score};
	}
	qsort(list, (size_t)n, sizeof *list, compare_matches);
	for (int i = 0; i < n; i++)
		out[i] = list[i].lab;
	free(list);
	return n;
}
