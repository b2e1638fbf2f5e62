/* Recorded sessions: JSON lines, provenance first (see gpu/protocol/record.h for the schema). Written line by line,
 * flushed at most every 50 ms; a torn last line is tolerated and reported. */
#ifndef SESSIONS_SESSION_H
#define SESSIONS_SESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { SESSION_SCHEMA = 1 }; /* of the files that are written; newer ones are refused */

/* --- writing --- */
struct recorder;
/* Creates FILE (or a new one in the default folder when path is NULL), locked against a second writer, and writes the
 * header. Borrows `header`. */
struct recorder *recorder_open(const char *path, const json_t *header, struct err *e);
/* Goes on with an existing session, locked as well. Nothing in it is touched until something is added; then a torn last
 * line is cut off. */
struct recorder *recorder_open_existing(const char *path, struct err *e);
struct session;
/* What was loaded behind that lock is what it goes on with: points are counted on from there, and a torn or missing end
 * is mended when it is closed. */
void recorder_continue_session(struct recorder *r, const struct session *s);
bool recorder_is_writing(const char *path); /* a program, perhaps this one, is recording to it now */
const char *recorder_path(const struct recorder *r);
size_t recorder_points(const struct recorder *r);
/* Borrows the record. False when the disk says no, once: the recorder stays open, keeps what could not be written and
 * tries again. */
bool recorder_write_record(struct recorder *r, const json_t *record, struct err *e);
void recorder_flush_old(struct recorder *r);             /* flushes what is older than 50 ms */
void recorder_flush(struct recorder *r);                 /* now: what was told to a person is in the file */
bool recorder_detach(struct recorder *r, struct err *e); /* flushes, frees: the recording goes on another time */
bool recorder_close(struct recorder *r, struct err *e);  /* writes the end record, flushes, frees */

/* --- reading --- */
struct session {
	json_t *header;
	json_t **points; /* owned */
	size_t point_count;
	size_t bad_lines; /* lines that are no records, left out */
	bool torn;        /* the last line was cut off */
	bool complete;    /* an end record was there */
};
extern const char *const session_suffix; /* of recorded sessions: ".wbs" */
/* NULL with one line when the file is missing, empty, or holds no session at all. */
struct session *session_load(const char *path, struct err *e);
void session_free(struct session *s);
/* The same in slices: begin, more for about so many milliseconds while it returns true, then end, which frees the
 * loader. */
struct session_loader;
struct session_loader *session_load_start(const char *path, struct err *e);
bool session_load_continue(struct session_loader *l, int ms);
struct session *session_load_finish(struct session_loader *l, struct err *e);
/* The header alone, as fast for a long session as for a short one; the caller owns it. NULL without one. */
json_t *session_read_header(const char *path);
char *session_default_folder(void); /* $XDG_DATA_HOME/wavedeck/sessions, or the one that was set; the caller frees it */
void session_set_default_folder(
	const char *folder); /* NULL: that default again; "~/" at its beginning is the home folder */

/* --- tables ---
 * Rows as CSV of the design: `#` lines of provenance and units, a header line, a row a point, empty fields for readings
 * that are not there. Used by `run` while it measures and by `open`: the same records give the same bytes. */
void csv_write_provenance(const json_t *header, void (*put)(void *ctx, const char *text), void *ctx);
void csv_write_header(const json_t *header, void (*put)(void *ctx, const char *text), void *ctx);
/* A `#` line before the row of a point whose numbers are not to be used; nothing for the others. `row` counts from 1.
 */
void csv_write_fault(const json_t *point, size_t row, void (*put)(void *ctx, const char *text), void *ctx);
struct buf;
void csv_append_field(struct buf *b, const char *text); /* a field, quoted as RFC 4180 says where that is needed */
/* The metrics of a wrong result are left empty. */
void csv_write_row(const json_t *header, const json_t *point, void (*put)(void *ctx, const char *text), void *ctx);

#endif
