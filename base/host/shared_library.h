/* Libraries of others, loaded at run time under whichever version number this machine has. */
#ifndef BASE_HOST_SHARED_LIBRARY_H
#define BASE_HOST_SHARED_LIBRARY_H

#include <stddef.h>

struct shared_library {
	const char *name;     /* "libamdhip64.so" */
	const char *versions; /* of the names known to work, the preferred first: "7 6 5"; then any other number */
	const char *symbol;   /* a library without this function does not count; NULL: any does */
};

/* Loads the first that loads: by the loader's search, then from the folders of the distribution, of ROCm and of CUDA.
 * `flags` is for dlopen. NULL: none; then `why` gets the loader's message about one that exists but does not load, or
 * "". */
void *shared_library_open(const struct shared_library *l, int flags, char *why, size_t size);
/* A function of a library, and the pointer that gets it. */
struct library_function {
	const char *name;
	void *to;
};
/* Looks up all of them. The name of the first that the library lacks, or NULL. */
const char *shared_library_find(void *handle, const struct library_function *list, size_t count);
/* The file that was loaded, and its version from the name of the file ("5.2.21153"); "" if unknown. */
void shared_library_describe(void *handle, char *path, size_t path_size, char *version, size_t version_size);

#endif
