#include "kernels/inspect/elfutils_trees.h"

#include <search.h>
#include <stddef.h>

void eu_search_tree_init(struct elfutils_tree *t)
{
	t->root = NULL;
}

void *eu_tsearch(const void *key, struct elfutils_tree *t, elfutils_compare_fn *compare)
{
	return tsearch(key, &t->root, compare);
}

void *eu_tfind(const void *key, struct elfutils_tree *t, elfutils_compare_fn *compare)
{
	return tfind(key, &t->root, compare);
}

void *eu_tdelete(const void *key, struct elfutils_tree *t, elfutils_compare_fn *compare)
{
	return tdelete(key, &t->root, compare);
}

void eu_tdestroy(struct elfutils_tree *t, void (*free_key)(void *))
{
	tdestroy(t->root, free_key);
	t->root = NULL;
}

void eu_search_tree_fini(struct elfutils_tree *t, void (*free_key)(void *))
{
	eu_tdestroy(t, free_key);
}
