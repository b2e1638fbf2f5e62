#include "experiments/definition/program/named_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"

static char program[PATH_MAX], folder[PATH_MAX]; /* ""; none was named */

/* Links stay: a program may look at the name by which it was started. */
bool named_program_set(const char *path, struct err *e)
{
	if (access(path, X_OK) || !getcwd(folder, sizeof folder))
		return err_set(e, ST_REQUEST, "cannot use the program %.300s: %s", path, strerror(errno));
	int n = snprintf(program, sizeof program, "%s%s%s", *path == '/' ? "" : folder, *path == '/' ? "" : "/", path);
	return n < (int)sizeof program || err_set(e, ST_REQUEST, "the path of the program is too long: %.300s", path);
}

bool named_program_complete(json_t *job, struct err *e)
{
	json_t *call = json_object_get(job, "program"), *words = json_object_get(call, "words");
	const char *file = json_string_value(json_array_get(words, 0));
	if (!call)
		return true;
	if (!file || !*program || strcmp(file, path_basename(program)) != 0)
		return err_set(e, ST_REQUEST,
			"this experiment runs the program '%.60s', which the command line has to name: wavedeck run ./%.60s --args ...",
			file ? file : "", file ? file : "app");
	json_t *path = json_string(program), *in = json_string(folder);
	if (!path || !in) {
		json_decref(path);
		json_decref(in);
		return err_set(e, ST_REQUEST, "the path of %.60s is not valid UTF-8; rename its folder", file);
	}
	json_array_set_new(words, 0, path);
	json_object_set_new(call, "folder", in);
	return true;
}
