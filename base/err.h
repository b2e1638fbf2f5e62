/* What went wrong, in one line with the mend. Functions that can fail return false (or NULL) and fill a struct err. */
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
	char text[512]; /* one line: what is wrong, then how to mend it */
};

/* Sets `e` (may be NULL) and returns false, so that callers can write: return err_set(e, ST_REQUEST, ...). */
bool err_set(struct err *e, enum status status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The place of `word` in a list that NULL ends, or -1. */
int name_list_index(const char *word, const char *const *names);

/* The member of `names` closest to `word` (edit distance up to a third of its length), or NULL: for "did you mean". */
const char *find_nearest_name(const char *word, const char *const *names, int count);

#endif
