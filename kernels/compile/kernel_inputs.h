/* The files that a compiler read to make a code object: the source, what it includes, headers of the system, device
 * libraries. clang lists the first three (-MD); for assembly and for hiprtc, which list none, they are found by their
 * text. A code object may be used again only while every one of them has the same content. */
#ifndef KERNELS_COMPILE_KERNEL_INPUTS_H
#define KERNELS_COMPILE_KERNEL_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_input {
	char *path;
	char *name; /* relative to the source's folder or to the tree; otherwise without its folder */
	enum input_place {
		INPUT_OF_SOURCE = 's', /* below the source's folder */
		INPUT_OF_TREE = 't',
		INPUT_ELSEWHERE = 'e',
		INPUT_OF_SYSTEM = 'h', /* a header */
		INPUT_LIBRARY = 'l',   /* a device library */
	} place;
	uint64_t hash;     /* of the content, as kernel_file_hash */
	long long bytes;   /* size and time of change: a file of the system with the same ones has the same content */
	long long changed; /* ns */
	int by;            /* the number of the file that includes it, if it was found by its text */
};
struct kernel_inputs {
	struct kernel_input *list; /* the source is the first */
	int count, room;
	bool unlisted;    /* a source asks for files that clang does not list */
	bool incomplete;  /* a file could not be read, or the text may include others: the code object is not kept */
	char *unreadable; /* the first file that could not be read, and why; NULL: none */
	const char *why;
	uint64_t searched; /* include_search_hash of the compile */
};
struct input_places {
	const char *source; /* folder of the source */
	const char *tree;   /* folder that contains kernels/ */
};

/* Adds the source, and what a file with a rule for make names, without its target. */
void kernel_inputs_add_rule(
	struct kernel_inputs *l, const struct input_places *at, const char *source, const char *rule);
/* Adds the files of another list. */
void kernel_inputs_add_files(struct kernel_inputs *l, const struct input_places *at, const struct kernel_inputs *other);
/* Adds a source and what its lines include. */
void kernel_inputs_scan(struct kernel_inputs *l, const struct input_places *at, const char *source);
/* Adds the device libraries in a folder that clang links for a target. */
void kernel_inputs_add_libraries(
	struct kernel_inputs *l, const struct input_places *at, const char *folder, const char *arch);

/* Names of files from an earlier compile, with what they contain now. False if there is none, if one is gone, or if a
 * new file may take the place of one. */
bool kernel_inputs_load(struct kernel_inputs *l, const struct input_places *at, const char *path);
/* Creates the folder. False if the list cannot be written. */
bool kernel_inputs_keep(const struct kernel_inputs *l, const char *path);

uint64_t kernel_inputs_hash(const struct kernel_inputs *l, uint64_t h); /* names and contents */
uint64_t kernel_inputs_hash_libraries(const struct kernel_inputs *l);   /* contents of device libraries; 0: none */
bool kernel_input_is_of_system(const struct kernel_input *in);          /* a header or a library */
long long kernel_inputs_now(void); /* ns: a file that changes from now on has this time or a later one */
/* Whether a file that is not of the system changed at or after this time. */
bool kernel_inputs_changed_since(const struct kernel_inputs *l, long long ns);
void kernel_inputs_free(struct kernel_inputs *l);

#endif
