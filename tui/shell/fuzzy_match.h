/* Finding an experiment by some of its letters, in their order: best first, with the letters marked. */
#ifndef TUI_SHELL_FUZZY_MATCH_H
#define TUI_SHELL_FUZZY_MATCH_H

#include "tui/shell/app.h"

enum { FUZZY_MARKS_MAX = 96 };

/* How well the letters of `pattern` are found in `text`, in their order, case and blanks left out; 0 not at all. A
 * letter counts more at the beginning of a word and behind the one before. Sets marks[byte of text] where one was
 * found; marks may be NULL. An empty pattern is found everywhere. */
int fuzzy_match_score(const char *pattern, const char *text, bool marks[FUZZY_MARKS_MAX]);
/* The experiments that the filter leaves, as indices of benches, in the order of the list: best first, the catalog's
 * without a filter. Returns how many. `out` has room for all. */
int finder_list_matches(const struct app *a, int *out);

#endif
