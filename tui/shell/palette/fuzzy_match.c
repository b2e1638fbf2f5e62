#include "tui/shell/palette/fuzzy_match.h"

#include <ctype.h>
#include <string.h>

enum { LETTER = 1, ADJACENT = 6, WORD = 5, FIRST = 3, LETTERS_MAX = 48 };

/* The best score of letters j.. in the text from byte i on; 0: no match. `chained`: the previous letter matched at
 * byte i - 1. */
struct table {
	int free[LETTERS_MAX + 1][FUZZY_MARKS_MAX + 1], chained[LETTERS_MAX + 1][FUZZY_MARKS_MAX + 1];
};

/* Lower-case letters without blanks; returns the count. */
static int letters_of(const char *pattern, char out[LETTERS_MAX])
{
	int n = 0;
	for (; *pattern && n < LETTERS_MAX; pattern++)
		if (*pattern != ' ')
			out[n++] = (char)tolower((unsigned char)*pattern);
	return n;
}

static int letter_score(const char *text, int i)
{
	bool word = i == 0 || (!isalnum((unsigned char)text[i - 1]) && isalnum((unsigned char)text[i]));
	return LETTER + (word ? WORD : 0) + (i == 0 ? FIRST : 0);
}

static int larger_score(int a, int b)
{
	return a > b ? a : b;
}

static void fill_score_table(struct table *t, const char *letters, int m, const char *text, int n)
{
	memset(t, 0, sizeof *t);
	for (int i = 0; i <= n; i++)
		t->free[m][i] = t->chained[m][i] = 1;
	for (int j = m - 1; j >= 0; j--)
		for (int i = n - 1; i >= 0; i--) {
			int rest = tolower((unsigned char)text[i]) == letters[j] ? t->chained[j + 1][i + 1] : 0,
			    here = rest ? rest + letter_score(text, i) : 0;
			t->free[j][i] = larger_score(here, t->free[j][i + 1]);
			t->chained[j][i] = larger_score(here ? here + ADJACENT : 0, t->free[j][i + 1]);
		}
}

/* Follows the best path through the table. */
static void mark_matched_letters(const struct table *t, int m, int n, bool *marks)
{
	bool chained = false;
	for (int j = 0, i = 0; j < m && i < n; i++) {
		int most = chained ? t->chained[j][i] : t->free[j][i];
		if (most == t->free[j][i + 1] && most) {
			chained = false; /* a later match is equally good: skip this letter */
			continue;
		}
		marks[i] = chained = true;
		j++;
	}
}

int fuzzy_match_score(const char *pattern, const char *text, bool marks[FUZZY_MARKS_MAX])
{
	static struct table t; /* too large for the stack */
	char letters[LETTERS_MAX];
	int m = letters_of(pattern, letters), n = (int)strnlen(text, FUZZY_MARKS_MAX);
	if (marks)
		memset(marks, 0, FUZZY_MARKS_MAX * sizeof *marks);
	fill_score_table(&t, letters, m, text, n);
	if (marks && t.free[0][0])
		mark_matched_letters(&t, m, n, marks);
	return t.free[0][0];
}
