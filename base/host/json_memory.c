#include "base/host/json_memory.h"

#include <jansson.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
	STEP = 16,       /* bytes; malloc's sizes have the same */
	CLASSES = 17,    /* blocks of up to 256 bytes and malloc's header */
	BLOCKS_MAX = 512 /* of each class; a record has about a hundred */
};

/* The C library's own cache has 7 blocks of each size, fewer than a record. */
struct free_block {
	struct free_block *next;
};
struct block_list {
	struct free_block *first;
	int count;
};

static __thread struct block_list lists[CLASSES];
static __thread bool reuses; /* only the thread that asked for it: other threads end */

static void *take_block(size_t size)
{
	/* Blocks of a class have at least its bytes. */
	size_t class = (size + STEP - 1) / STEP;
	struct block_list *l = &lists[class < CLASSES ? class : 0];
	struct free_block *b = l->first;
	if (!reuses || class >= CLASSES || !b)
		return malloc(class < CLASSES ? class * STEP : size);
	l->first = b->next;
	l->count--;
	return b;
}

static void give_block(void *p)
{
	size_t class = reuses && p ? malloc_usable_size(p) / STEP : CLASSES;
	struct block_list *l = &lists[class < CLASSES ? class : 0];
	if (class >= CLASSES || l->count == BLOCKS_MAX) {
		free(p);
		return;
	}
	struct free_block *b = p;
	b->next = l->first;
	l->first = b;
	l->count++;
}

void json_memory_reuse(void)
{
#ifndef __SANITIZE_ADDRESS__
	reuses = true;
	json_set_alloc_funcs(take_block, give_block);
#endif
}
