/* Sets errors, and finds the nearest name for "did you mean". */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable_text.h"

bool err_set(struct err *e, enum status status, const char *fmt, ...)
{
	if (!e)
		return false;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);
	e->status = status;
	text_join_lines(e->text);
	return false;
}

enum { WORD_MAX = 63 };

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

/* Two letters in the wrong order are one edit (optimal string alignment). */
static int name_edit_distance(const char *a, const char *b)
{
	int la = (int)strnlen(a, WORD_MAX), lb = (int)strnlen(b, WORD_MAX);
	int rows[3][WORD_MAX + 1]; /* of the letters of `a` before the last, the last, and this one */
	for (int j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (int i = 1; i <= la; i++) {
		int *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			row[j] = least_of(above[j - 1] + (a[i - 1] != b[j - 1]), least_of(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least_of(row[j], second[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

int name_list_index(const char *word, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], word))
			return i;
	return -1;
}

const char *find_nearest_name(const char *word, const char *const *names, int count)
{
	const char *best = NULL;
	int n = (int)strnlen(word, WORD_MAX), least = (n < 6 ? 1 : n / 3) + 1;
	for (int i = 0; i < count; i++) {
		int d = name_edit_distance(word, names[i]);
		if (d < least) {
			least = d;
			best = names[i];
		}
	}
	return best;
}
