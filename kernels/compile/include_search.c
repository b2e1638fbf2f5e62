#include "kernels/compile/include_search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/paths.h"

/* A header of the system has at most so many words in its name: "hip/amd_detail/host_defines.h". */
enum { SYSTEM_WORDS = 3 };

/* --- one include --- */
/* "./a.h" and ".//a.h" are "a.h": otherwise, files that include each other get new names without end. */
static const char *skip_this_folder(const char *name)
{
	while (name[0] == '.' && name[1] == '/')
		name += 1 + strspn(name + 1, "/");
	return name;
}

char *include_find(const struct input_places *at, const char *by, const char *name)
{
	char *here = path_copy_folder(by), *found = NULL;
	const char *const folders[] = {here, at->source, at->tree};
	name = skip_this_folder(name);
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

/* --- all folders --- */
struct folders {
	char **list;
	size_t count;
};

/* Takes the text. */
static void add_folder(struct folders *f, char *folder)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->list[i], folder)) {
			free(folder);
			return;
		}
	f->list = xrealloc(f->list, (f->count + 1) * sizeof *f->list);
	f->list[f->count++] = folder;
}

/* The tree, and the folder of each file that may include another one. */
static struct folders find_folders(const struct kernel_inputs *l, const struct input_places *at)
{
	struct folders f = {0};
	add_folder(&f, xstrdup(at->tree));
	add_folder(&f, xstrdup(at->source));
	for (int i = 0; i < l->count; i++)
		if (!kernel_input_is_of_system(&l->list[i]))
			add_folder(&f, path_copy_folder(l->list[i].path));
	return f;
}

static const char *find_last_words(const char *path)
{
	const char *name = path + strlen(path);
	for (int words = 0; words < SYSTEM_WORDS && name > path + 1; words++)
		for (name--; name > path + 1 && name[-1] != '/';)
			name--;
	return name;
}

/* The last words of a path, "b.h" and "sub/b.h" of "sub/b.h": a line may have included each. */
static const char *find_longest_name(const struct kernel_input *in)
{
	return in->place == INPUT_OF_SYSTEM ? find_last_words(in->path) : in->name;
}

/* Which files exist, and when the last of them came or changed. A file that is renamed keeps its time of change, but
 * gets a new one of its entry. */
struct existing {
	uint64_t hash;
	long long last; /* ns */
};

static void add_existing(struct existing *e, const struct folders *f, const char *name)
{
	struct stat st;
	for (size_t i = 0; i < f->count; i++) {
		char *path = xasprintf("%s/%s", f->list[i], name);
		if (!access(path, F_OK) && !lstat(path, &st)) {
			const long long since = (long long)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
			e->hash = hash_text(hash_bytes(e->hash, &i, sizeof i), name);
			e->last = since > e->last ? since : e->last;
		}
		free(path);
	}
}

bool include_search_hides(const struct kernel_inputs *l, const struct input_places *at)
{
	const struct folders f = {(char *[]){(char *)at->tree, (char *)at->source}, 2};
	struct existing e = {.hash = HASH_START};
	for (int i = 0; i < l->count; i++)
		for (const char *name = find_last_words(l->list[i].path); name;
			name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL)
			add_existing(&e, &f, name);
	return e.hash != HASH_START;
}

static struct existing find_existing(const struct kernel_inputs *l, const struct input_places *at)
{
	struct folders f = find_folders(l, at);
	struct existing e = {.hash = HASH_START};
	for (int i = 0; i < l->count; i++)
		if (l->list[i].place != INPUT_LIBRARY)
			for (const char *name = find_longest_name(&l->list[i]); name;
				name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL)
				add_existing(&e, &f, name);
	for (size_t i = 0; i < f.count; i++)
		free(f.list[i]);
	free(f.list);
	return e;
}

uint64_t include_search_hash(const struct kernel_inputs *l, const struct input_places *at)
{
	return find_existing(l, at).hash;
}

bool include_search_changed_since(const struct kernel_inputs *l, const struct input_places *at, long long ns)
{
	return find_existing(l, at).last >= ns;
}
