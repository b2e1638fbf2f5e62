#include "experiments/definition/program/recorded_definition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "experiments/definition/experiment.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"

static void print_text(FILE *out, const void *ctx)
{
	fputs(ctx, out);
}

char *program_definition_write(const char *name, const char *text, struct err *e)
{
	char *folder = temporary_folder_create(e);
	if (!folder)
		return NULL;
	char *path = xasprintf("%s/%s.lua", folder, name);
	free(folder);
	if (file_write_atomic(path, print_text, text, "; free some space", e))
		return path;
	free(path);
	return NULL;
}

/* Anybody may have made the session. */
static bool is_program_definition(const char *path, struct err *e)
{
	struct experiment *x = experiment_load(path, e);
	bool ok = x && (x->work == WORK_PROGRAM || err_set(e, ST_REQUEST, "its definition is not of a program"));
	experiment_free(x);
	return ok;
}

char *program_definition_restore(const json_t *header, struct err *e)
{
	const char *name = record_get_experiment(header), *text = header_get_program(header);
	*e = (struct err){.text = ""};
	if (!*text)
		return NULL;
	char *path = strchr(name, '/') ? NULL : program_definition_write(name, text, e);
	if (path && is_program_definition(path, e))
		return path;
	free(path);
	return NULL;
}
