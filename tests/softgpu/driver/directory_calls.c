/* Reads the device's virtual directories with every directory call and compares the results. Prints TAP lines without
 * numbers. Run it under `wavedeck exec`. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODE "/sys/class/kfd/kfd/topology/nodes/1"
#define CARD "/sys/class/drm/card0"

static int failed;

static void result(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	failed += !good;
}

static bool file_contains(int fd, const char *expected)
{
	char text[256];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)strlen(expected) && !memcmp(text, expected, (size_t)n);
}

static int entries(DIR *d)
{
	int n = 0;

	while (d && readdir(d))
		n++;
	return n;
}

static void descriptors(void)
{
	int dir = open(NODE, O_RDONLY | O_DIRECTORY | O_CLOEXEC), copy = dup(dir);
	struct stat by_path, by_fd, by_at;
	struct statx x;
	char text[64];
	DIR *d;

	result(dir >= 0 && copy >= 0, "a directory opens");
	result(read(dir, text, 1) < 0, "a directory cannot be read");
	result(!stat(NODE, &by_path) && !fstat(dir, &by_fd) && !fstatat(dir, ".", &by_at, 0) &&
			S_ISDIR(by_fd.st_mode) && by_path.st_ino == by_fd.st_ino && by_path.st_ino == by_at.st_ino &&
			by_path.st_dev == by_fd.st_dev,
		"stat, fstat and fstatat agree on a directory");
	result(!statx(copy, "", AT_EMPTY_PATH, STATX_INO, &x) && x.stx_ino == by_path.st_ino,
		"statx of a duplicated descriptor agrees too");
	result(!fstatat(dir, "gpu_id", &by_at, 0) && S_ISREG(by_at.st_mode), "fstatat of a file in a directory");
	result(file_contains(openat(dir, "gpu_id", O_RDONLY), "29287\n"), "openat of a file in a directory");
	result(file_contains(openat(dir, "../0/gpu_id", O_RDONLY), "0\n"), "openat through the parent directory");
	result(openat(dir, "none", O_RDONLY) < 0 && errno == ENOENT, "openat of a missing file");
	result(openat(dir, "gpu_id", O_RDONLY | O_DIRECTORY) < 0 && errno == ENOTDIR, "O_DIRECTORY refuses a file");
	result(!faccessat(dir, "gpu_id", R_OK, 0) && faccessat(dir, "gpu_id", W_OK, 0) && errno == EACCES, "faccessat");
	d = fdopendir(copy);
	result(d && dirfd(d) == copy && entries(d) == 8, "fdopendir reads all entries");
	if (d)
		closedir(d);
	result(fcntl(copy, F_GETFD) < 0, "closedir closes the descriptor");
	close(dir);
}

static void real_directories(void)
{
	int sys = open("/sys/class", O_RDONLY | O_DIRECTORY), tmp = open("/tmp", O_RDONLY | O_DIRECTORY);
	struct stat st;

	result(file_contains(openat(sys, "drm/card0/device/vendor", O_RDONLY), "0x1002\n"),
		"openat from a real directory into a virtual one");
	result(!fstatat(tmp, ".", &st, 0) && S_ISDIR(st.st_mode) && openat(tmp, "no/such", O_RDONLY) < 0,
		"real directories still work");
	close(sys);
	close(tmp);
}

static void links(void)
{
	char target[PATH_MAX], resolved[PATH_MAX];
	int drm = open("/sys/class/drm", O_RDONLY | O_DIRECTORY);
	ssize_t n = readlink(CARD, target, sizeof target), m = readlinkat(drm, "card0", resolved, sizeof resolved);
	struct stat link, slash;

	result(n > 0 && n == m && !memcmp(target, resolved, (size_t)n), "readlink and readlinkat");
	result(!lstat(CARD, &link) && S_ISLNK(link.st_mode) && !lstat(CARD "/", &slash) && S_ISDIR(slash.st_mode),
		"lstat of a link, and of its target with a trailing slash");
	result(realpath(CARD "/device", resolved) && strstr(resolved, "0000:03:00.0") && !access(resolved, R_OK),
		"realpath");
	result(open(CARD, O_RDONLY | O_NOFOLLOW) < 0 && errno == ELOOP, "O_NOFOLLOW");
	close(drm);
}

static void listings(void)
{
	struct dirent **list = NULL;
	glob_t found = {0};
	DIR *d = opendir(NODE);
	long here;
	int n;

	readdir(d);
	here = telldir(d);
	n = entries(d);
	seekdir(d, here);
	result(n == 7 && entries(d) == 7 && dirfd(d) >= 0 && !faccessat(dirfd(d), "mem_banks/0", F_OK, 0),
		"opendir, telldir, seekdir and dirfd");
	closedir(d);
	n = scandir(NODE, &list, NULL, alphasort);
	result(n == 8 && !strcmp(list[2]->d_name, "caches"), "sorted scandir");
	result(!glob("/sys/class/drm/card*/device/pp_dpm_?clk", 0, NULL, &found) && found.gl_pathc == 2, "glob");
	globfree(&found);
	result(!glob("/etc/pass*d", 0, NULL, &found) && found.gl_pathc >= 1, "glob of real files");
	globfree(&found);
}

