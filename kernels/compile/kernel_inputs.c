#include "kernels/compile/kernel_inputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/include_search.h"
#include "kernels/compile/kernel_build.h"

enum { LIST_MAX = 4 << 20 /* bytes of a list of files */, SYSTEM_FILE_MAX = 64 << 20 };
enum { TICK_NS = 10000000 /* more than a tick of any kernel's clock (100 to 1000 Hz) */ };
enum { SCANNED_MAX = 1000 /* files; those that include "sub/../a.h" get new names without end */ };
/* The first line of a kept list, and the last, so that one that a crash cut off does not count. */
static const char list_begin[] = "files of a kernel, 2", list_end[] = "end";

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

/* Whether a source asks whether a file exists, or makes the assembler read one: no compiler lists such a file. */
static bool reads_unlisted_files(const struct buf *source)
{
	static const char *const words[] = {"__has_include", "__has_embed", ".incbin", ".include"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (source->len && memmem(source->data, source->len, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Device libraries are larger than sources. *unlisted may be NULL. */
static bool hash_content(struct kernel_input *in, bool *unlisted, const char **why)
{
	struct buf b = {0};
	bool of_system = kernel_input_is_of_system(in);
	bool ok = input_file_read(in->path, of_system ? SYSTEM_FILE_MAX : KERNEL_SOURCE_MAX, &b, why);
	in->hash = hash_bytes(HASH_START, b.data, b.len);
	if (unlisted)
		*unlisted = !of_system && reads_unlisted_files(&b);
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
	bool unlisted;
	if (is_listed(l, path))
		return;
	struct kernel_input *in = append_input(l, (struct kernel_input){.path = xstrdup(path), .place = place});
	name_input(in, at);
	bool ok = hash_content(in, &unlisted, &why) && read_identity(in);
	l->unlisted |= unlisted;
	if (ok)
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

void kernel_inputs_add_rule(
	struct kernel_inputs *l, const struct input_places *at, const char *source, const char *rule)
{
	struct buf b = {0};
	const char *why, *text;
	add_input(l, at, source, find_place(at, source)); /* a precompiled header would come before it */
	if (!input_file_read(rule, LIST_MAX, &b, &why))
		l->incomplete = true;
	buf_add(&b, "", 1);
	text = b.data;
	free(take_rule_word(&text)); /* the target */
	for (char *path; (path = take_rule_word(&text)); free(path))
		add_input(l, at, path, find_place(at, path));
	l->incomplete |= l->unlisted;
	buf_free(&b);
}

void kernel_inputs_add_files(struct kernel_inputs *l, const struct input_places *at, const struct kernel_inputs *other)
{
	for (int i = 0; i < other->count; i++)
		add_input(l, at, other->list[i].path, find_place(at, other->list[i].path));
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

/* The name in `#include "x"` or `.include "x"`, without its end in *length; NULL if the line is none. Headers in angle
 * brackets belong to the compiler. */
static const char *find_include_name(const char *line, int *length)
{
	line += strspn(line, " \t");
	if (*line != '#' && *line != '.')
		return NULL;
	line += 1 + strspn(line + 1, " \t");
	if (strncmp(line, "include", 7))
		return NULL;
	line += 7 + strspn(line + 7, " \t");
	const char *end = *line == '"' ? strchr(line + 1, '"') : NULL;
	*length = end ? (int)(end - line - 1) : 0;
	return end ? line + 1 : NULL;
}

static bool names_system_header(const char *line)
{
	line += strspn(line, " \t");
	if (*line != '#')
		return false;
	line += 1 + strspn(line + 1, " \t");
	return !strncmp(line, "include", 7) && line[7 + strspn(line + 7, " \t")] == '<';
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

static void scan_file(struct kernel_inputs *l, const struct input_places *at, const char *path, int by);

static void scan_line(struct kernel_inputs *l, const struct input_places *at, int by, const char *line)
{
	int length;
	const char *name = find_include_name(line, &length);
	char *include = name ? xasprintf("%.*s", length, name) : NULL;
	char *path = include ? include_find(at, l->list[by].path, include) : NULL;
	if (path)
		scan_file(l, at, path, by);
	else if (may_include(line) && !names_system_header(line))
		l->incomplete = true;
	free(include);
	free(path);
}

static void scan_file(struct kernel_inputs *l, const struct input_places *at, const char *path, int by)
{
	struct buf b = {0};
	const char *why;
	int this = l->count;
	if (is_listed(l, path))
		return;
	if (this == SCANNED_MAX) {
		l->incomplete = true;
		return;
	}
	add_input(l, at, path, find_place(at, path));
	l->list[this].by = by;
	if (!input_file_read(path, KERNEL_SOURCE_MAX, &b, &why))
		l->incomplete = true;
	buf_add(&b, "", 1);
	join_continued_lines(b.data);
	char *rest = b.data;
	for (char *line; (line = strsep(&rest, "\n"));)
		scan_line(l, at, this, line);
	buf_free(&b);
}

void kernel_inputs_scan(struct kernel_inputs *l, const struct input_places *at, const char *source)
{
	scan_file(l, at, source, 0);
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
	fprintf(out, "%s\n%016llx\n", list_begin, (unsigned long long)l->searched);
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
		hash_content(in, NULL, &why);
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
	ok = ok && !strcmp(line, list_begin) && (line = strsep(&rest, "\n"));
	l->searched = ok ? strtoull(line, NULL, 16) : 0;
	while (ok && !ended && (line = strsep(&rest, "\n"))) {
		ended = !strcmp(line, list_end);
		ok = ended || load_line(l, at, line);
	}
	buf_free(&b);
	return ok && ended && include_search_hash(l, at) == l->searched;
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

/* Times of files may be those of the clock's last tick. */
long long kernel_inputs_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec - TICK_NS;
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
