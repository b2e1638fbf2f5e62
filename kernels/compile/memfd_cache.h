/* Compiled kernels of this process in unnamed files: replaces the cache on disk if that is not writable. Any thread. */
#ifndef KERNELS_COMPILE_MEMFD_CACHE_H
#define KERNELS_COMPILE_MEMFD_CACHE_H

/* A path that opens the kernel stored under this name; the caller frees it. NULL if there is none. */
char *memfd_cache_find(const char *name);
/* Stores the file under this name, even if the file is removed later; drops the oldest of 64. Returns a path as
 * memfd_cache_find; NULL if the file cannot be opened. */
char *memfd_cache_store(const char *name, const char *file);

#endif
