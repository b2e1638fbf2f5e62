/* Temporary files of tests. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_PATH = 160 };

/* A path in TMPDIR for this process. tests/run.sh makes a TMPDIR for each program, and reports what the program leaves
 * there. The name may be a pattern for mkstemp or mkdtemp. Returns `out`. */
static inline char *scratch_path(char out[SCRATCH_PATH], const char *name)
{
	const char *folder = getenv("TMPDIR");
	snprintf(out, SCRATCH_PATH, "%s/wavedeck-%d-%s", folder && *folder ? folder : "/tmp", (int)getpid(), name);
	return out;
}

#endif
