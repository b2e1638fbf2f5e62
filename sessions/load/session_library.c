#include "sessions/load/session_library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "gpu/protocol/record.h"
#include "sessions/session.h"

enum { SLICE_BYTES = 256 << 10 };

struct library {
	char *folder, *samples;
	struct library_entry *list;
	size_t count, known;
	struct session_scan *scan; /* of entry `scanning` */
	size_t scanning;
};

static void free_entry(struct library_entry *e)
{
	free(e->path);
	free(e->name);
	session_summary_free(&e->summary);
}

/* --- folders --- */

static bool has_session_suffix(const char *name)
{
	size_t n = strlen(name), suffix = strlen(session_suffix);
	return name[0] != '.' && n > suffix && !strcmp(name + n - suffix, session_suffix);
}

static struct library_entry *find_entry(struct library *l, const char *path)
{
	for (size_t i = 0; i < l->count; i++)
		if (!strcmp(l->list[i].path, path))
			return &l->list[i];
	return NULL;
}

static void update_entry(struct library *l, const char *folder, const char *name, bool sample)
{
	struct stat st;
	char *path = xasprintf("%s/%s", folder, name);
	struct library_entry *e = find_entry(l, path);
	if (stat(path, &st) || !S_ISREG(st.st_mode)) {
		free(path);
		return;
	}
	bool same = e && e->bytes == st.st_size && e->changed.tv_sec == st.st_mtim.tv_sec &&
		e->changed.tv_nsec == st.st_mtim.tv_nsec;
	if (!e) {
		l->list = xrealloc(l->list, (l->count + 1) * sizeof *l->list);
		e = &l->list[l->count++];
		*e = (struct library_entry){.path = xstrdup(path),
			.name = xasprintf("%.*s", (int)(strlen(name) - strlen(session_suffix)), name),
			.sample = sample};
	}
	e->gone = false;
	e->known = same && e->known && !e->summary.recording;
	e->bytes = st.st_size;
	e->changed = st.st_mtim;
	free(path);
}

static void update_folder(struct library *l, const char *folder, bool sample)
{
	DIR *d = opendir(folder);
	struct dirent *f;
	while (d && (f = readdir(d)))
		if (has_session_suffix(f->d_name))
			update_entry(l, folder, f->d_name, sample);
	if (d)
		closedir(d);
}

void library_refresh(struct library *l)
{
	size_t kept = 0;
	session_scan_close(l->scan);
	l->scan = NULL;
	for (size_t i = 0; i < l->count; i++)
		l->list[i].gone = true;
	update_folder(l, l->folder, false);
	update_folder(l, l->samples, true);
	l->known = 0;
	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].gone) {
			free_entry(&l->list[i]);
			continue;
		}
		l->known += l->list[i].known;
		l->list[kept++] = l->list[i];
	}
	l->count = kept;
}

struct library *library_open(void)
{
	struct library *l = xcalloc(1, sizeof *l);
	l->folder = session_default_folder();
	l->samples = path_share("sessions");
	library_refresh(l);
	return l;
}

void library_close(struct library *l)
{
	if (!l)
		return;
	session_scan_close(l->scan);
	for (size_t i = 0; i < l->count; i++)
		free_entry(&l->list[i]);
	free(l->list);
	free(l->folder);
	free(l->samples);
	free(l);
}

/* --- reading --- */

static time_t parse_header_time(const json_t *header)
{
	struct tm utc = {0};
	const char *end = strptime(record_get_text(header, "time"), "%Y-%m-%dT%H:%M:%S", &utc);
	return end ? timegm(&utc) : 0;
}

static void finish_scan(struct library *l)
{
	struct library_entry *e = &l->list[l->scanning];
	session_summary_free(&e->summary);
	if (l->scan)
		e->summary = session_summary_copy(session_scan_summary(l->scan));
	e->summary.recording = e->summary.header && !e->summary.ended && recorder_is_writing(e->path);
	e->when = parse_header_time(e->summary.header);
	e->known = true;
	l->known++;
	session_scan_close(l->scan);
	l->scan = NULL;
}

/* Starts to scan the next unknown file; false if there is none. */
static bool start_next_scan(struct library *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].known)
			continue;
		l->scanning = i;
		l->scan = session_scan_open(l->list[i].path, false, NULL);
		return true;
	}
	return false;
}

bool library_read_slice(struct library *l, int ms)
{
	long long end = now_ms() + ms;
	do {
		if (!l->scan && !start_next_scan(l))
			return false;
		if (!l->scan ||
			!session_scan_read(l->scan, SLICE_BYTES)) /* a file that cannot be opened counts as known */
			finish_scan(l);
	} while (now_ms() < end);
	return true;
}

size_t library_count(const struct library *l)
{
	return l->count;
}
size_t library_known_count(const struct library *l)
{
	return l->known;
}
bool library_has_recordings(const struct library *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].summary.recording)
			return true;
	return false;
}

const struct library_entry *library_entry_at(const struct library *l, size_t i)
{
	return &l->list[i];
}

/* --- changing files --- */

bool session_add_note(const char *path, const char *text, struct err *e)
{
	char when[UTC_TEXT];
	struct recorder *r = recorder_open_existing(path, e);
	if (!r)
		return false;
	json_t *note =
		json_pack("{s:s, s:s, s:o}", "type", "note", "time", now_utc(when), "text", json_utf8_string(text));
	bool ok = recorder_write_record(r, note, e);
	json_decref(note);
	return recorder_detach(r, ok ? e : NULL) && ok;
}

/* False with one line while another program writes the file. */
static bool check_not_recording(const char *path, struct err *e)
{
	struct recorder *r = recorder_open_existing(path, e);
	return r && recorder_detach(r, e);
}

static bool is_valid_file_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 200;
}

bool session_rename(const char *path, const char *name, struct err *e)
{
	const char *slash = strrchr(path, '/');
	if (!is_valid_file_name(name))
		return err_set(e, ST_REQUEST, "'%s' is not a valid file name; use letters, digits, - and _", name);
	if (!check_not_recording(path, e))
		return false;
	char *to = xasprintf("%.*s%s%s", slash ? (int)(slash - path + 1) : 0, path, name,
		has_session_suffix(name) ? "" : session_suffix);
	bool ok = !renameat2(AT_FDCWD, path, AT_FDCWD, to, RENAME_NOREPLACE);
	if (!ok)
		err_set(e, ST_FAILED, "cannot rename to %s: %s", to, strerror(errno));
	free(to);
	return ok;
}

bool session_delete(const char *path, struct err *e)
{
	return check_not_recording(path, e) &&
		(!unlink(path) || err_set(e, ST_FAILED, "cannot delete %s: %s", path, strerror(errno)));
}
