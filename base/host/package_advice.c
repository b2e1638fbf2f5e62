/* Reads share/packages.tsv and /etc/os-release, and asks apt which of the alternative packages exist. */
#include "base/host/package_advice.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/host_paths.h"
#include "base/paths.h"

enum { COLUMNS_MAX = 12 };

/* A family of distributions: the names in ID and ID_LIKE of os-release, the column of the table, the command. */
struct distribution {
	const char *ids, *column, *command;
};
static const struct distribution distributions[] = {
	{"debian ubuntu", "debian", "apt-get install"},
	{"fedora rhel centos", "fedora", "dnf install"},
	{"arch archlinux", "arch", "pacman -S"},
	{"opensuse suse sles", "opensuse", "zypper install"},
};

/* --- text --- */
/* Whether `word` is in a list separated by `separator` or spaces. */
static bool list_has_word(const char *list, const char *word, size_t length)
{
	for (const char *s = list; *s; s += strspn(s, " |")) {
		size_t n = strcspn(s, " |");
		if (n == length && !strncmp(s, word, n))
			return true;
		s += n;
	}
	return false;
}

static size_t split_at_tabs(char *line, char *cells[COLUMNS_MAX])
{
	size_t n = 0;
	line[strcspn(line, "\n")] = 0;
	for (char *rest = line, *cell; n < COLUMNS_MAX && (cell = strsep(&rest, "\t"));)
		cells[n++] = cell;
	return n;
}

/* --- the distribution --- */
/* "opensuse" for "opensuse-tumbleweed" and "suse". */
static const struct distribution *match_distribution(const char *ids)
{
	for (const char *s = ids; *s; s += strspn(s, " \"'\n")) {
		size_t n = strcspn(s, " \"'\n-");
		for (size_t i = 0; n && i < sizeof distributions / sizeof *distributions; i++)
			if (list_has_word(distributions[i].ids, s, n))
				return &distributions[i];
		s += strcspn(s, " \"'\n");
	}
	return NULL;
}

static const struct distribution *read_os_release(void)
{
	const struct distribution *id = NULL, *like = NULL;
	char line[256], *path = host_path("/etc/os-release");
	FILE *in = fopen(path, "re");
	while (in && fgets(line, sizeof line, in))
		if (!strncmp(line, "ID=", 3))
			id = match_distribution(line + 3 + strspn(line + 3, "\"'"));
		else if (!strncmp(line, "ID_LIKE=", 8))
			like = match_distribution(line + 8 + strspn(line + 8, "\"'"));
	if (in)
		fclose(in);
	free(path);
	return id ? id : like;
}

/* --- the table --- */
static int find_column(char **cells, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcasecmp(cells[i], name))
			return (int)i;
	return -1;
}

/* The cell of a need; the caller frees it. NULL: not in the table. */
static char *read_packages(const char *need, size_t length, const char *column)
{
	char *path = path_share("packages.tsv"), *line = NULL, *cells[COLUMNS_MAX], *found = NULL;
	size_t room = 0;
	int at = -1;
	FILE *in = fopen(path, "re");
	while (in && !found && getline(&line, &room, in) > 0) {
		size_t n = split_at_tabs(line, cells);
		if (at < 0 && n > 2)
			at = find_column(cells, n, column);
		else if (at >= 0 && n > (size_t)at && strlen(cells[0]) == length && !strncmp(cells[0], need, length))
			found = xstrdup(cells[at]);
	}
	if (in)
		fclose(in);
	free(line);
	free(path);
	return found;
}

/* --- the choice --- */
/* The versions of LLVM that '@' stands for, in the order of deps.sh. AMD's own packages, the first, count only if apt
 * knows them. */
static const char *const llvm_versions[] = {"amd", "15", "17", "16", "18", "19", "20", "21", "22", "23", "rocm"};
enum { LLVM_VERSIONS = sizeof llvm_versions / sizeof *llvm_versions };

/* The package that an alternative, "15:rocm-device-libs" or "clang-@", means with this version; the caller frees it.
 * NULL: it does not count. */
static char *expand_alternative(const char *alternative, size_t length, const char *version)
{
	const char *colon = memchr(alternative, ':', length), *end = alternative + length;
	if (colon &&
		(strlen(version) != (size_t)(colon - alternative) || strncmp(alternative, version, strlen(version))))
		return NULL;
	const char *name = colon ? colon + 1 : alternative, *at = memchr(name, '@', (size_t)(end - name));
	if (!at)
		return xasprintf("%.*s", (int)(end - name), name);
	if (!strcmp(version, "amd"))
		return NULL;
	return xasprintf("%.*s%s%.*s", (int)(at - name), name, version, (int)(end - at - 1), at + 1);
}