/* --- bad pointers: EFAULT, as from the kernel --- */
static const char *unreadable_page, *endless_string; /* the string ends where a page without access begins */

static void make_bad_pages(void)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(pages + 4096 - 5, "/sys/", 5);
	mprotect(pages + 4096, 4096, PROT_NONE);
	unreadable_page = pages + 4096;
	endless_string = pages + 4096 - 5;
}

static bool is_efault(long status)
{
	bool bad = status == -1 && errno == EFAULT;

	errno = 0;
	return bad;
}

static void bad_path(const char *volatile path, const char *name)
{
	struct stat st;
	struct stat64 st64;
	struct statx x;
	char text[160], out[16];
	const struct {
		const char *call;
		bool good;
	} rows[] = {
		{"open", is_efault(open(path, O_RDONLY))},
		{"open64", is_efault(open64(path, O_RDONLY))},
		{"openat", is_efault(openat(AT_FDCWD, path, O_RDONLY))},
		{"openat64", is_efault(openat64(AT_FDCWD, path, O_RDONLY))},
		{"stat", is_efault(stat(path, &st))},
		{"stat64", is_efault(stat64(path, &st64))},
		{"lstat", is_efault(lstat(path, &st))},
		{"fstatat", is_efault(fstatat(AT_FDCWD, path, &st, 0))},
		{"statx", is_efault(statx(AT_FDCWD, path, 0, STATX_INO, &x))},
		{"access", is_efault(access(path, R_OK))},
		{"faccessat", is_efault(faccessat(AT_FDCWD, path, R_OK, 0))},
		{"readlink", is_efault(readlink(path, out, sizeof out))},
		{"readlinkat", is_efault(readlinkat(AT_FDCWD, path, out, sizeof out))},
		{"fopen", is_efault(fopen(path, "r") ? 0 : -1)},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(text, sizeof text, "%s of %s fails with EFAULT", rows[i].call, name);
		result(rows[i].good, text);
	}
}

static void bad_pointers(void)
{
	char *volatile bad = (char *)1;
	struct stat *volatile no_stat = (struct stat *)1;
	struct statx *volatile no_statx;

	make_bad_pages();
	bad_path(NULL, "a null pointer");
	bad_path(bad, "address 1");
	bad_path((char *)-1, "the last address");
	bad_path(unreadable_page, "a page without access");
	bad_path(endless_string, "a string without an end");
	result(is_efault(stat(NODE, no_stat)), "stat of a virtual file into a bad buffer");
	no_statx = (struct statx *)unreadable_page;
	result(is_efault(statx(AT_FDCWD, NODE, 0, STATX_INO, no_statx)), "statx of a virtual file into a bad buffer");
	result(is_efault(readlink(CARD, bad, 64)), "readlink of a virtual link into a bad buffer");
	result(is_efault(readlink(CARD, (char *)unreadable_page, 64)), "readlink into a page without access");
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	descriptors();
	real_directories();
	links();
	listings();
	bad_pointers();
	return failed != 0;
}
