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

static int name_edit_distance(const char *a, const char *b)
{
	int la = (int)strnlen(a, WORD_MAX), lb = (int)strnlen(b, WORD_MAX);
	int row[WORD_MAX + 1];
	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int corner = row[0];
		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int replace = corner + (a[i - 1] != b[j - 1]);
			corner = row[j];
			int insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			row[j] = replace < insert ? replace : insert;
		}
	}
	return row[lb];
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
	int least = (int)strnlen(word, WORD_MAX) / 3 + 2;
	for (int i = 0; i < count; i++) {
		int d = name_edit_distance(word, names[i]);
		if (d < least) {
			least = d;
			best = names[i];
		}
	}
	return best;
}
