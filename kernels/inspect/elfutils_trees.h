/* Search trees that libdw.a and libelf.a of elfutils 0.192 call, but do not contain (elfutils bug 32293). With
 * STATIC_DEPS=1 the linker takes these functions if the libraries have none. They do not lock: here every handle of
 * libelf and libdw belongs to one thread. */
#ifndef KERNELS_INSPECT_ELFUTILS_TREES_H
#define KERNELS_INSPECT_ELFUTILS_TREES_H

/* Only the beginning: elfutils' structure continues with its lock. */
struct elfutils_tree {
	void *root;
};

typedef int elfutils_compare_fn(const void *, const void *);

void eu_search_tree_init(struct elfutils_tree *t);
/* tsearch, tfind and tdelete of the C library: they return a node, which begins with a pointer to the key, or NULL. */
void *eu_tsearch(const void *key, struct elfutils_tree *t, elfutils_compare_fn *compare);
void *eu_tfind(const void *key, struct elfutils_tree *t, elfutils_compare_fn *compare);
void *eu_tdelete(const void *key, struct elfutils_tree *t, elfutils_compare_fn *compare);
/* Both call `free_key` for each key and leave an empty tree. */
void eu_tdestroy(struct elfutils_tree *t, void (*free_key)(void *));
void eu_search_tree_fini(struct elfutils_tree *t, void (*free_key)(void *));

#endif
