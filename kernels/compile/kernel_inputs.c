#include "kernels/compile/kernel_inputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/compile/kernel_files.h"

enum { LIST_MAX = 4 << 20 /* bytes of a list of files */, SYSTEM_FILE_MAX = 64 << 20 };
/* The first line of a kept list, and the last, so that one that a crash cut off does not count. */
static const char list_begin[] = "files of a kernel, 1", list_end[] = "end";

/* --- one file --- */
static const char *find_below(const char *folder, const char *path)
{
	size_t n = strlen(folder);
	return !strncmp(path, folder, n) && path[n] == '/' ? path + n + 1 : NULL;
}

static enum input_place find_place(const struct input_places *at, const char *path)
{
	if (find_below(at->source, path))
		return INPUT_OF_SOURCE;
	if (find_below(at->tree, path))
		return INPUT_OF_TREE;
	return !strncmp(path, "/usr/", 5) || !strncmp(path, "/opt/", 5) ? INPUT_OF_SYSTEM : INPUT_ELSEWHERE;
}

static const char *folder_of_place(const struct input_places *at, enum input_place place)
{
	return place == INPUT_OF_SOURCE ? at->source : place == INPUT_OF_TREE ? at->tree : NULL;
}

static void name_input(struct kernel_input *in, const struct input_places *at)
{
	const char *folder = folder_of_place(at, in->place);
	in->name = xstrdup(folder ? find_below(folder, in->path) : path_basename(in->path));
}

bool kernel_input_is_of_system(const struct kernel_input *in)
{
	return in->place == INPUT_OF_SYSTEM || in->place == INPUT_LIBRARY;
}

static bool read_identity(struct kernel_input *in)
{
	struct stat st;
	if (stat(in->path, &st))
		return false;
	in->bytes = (long long)st.st_size;
	in->changed = (long long)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	return true;
}

/* Device libraries are larger than sources. */
static bool hash_content(struct kernel_input *in, const char **why)
{
	struct buf b = {0};
	bool ok =
		input_file_read(in->path, kernel_input_is_of_system(in) ? SYSTEM_FILE_MAX : KERNEL_SOURCE_MAX, &b, why);
	in->hash = hash_bytes(HASH_START, b.data, b.len);
	buf_free(&b);
	return ok;
}

static struct kernel_input *append_input(struct kernel_inputs *l, struct kernel_input in)
{
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->list = xrealloc(l->list, (size_t)l->room * sizeof *l->list);
	}
	l->list[l->count] = in;
	return &l->list[l->count++];
}

static bool is_listed(const struct kernel_inputs *l, const char *path)
{
	for (int i = 0; i < l->count; i++)
		if (!strcmp(l->list[i].path, path))
			return true;
	return false;
}

static void add_input(struct kernel_inputs *l, const struct input_places *at, const char *path, enum input_place place)
{
	const char *why;
	if (is_listed(l, path))
		return;
	struct kernel_input *in = append_input(l, (struct kernel_input){.path = xstrdup(path), .place = place});
	name_input(in, at);
	if (hash_content(in, &why) && read_identity(in))
		return;
	l->incomplete = true;
	if (!l->unreadable) {
		l->unreadable = xstrdup(path);
		l->why = why;
	}
}

/* --- the compiler's list --- */
/* The next word of a rule: a blank in a name follows a backslash, a dollar sign is doubled. NULL: there is none. */
static char *take_rule_word(const char **text)
{
	struct buf word = {0};
	const char *c = *text;
	while (*c == ' ' || *c == '\n' || *c == '\t' || (*c == '\\' && c[1] == '\n'))
		c += *c == '\\' ? 2 : 1;
	for (; *c && *c != ' ' && *c != '\n' && !(*c == '\\' && c[1] == '\n'); c++) {
		if ((*c == '\\' && (c[1] == ' ' || c[1] == '#')) || (*c == '$' && c[1] == '$'))
			c++;
		buf_add(&word, c, 1);
	}
	*text = c;
	return word.data;
}