/* Adds the first alternative of a cell that exists. `available`: names separated by spaces; NULL: all exist. */
static bool add_package(struct buf *out, const char *cell, const char *version, const char *available)
{
	for (const char *s = cell; *s; s += strspn(s, "|")) {
		size_t n = strcspn(s, "|");
		char *name = expand_alternative(s, n, version);
		bool found = name && (!available || list_has_word(available, name, strlen(name)));
		if (found && !list_has_word(out->data, name, strlen(name)))
			buf_printf(out, " %s", name);
		free(name);
		if (found)
			return true;
		s += n;
	}
	return false;
}

/* The packages of all cells with one version; false if one has none. */
static bool add_all_packages(struct buf *out, const struct text_list *cells, const char *version, const char *available)
{
	bool ok = true;
	buf_clear(out);
	buf_puts(out, "");
	for (size_t i = 0; i < cells->count; i++)
		ok &= add_package(out, cells->items[i], version, available);
	return ok;
}

static void add_expansions(struct buf *out, const char *cell)
{
	for (size_t v = 0; v < LLVM_VERSIONS; v++)
		for (const char *s = cell; *s; s += strspn(s, "|")) {
			size_t n = strcspn(s, "|");
			char *name = expand_alternative(s, n, llvm_versions[v]);
			if (name && !list_has_word(out->data, name, strlen(name)))
				buf_printf(out, " %s", name);
			free(name);
			s += n;
		}
}

/* Those of all alternatives that apt knows, separated by spaces; NULL: apt does not answer. The caller frees them. */
static char *ask_apt(const struct text_list *cells)
{
	struct buf names = {0}, log = {0};
	char *argv[128] = {"apt-cache", "show", "--no-all-versions"}, *rest, *word;
	int n = 3;
	buf_puts(&names, "");
	for (size_t i = 0; i < cells->count; i++)
		add_expansions(&names, cells->items[i]);
	for (rest = names.data; n < 127 && (word = strtok_r(rest, " ", &rest));)
		argv[n++] = word;
	int status = child_run(argv, NULL, NULL, &log);
	argv[0] = "/usr/bin/apt-cache";
	if (status < 0)
		status = child_run(argv, NULL, NULL, &log);
	buf_free(&names);
	buf_puts(&names, "");
	for (char *s = log.data; s && (s = strstr(s, "Package: ")); s++)
		if (s == log.data || s[-1] == '\n')
			buf_printf(&names, " %.*s", (int)strcspn(s + 9, "\n"), s + 9);
	buf_free(&log);
	if (status >= 0 && status != 127)
		return names.data;
	buf_free(&names);
	return NULL;
}

/* One version for all needs: that of the installed clang, if all packages exist for it. */
static bool choose_packages(struct buf *out, const struct text_list *cells, int llvm, const char *available)
{
	char version[16];
	snprintf(version, sizeof version, "%d", llvm);
	if (llvm && add_all_packages(out, cells, version, available))
		return true;
	for (size_t v = available ? 0 : 1; v < LLVM_VERSIONS; v++)
		if (add_all_packages(out, cells, llvm_versions[v], available))
			return true;
	return false;
}

static bool apt_has_lists(void)
{
	struct text_list files = {0};
	char *pattern = host_path("/var/lib/apt/lists/*Packages*");
	host_list_newest(&files, pattern);
	bool any = files.count > 0;
	text_list_free(&files);
	free(pattern);
	return any;
}

void package_install_command(const char *needs, int llvm, char *out, size_t size)
{
	const struct distribution *d = read_os_release();
	bool apt = d == &distributions[0];
	struct text_list cells = {0};
	struct buf packages = {0};
	for (const char *s = needs; d && *s; s += strspn(s, " ")) {
		char *cell = read_packages(s, strcspn(s, " "), d->column);
		if (cell)
			text_list_add(&cells, cell);
		s += strcspn(s, " ");
	}
	char *available = apt ? ask_apt(&cells) : NULL;
	bool ok = cells.count && choose_packages(&packages, &cells, llvm, available);
	if (ok)
		snprintf(out, size, "%s%s%s", geteuid() ? "sudo " : "", d->command, packages.data);
	else if (apt && !apt_has_lists())
		snprintf(out, size, "%sapt-get update, then `wavedeck doctor` names the package",
			geteuid() ? "sudo " : "");
	else
		snprintf(out, size, "no package found; see AMD's installation guide for ROCm");
	free(available);
	text_list_free(&cells);
	buf_free(&packages);
}
