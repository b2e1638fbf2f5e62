/* What programs that read mutated files share. */
#ifndef TESTS_LONG_SANITIZERS_MUTATION_SOURCE_H
#define TESTS_LONG_SANITIZERS_MUTATION_SOURCE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

/* 0 to n - 1; 0 if n is 0. */
static inline unsigned below(unsigned n)
{
	return n ? (unsigned)rand() % n : 0;
}

/* The whole file and a NUL, which `len` does not count; the caller frees it. */
static inline struct buf read_whole(const char *path)
{
	struct buf b = {0};
	char chunk[4096];
	FILE *f = fopen(path, "rb");
	for (size_t n; f && (n = fread(chunk, 1, sizeof chunk, f));)
		buf_add(&b, chunk, n);
	if (f)
		fclose(f);
	buf_add(&b, "", 1);
	b.len--;
	return b;
}

#endif