void kernel_inputs_add_rule(struct kernel_inputs *l, const struct input_places *at, const char *rule)
{
	struct buf b = {0};
	const char *why, *text;
	if (!input_file_read(rule, LIST_MAX, &b, &why))
		l->incomplete = true;
	buf_add(&b, "", 1);
	text = b.data;
	free(take_rule_word(&text)); /* the target */
	for (char *path; (path = take_rule_word(&text)); free(path))
		add_input(l, at, path, find_place(at, path));
	buf_free(&b);
}

/* --- by the text of the sources --- */
/* Whether the compiler may read a file because of this line, which is no include that was found. A comment after the
 * code does not count. */
static bool may_include(const char *line)
{
	static const char *const words[] = {"include", "incbin", "import", "embed"};
	const char *comment = strstr(line, "//");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *at = strstr(line, words[i]);
		if (at && !(comment && comment < at && !memchr(line, '"', (size_t)(comment - line))))
			return true;
	}
	return false;
}

static bool names_system_header(const char *line)
{
	line += strspn(line, " \t");
	if (*line != '#')
		return false;
	line += 1 + strspn(line + 1, " \t");
	return !strncmp(line, "include", 7) && line[7 + strspn(line + 7, " \t")] == '<';
}

/* Finds the file as the compiler does: the folder of the including file first. NULL: there is none. */
static char *find_included(const struct input_places *at, const char *by, const char *name)
{
	char *here = xasprintf("%.*s", (int)(strrchr(by, '/') ? strrchr(by, '/') - by : 0), by);
	const char *const folders[] = {here, at->source, at->tree};
	char *found = NULL;
	for (int i = 0; !found && i < 3; i++) {
		found = xasprintf("%s/%s", folders[i], name);
		if (access(found, R_OK)) {
			free(found);
			found = NULL;
		}
	}
	free(here);
	return found;
}

static void join_continued_lines(char *text)
{
	char *to = text;
	for (const char *from = text; *from; from++)
		if (*from == '\\' && from[1] == '\n')
			from++;
		else
			*to++ = *from;
	*to = 0;
}

static void scan_line(struct kernel_inputs *l, const struct input_places *at, const char *by, const char *line)
{
	int length;
	const char *name = kernel_line_find_include(line, &length);
	char *include = name ? xasprintf("%.*s", length, name) : NULL;
	char *path = include ? find_included(at, by, include) : NULL;
	if (path)
		kernel_inputs_scan(l, at, path);
	else if (may_include(line) && !names_system_header(line))
		l->incomplete = true;
	free(include);
	free(path);
}

void kernel_inputs_scan(struct kernel_inputs *l, const struct input_places *at, const char *source)
{
	struct buf b = {0};
	const char *why;
	if (is_listed(l, source))
		return;
	add_input(l, at, source, find_place(at, source));
	if (!input_file_read(source, KERNEL_SOURCE_MAX, &b, &why))
		l->incomplete = true;
	buf_add(&b, "", 1);
	join_continued_lines(b.data);
	char *rest = b.data;
	for (char *line; (line = strsep(&rest, "\n"));)
		scan_line(l, at, source, line);
	buf_free(&b);
}

