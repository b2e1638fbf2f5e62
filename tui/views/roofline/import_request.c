#include "tui/views/roofline/import_request.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "experiments/definition/program/argument_words.h"

static bool add_import_path(struct import_request *r, const char *path, struct err *e)
{
	if (r->count == IMPORT_FILES_MAX)
		return err_set(e, ST_REQUEST, "more than %d files; leave some out", IMPORT_FILES_MAX);
	r->paths[r->count++] = xstrdup(path);
	return true;
}

/* ~ and *.csv as in a shell; a pattern that fits no file stays, and is then the name that cannot be read. */
static bool add_import_pattern(struct import_request *r, const char *word, struct err *e)
{
	glob_t found = {0};
	bool ok = true;
	if (glob(word, GLOB_TILDE | GLOB_NOMAGIC, NULL, &found)) {
		globfree(&found);
		return add_import_path(r, word, e);
	}
	for (size_t i = 0; ok && i < found.gl_pathc; i++)
		ok = add_import_path(r, found.gl_pathv[i], e);
	globfree(&found);
	return ok;
}

static bool add_import_word(struct import_request *r, const char *word, struct err *e)
{
	if (!strcmp(word, "--join"))
		r->join = true;
	else if (!strncmp(word, "--", 2))
		return err_set(
			e, ST_REQUEST, "unknown option %.40s; write names of files, and --join to join them", word);
	else
		return add_import_pattern(r, word, e);
	return true;
}

bool import_request_parse(const char *text, struct import_request *out, struct err *e)
{
	struct argument_words words = {0};
	*out = (struct import_request){0};
	if (!access(text, F_OK))
		return add_import_path(out, text, e);
	bool ok = argument_words_split(text, &words, e);
	for (int i = 0; ok && i < words.count; i++)
		ok = add_import_word(out, words.list[i], e);
	argument_words_free(&words);
	return ok &&
		(out->count ||
			err_set(e, ST_REQUEST, "file missing; write: results.csv, or pass1.csv pass2.csv --join"));
}

void import_request_free(struct import_request *r)
{
	for (int i = 0; i < r->count; i++)
		free(r->paths[i]);
	*r = (struct import_request){0};
}
