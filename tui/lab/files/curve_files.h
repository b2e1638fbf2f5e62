/* Curves of the workbench as files: exported in any format, or saved as a session. */
#ifndef TUI_LAB_FILES_CURVE_FILES_H
#define TUI_LAB_FILES_CURVE_FILES_H

#include "tui/lab/app.h"

/* Exports the curve to the file; its extension selects the format, ".wbs" a session. Pictures have the pinned curves,
 * too, and their ratio to it or, if the plot shows that, their difference from it. False with one line. */
bool curve_export(
	const struct lab *b, const struct measured_curve *c, enum pin_view pins_as, const char *path, struct err *e);
/* Whether files with this extension are pictures, which have what the plot compares. */
bool curve_export_is_picture(const char *path);
/* The extensions that curve_export accepts: ".csv, .json, .gp, .svg, .html or .wbs"; the caller frees it. */
char *curve_list_extensions(void);
/* Writes the curve to a new session in the default folder, or to `path` (NULL: none). */
bool curve_save(const struct measured_curve *c, const char *path, struct err *e);

/* --- export_place.c --- */
/* The path that a user typed, absolute: "~/" at its start is the home folder. The caller frees it. */
char *path_from_user(const char *text);
/* A path for an export to suggest, as people read it: the folder of the last export, at first the current one. The
 * caller frees it. */
char *export_suggest_path(const struct app *a, const char *name);
/* Says where an export went, and remembers its folder; or why it failed. */
void export_report(struct app *a, const char *path, bool ok, const struct err *e);

/* --- unsaved_curves.c --- */
/* Measured curves that are in no session file. Copies of a curve count once. */
int unsaved_curves_count(const struct app *a);
/* Saves all of them; returns how many were saved. Fewer than counted: `e` says why. */
int unsaved_curves_save(struct app *a, struct err *e);
/* Marks the curve and its copies as saved. */
void curves_mark_saved(struct app *a, const json_t *header);

#endif