/* --- device libraries --- */
/* One of the files "oclc_isa_version_900.bc" is that of the target; all others may be linked. */
static bool is_library_for(const char *name, const char *arch)
{
	static const char version[] = "oclc_isa_version_";
	size_t n = strlen(name), digits = strcspn(arch, ":");
	if (n < 3 || strcmp(name + n - 3, ".bc"))
		return false;
	return strncmp(name, version, strlen(version)) ||
		(digits > 3 && !strncmp(name + strlen(version), arch + 3, digits - 3) &&
			n == strlen(version) + digits - 3 + 3);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void kernel_inputs_add_libraries(
	struct kernel_inputs *l, const struct input_places *at, const char *folder, const char *arch)
{
	DIR *d = opendir(folder);
	char **names = NULL;
	size_t count = 0;
	for (struct dirent *entry; d && (entry = readdir(d));)
		if (is_library_for(entry->d_name, arch)) {
			names = xrealloc(names, (count + 1) * sizeof *names);
			names[count++] = xasprintf("%s/%s", folder, entry->d_name);
		}
	if (d)
		closedir(d);
	if (count)
		qsort(names, count, sizeof *names, compare_names);
	for (size_t i = 0; i < count; i++) {
		add_input(l, at, names[i], INPUT_LIBRARY);
		free(names[i]);
	}
	free(names);
}

/* --- the list of an earlier compile --- */
/* "s 0123456789abcdef 120 1700000000000000000 sub/b.h" */
static void print_list(FILE *out, const void *ctx)
{
	const struct kernel_inputs *l = ctx;
	fprintf(out, "%s\n", list_begin);
	for (int i = 0; i < l->count; i++) {
		const struct kernel_input *in = &l->list[i];
		bool below = in->place == INPUT_OF_SOURCE || in->place == INPUT_OF_TREE;
		fprintf(out, "%c %016llx %lld %lld %s\n", in->place, (unsigned long long)in->hash, in->bytes,
			in->changed, below ? in->name : in->path);
	}
	fprintf(out, "%s\n", list_end);
}

/* A list has lines. */
static bool has_line_break(const struct kernel_inputs *l)
{
	for (int i = 0; i < l->count; i++)
		if (strchr(l->list[i].path, '\n'))
			return true;
	return false;
}

bool kernel_inputs_keep(const struct kernel_inputs *l, const char *path)
{
	char *folder = xasprintf("%.*s", (int)(strrchr(path, '/') - path), path);
	bool ok = !has_line_break(l) && path_make_directories(folder, NULL) &&
		file_write_atomic(path, print_list, l, "", NULL);
	free(folder);
	return ok;
}

/* Reads a file's content again, unless it is of the system and unchanged. */
static bool refresh_input(struct kernel_input *in)
{
	const char *why;
	long long bytes = in->bytes, changed = in->changed;
	if (!read_identity(in))
		return false;
	return (kernel_input_is_of_system(in) && bytes == in->bytes && changed == in->changed) ||
		hash_content(in, &why);
}

static bool load_line(struct kernel_inputs *l, const struct input_places *at, char *line)
{
	struct kernel_input in = {0};
	unsigned long long hash;
	char place;
	int n = 0;
	if (sscanf(line, "%c %llx %lld %lld %n", &place, &hash, &in.bytes, &in.changed, &n) != 4 || !n)
		return false;
	const char *folder = folder_of_place(at, place);
	in.place = place;
	in.path = folder ? xasprintf("%s/%s", folder, line + n) : xstrdup(line + n);
	in.hash = hash;
	struct kernel_input *added = append_input(l, in);
	name_input(added, at);
	return refresh_input(added);
}

bool kernel_inputs_load(struct kernel_inputs *l, const struct input_places *at, const char *path)
{
	struct buf b = {0};
	const char *why;
	bool ok = input_file_read(path, LIST_MAX, &b, &why), ended = false;
	buf_add(&b, "", 1);
	char *rest = b.data, *line = strsep(&rest, "\n");
	ok = ok && !strcmp(line, list_begin);
	while (ok && !ended && (line = strsep(&rest, "\n"))) {
		ended = !strcmp(line, list_end);
		ok = ended || load_line(l, at, line);
	}
	buf_free(&b);
	return ok && ended;
}

/* --- all files --- */
uint64_t kernel_inputs_hash(const struct kernel_inputs *l, uint64_t h)
{
	for (int i = 0; i < l->count; i++)
		h = hash_bytes(hash_text(h, l->list[i].name), &l->list[i].hash, sizeof l->list[i].hash);
	return h;
}

uint64_t kernel_inputs_hash_libraries(const struct kernel_inputs *l)
{
	uint64_t h = HASH_START;
	for (int i = 0; i < l->count; i++)
		if (l->list[i].place == INPUT_LIBRARY)
			h = hash_bytes(h, &l->list[i].hash, sizeof l->list[i].hash);
	return h == HASH_START ? 0 : h;
}

bool kernel_inputs_changed_since(const struct kernel_inputs *l, long long ns)
{
	for (int i = 0; i < l->count; i++)
		if (!kernel_input_is_of_system(&l->list[i]) && l->list[i].changed >= ns)
			return true;
	return false;
}

void kernel_inputs_free(struct kernel_inputs *l)
{
	for (int i = 0; i < l->count; i++) {
		free(l->list[i].path);
		free(l->list[i].name);
	}
	free(l->list);
	free(l->unreadable);
	*l = (struct kernel_inputs){0};
}
