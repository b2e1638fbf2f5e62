/* Recorded sessions: files of JSON lines that begin with a header (docs/protocol.md defines the records). They are
 * written line by line and flushed every 50 ms; an incomplete last line is tolerated and reported. */
#ifndef SESSIONS_SESSION_H
#define SESSIONS_SESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "gpu/protocol/header_record.h" /* SESSION_SCHEMA */
#include "sessions/load/point_list.h"

/* --- writing --- */
struct recorder;
/* Creates the file (path NULL: a new one in the default folder), locks it against a second writer, and writes the
 * header, which it borrows. */
struct recorder *recorder_open(const char *path, const json_t *header, struct err *e);
/* Opens and locks an existing session to append to it. The first addition removes an incomplete last line; before that,
 * the file is not changed. */
struct recorder *recorder_open_existing(const char *path, struct err *e);
/* "range-latency-soft-mi25", from the header; the caller frees it. */
char *session_base_name(const json_t *header);
struct session;
/* Continues the loaded session: its points count, and an incomplete or missing end is fixed when the file is closed. */
void recorder_continue_session(struct recorder *r, const struct session *s);
bool recorder_is_writing(const char *path); /* true while a program, possibly this one, records to the file */
const char *recorder_path(const struct recorder *r);
/* Borrows the record. Returns false once per write error: the recorder stays open, keeps the data and tries again. */
bool recorder_write_record(struct recorder *r, const json_t *record, struct err *e);
void recorder_flush_old(struct recorder *r);             /* flushes if data has waited for 50 ms */
void recorder_flush(struct recorder *r);                 /* flushes now */
bool recorder_detach(struct recorder *r, struct err *e); /* flushes and frees; the recording can be continued */
bool recorder_close(struct recorder *r, struct err *e);  /* writes the end record, flushes and frees */

/* --- reading --- */
struct session {
	json_t *header;
	json_t *notes;   /* the note records, an array; NULL: none */
	json_t *what_if; /* the what_if records, the same */
	struct point_list points;
	size_t bad_lines; /* skipped lines that are not records */
	bool torn;        /* the last line is incomplete */
	bool complete;    /* the file has an end record */
};
extern const char *const session_suffix; /* ".wbs" */
/* NULL with one line in `e` if the file is missing, empty, or not a session. */
struct session *session_load(const char *path, struct err *e);
void session_free(struct session *s);
/* The same in slices: start, continue for about `ms` milliseconds each until it returns false, then finish, which frees
 * the loader. */
struct session_loader;
struct session_loader *session_load_start(const char *path, struct err *e);
bool session_load_continue(struct session_loader *l, int ms);
struct session *session_load_finish(struct session_loader *l, struct err *e);
/* Reads only the header, which the caller owns; NULL if there is none. */
json_t *session_read_header(const char *path);
char *session_default_folder(void); /* $XDG_DATA_HOME/wavedeck/sessions unless set; the caller frees it */
/* NULL restores the default; "~/" at the start stands for the home folder. */
void session_set_default_folder(const char *folder);

/* --- CSV ---
 * `#` lines with provenance and units, a header line, one row per point; a reading that is not available is an empty
 * field. `run` writes it while measuring, `open` afterwards: the same records give the same bytes. */
void csv_write_provenance(const json_t *header, void (*put)(void *ctx, const char *text), void *ctx);
void csv_write_header(const json_t *header, void (*put)(void *ctx, const char *text), void *ctx);
/* Writes a `#` line before the row of a point whose numbers cannot be used; nothing for other points. `row` counts from
 * 1. */
void csv_write_fault(const json_t *point, size_t row, void (*put)(void *ctx, const char *text), void *ctx);
/* The metrics of a point with a wrong result are empty. */
void csv_write_row(const json_t *header, const json_t *point, void (*put)(void *ctx, const char *text), void *ctx);

#endif
