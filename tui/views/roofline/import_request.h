/* What is typed to import profilers' files: names as a shell separates them, patterns, and --join. */
#ifndef TUI_VIEWS_ROOFLINE_IMPORT_REQUEST_H
#define TUI_VIEWS_ROOFLINE_IMPORT_REQUEST_H

#include <stdbool.h>

#include "base/err.h"

enum { IMPORT_FILES_MAX = 64 };

struct import_request {
	char *paths[IMPORT_FILES_MAX]; /* owned; as they were typed, but for ~ and patterns */
	int count;
	bool join; /* they are passes over one program */
};

/* A text that names a file as a whole is that file, blanks and all. False with one line. Call import_request_free in
 * any case. */
bool import_request_parse(const char *text, struct import_request *out, struct err *e);
void import_request_free(struct import_request *r);

#endif
