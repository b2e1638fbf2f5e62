/* The table of export formats (exporters.def). */
#ifndef SESSIONS_EXPORT_EXPORTERS_H
#define SESSIONS_EXPORT_EXPORTERS_H

#include "base/err.h"
#include "sessions/export/session_output.h"

/* What a format can export. */
enum {
	EXPORT_TO_TERMINAL = 1, /* points for reading or piping: `run`, `open` */
	EXPORT_TO_FILE = 2,     /* a session for other programs: `run`, `export` */
	EXPORT_COMPARISON = 4,  /* several sessions; cli/compare/command_compare.c writes it itself */
	EXPORT_CURVES = 8       /* it draws curves: extras of the output are used */
};

typedef void export_function(const struct session_output *o);

struct exporter {
	const char *name, *extensions;
	unsigned contents;
	export_function *write;
	const char *help;
};

const struct exporter *exporter_at(int format); /* NULL after the last */

/* Finds a format by its name. Only formats that can export all or part of `contents` count; false with one line that
 * lists them. */
bool exporter_find(const char *name, unsigned contents, enum export_format *out, struct err *e);
/* Finds it by the extension of a file name; false with one line that lists the formats. */
bool exporter_find_for_file(const char *path, unsigned contents, enum export_format *out, struct err *e);
/* "csv, json, svg": the formats for `contents`, joined with `comma`, before the last one with `last`. The caller frees
 * it. */
char *exporter_list_names(unsigned contents, const char *comma, const char *last);

/* Each exporter's function. */
#define EXPORTER(id, name, extensions, contents, function, help) export_function function;
#include "sessions/export/exporters.def"
#undef EXPORTER

#endif
