/* Compiled kernels that only this process has, in files without a name: what is left of the cache where that cannot be
 * written. Any thread. */
#ifndef KERNELS_COMPILE_MEMFD_CACHE_H
#define KERNELS_COMPILE_MEMFD_CACHE_H

/* A path that opens the kernel kept under that name, for the caller to free; NULL when there is none. */
char *memfd_cache_find(const char *name);
/* Keeps the file under that name though it be removed; the oldest goes when there are many. As memfd_cache_find; NULL
 * when it cannot be opened. */
char *memfd_cache_store(const char *name, const char *file);

#endif
