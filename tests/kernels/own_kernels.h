/* Kernels that a test writes and builds, with a cache of its own. Include it after cmocka.h. */
#ifndef TESTS_KERNELS_OWN_KERNELS_H
#define TESTS_KERNELS_OWN_KERNELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "kernels/compile/kernel_build.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH]; /* the cache, and what the test writes */

static inline int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "compile-XXXXXX")))
		return 1;
	return setenv("XDG_CACHE_HOME", folder, 1);
}

static inline int drop_folder(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf '%s'", folder);
	int status = system(command);
	free(command);
	return status;
}

/* For gfx900. `file`: a kernel of the project, or an absolute path. */
static inline struct kernel_build build(const char *file, const char *defines)
{
	struct err e = {0};
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){file, defines, NULL}, "gfx900", &b, &e))
		fail_msg("%s %s: %s", file, defines ? defines : "", e.text);
	return b;
}

static inline struct err refused(const char *file, const char *defines, const char *arch)
{
	struct err e = {0};
	struct kernel_build b;
	assert_false(kernel_build(&(struct kernel_source){file, defines, NULL}, arch, &b, &e));
	assert_null(b.path);
	assert_true(e.text[0] && !strchr(e.text, '\n'));
	return e;
}

/* Creates the folders of a file "a/b/c.h" in `folder`. */
static inline void make_parents(const char *name)
{
	for (const char *slash = name; (slash = strchr(slash, '/')); slash++) {
		char *path = xasprintf("%s/%.*s", folder, (int)(slash - name), name);
		mkdir(path, 0777);
		free(path);
	}
}

/* Returns the path; the caller frees it. */
static inline char *write_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

#endif
