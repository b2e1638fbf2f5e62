/* Errors: one line with the problem and how to fix it. A function that can fail returns false (or NULL) and fills a
 * struct err. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/* Also the program's exit status. */
enum status {
	ST_OK = 0,
	ST_FAILED = 1 /* the measurement failed */,
	ST_REQUEST = 2 /* the request was wrong */,
	ST_INTERRUPTED = 130
};

struct err {
	enum status status;
	char text[512]; /* one line: the problem, then how to fix it */
};

/* Sets `e` (may be NULL) and returns false, so that callers can write: return err_set(e, ST_REQUEST, ...). */
bool err_set(struct err *e, enum status status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The index of `word` in a list that ends with NULL, or -1. */
int name_list_index(const char *word, const char *const *names);

/* For "did you mean": the name closest to `word`, with an edit distance of at most a third of its length, or of one
 * letter; NULL: none.
 */
const char *find_nearest_name(const char *word, const char *const *names, int count);

#endif
