/* The list of recorded sessions: the user's folder, and the samples that come with the program. Files are read in
 * slices; a file whose size and modification time have not changed is not read again. */
#ifndef SESSIONS_LOAD_SESSION_LIBRARY_H
#define SESSIONS_LOAD_SESSION_LIBRARY_H

#include <time.h>

#include "sessions/load/session_scan.h"

struct library_entry {
	char *path, *name; /* the name has no folder and no suffix */
	struct timespec changed;
	long long bytes;
	bool sample; /* comes with the program: read-only */
	bool known;  /* the summary is complete */
	bool gone;   /* no longer in its folder; for library_refresh */
	time_t when; /* from the header; 0: unknown */
	struct session_summary summary;
};

struct library;
struct library *library_open(void);
void library_close(struct library *l);
/* Reads the folders again and finds new, changed and removed files. Invalidates pointers into the list. */
void library_refresh(struct library *l);
/* Reads for about `ms` milliseconds; false if all files are known. */
bool library_read_slice(struct library *l, int ms);
size_t library_count(const struct library *l);
size_t library_known_count(const struct library *l);
bool library_has_recordings(const struct library *l); /* some files are being recorded: refresh soon */
const struct library_entry *library_entry_at(const struct library *l, size_t i);

/* --- files of the library --- */
/* Appends a note record. False with one line, for example while another program writes the file. */
bool session_add_note(const char *path, const char *text, struct err *e);
/* Renames the file within its folder and adds the suffix if needed. Does not overwrite a file. */
bool session_rename(const char *path, const char *name, struct err *e);
bool session_delete(const char *path, struct err *e);

#endif
