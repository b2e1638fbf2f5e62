/* The recorded sessions there are: those of the user's folder and the samples that come with the program. Read in
 * slices; a file is known by its name and time of change, so that what has not changed is not read again. */
#ifndef SESSIONS_LOAD_SESSION_LIBRARY_H
#define SESSIONS_LOAD_SESSION_LIBRARY_H

#include <time.h>

#include "sessions/load/session_scan.h"

struct library_entry {
	char *path, *name; /* the name without folder and suffix */
	struct timespec changed;
	long long bytes;
	bool sample; /* comes with the program: read only */
	bool known;  /* the summary is there */
	bool gone;   /* for library_refresh */
	time_t when; /* as the header says; 0 unknown */
	struct session_summary summary;
};

struct library;
struct library *library_open(void);
void library_close(struct library *l);
/* Looks into the folders again: new files, changed ones, those that have gone. Pointers into the list are stale
 * afterwards. */
void library_refresh(struct library *l);
/* Reads for about so many milliseconds; false when everything is known. */
bool library_read_slice(struct library *l, int ms);
size_t library_count(const struct library *l);
size_t library_known_count(const struct library *l);
bool library_has_recordings(const struct library *l); /* some are being recorded: worth another look soon */
const struct library_entry *library_entry_at(const struct library *l, size_t i);

/* --- files of the library --- */
/* Appends a note record; the session's points stay as they are. False while another program writes the file. */
bool session_add_note(const char *path, const char *text, struct err *e);
/* Another name in the same folder, with the suffix of sessions; never over an existing file. */
bool session_rename(const char *path, const char *name, struct err *e);
bool session_delete(const char *path, struct err *e);

#endif
