#include "base/host/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/fatal_signals.h"

enum { LISTED_MAX = 64, ATTEMPTS = 50, ATTEMPT_MS = 2, DEPTH_MAX = 16, NAME_LETTERS = 8, PLACES = 2 };

/* The folders of this process; "" where the place is free. */
static char listed[LISTED_MAX][256];
static pid_t owner; /* a child process leaves its parent's folders alone */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- remove: async-signal-safe, so no opendir --- */
struct removal {
	int top;               /* the folder */
	unsigned names, moved; /* how many new names were tried in it, and taken */
};

/* A folder that is deep in another one goes to the top: so any depth takes few descriptors and little stack. */
static void move_to_top(struct removal *r, int folder, const char *name)
{
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		char top_name[] = "deep-00000000";
		for (unsigned i = sizeof top_name - 2, n = r->names++; n; i--, n >>= 4)
			top_name[i] = "0123456789abcdef"[n & 15];
		bool moved = !renameat(folder, name, r->top, top_name);
		r->moved += moved;
		if (moved || (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR))
			return;
	}
}

static void remove_content(struct removal *r, int folder, int depth);

static void remove_entry(struct removal *r, int folder, const char *name, int depth)
{
	if (!unlinkat(folder, name, 0) || (errno != EISDIR && errno != EPERM) || !unlinkat(folder, name, AT_REMOVEDIR))
		return;
	if (depth == DEPTH_MAX) {
		move_to_top(r, folder, name);
		return;
	}
	int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (inner >= 0) {
		remove_content(r, inner, depth + 1);
		close(inner);
	}
	unlinkat(folder, name, AT_REMOVEDIR);
}

static void remove_content(struct removal *r, int folder, int depth)
{
	_Alignas(struct dirent64) char bytes[1024];
	ssize_t n;
	while ((n = getdents64(folder, bytes, sizeof bytes)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(bytes + at);
			if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
				remove_entry(r, folder, entry->d_name, depth);
			at += entry->d_reclen;
		}
}

/* Again for the folders that came to the top: each is less deep than before. */
static void remove_all_content(int folder)
{
	struct removal r = {.top = folder};
	unsigned before;
	do {
		before = r.moved;
		lseek(folder, 0, SEEK_SET);
		remove_content(&r, folder, 0);
	} while (r.moved != before);
}

/* True when nothing is left of it. */
static bool remove_tree(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder >= 0) {
		remove_all_content(folder);
		close(folder);
	}
	return !rmdir(path) || errno == ENOENT;
}

static void remove_listed_folders(void)
{
	for (int i = 0; i < LISTED_MAX && owner == getpid(); i++)
		for (int attempt = 0; *listed[i] && attempt < ATTEMPTS && !remove_tree(listed[i]); attempt++)
			;
}

/* --- the list --- */
static void list_folder(const char *path)
{
	static bool prepared;
	pthread_mutex_lock(&lock);
	if (!prepared)
		atexit(remove_listed_folders);
	prepared = true;
	owner = getpid();
	fatal_signals_add(remove_listed_folders);
	for (int i = 0; i < LISTED_MAX; i++)
		if (!*listed[i] && strlen(path) < sizeof listed[i]) {
			strcpy(listed[i], path);
			break;
		}
	pthread_mutex_unlock(&lock);
}

static void unlist_folder(const char *path)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < LISTED_MAX; i++)
		if (!strcmp(listed[i], path))
			*listed[i] = 0;
	pthread_mutex_unlock(&lock);
}

/* --- create and remove --- */
/* Returns the i-th folder for temporary folders, NULL if there is none. */
static const char *get_place(int i)
{
	const char *place = i ? "/tmp" : getenv("TMPDIR");
	return place && place[0] == '/' ? place : NULL;
}

static void fill_random_letters(char *text, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (getrandom(text, length, 0) != (ssize_t)length)
		memset(text, 0, length);
	for (size_t i = 0; i < length; i++)
		text[i] = letters[(unsigned char)text[i] % (sizeof letters - 1)];
}

/* A random name. It is listed before the folder exists, because a signal may end the program at any time. */
static char *list_new_name(const char *place)
{
	char letters[NAME_LETTERS + 1] = {0};
	fill_random_letters(letters, NAME_LETTERS);
	char *folder = xasprintf("%s/wavedeck-%s", place, letters);
	list_folder(folder);
	return folder;
}

/* NULL: failed, see errno. */
static char *create_listed_folder(const char *place)
{
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		char *folder = list_new_name(place);
		if (!mkdir(folder, 0700))
			return folder;
		const int error = errno;
		unlist_folder(folder);
		free(folder);
		errno = error;
		if (error != EEXIST)
			break;
	}
	return NULL;
}

char *temporary_folder_create(struct err *e)
{
	for (int i = 0; i < PLACES; i++) {
		const char *place = get_place(i);
		char *folder = place ? create_listed_folder(place) : NULL;
		if (folder)
			return folder;
	}
	err_set(e, ST_FAILED, "cannot create a folder in /tmp: %s; set TMPDIR to a writable folder", strerror(errno));
	return NULL;
}

char *temporary_folder_choose_name(void)
{
	for (int i = 0; i < PLACES; i++) {
		const char *place = get_place(i);
		if (place && !access(place, W_OK | X_OK))
			return list_new_name(place);
	}
	return NULL;
}

void temporary_folder_remove(const char *folder)
{
	for (int i = 0; i < ATTEMPTS && !remove_tree(folder); i++)
		usleep(ATTEMPT_MS * 1000);
	unlist_folder(folder);
}

bool temporary_file_write(const char *path, const void *bytes, size_t size, struct err *e)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(bytes, 1, size, f) == size;
	if (f && fclose(f))
		ok = false;
	return ok || err_set(e, ST_FAILED, "cannot write %s: %s", path, strerror(errno));
}
