#include "softgpu/driver/check/apart_memory.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>

struct apart {
	uint64_t address, original;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *tree;

/* The child has no device memory, and does not free the parent's. */
static void reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	tree = NULL;
}

static void set_fork_handler(void)
{
	pthread_atfork(NULL, NULL, reset_in_child);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct apart *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

bool apart_memory_add(uint64_t address, uint64_t original)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct apart *a = malloc(sizeof *a);
	void *entered = NULL;

	pthread_once(&once, set_fork_handler);
	if (a) {
		*a = (struct apart){address, original};
		pthread_mutex_lock(&lock);
		entered = tsearch(a, &tree, compare_addresses);
		pthread_mutex_unlock(&lock);
	}
	if (!entered)
		free(a);
	return entered != NULL;
}

uint64_t apart_memory_original(uint64_t address)
{
	const struct apart key = {address, 0};
	struct apart **found;
	uint64_t original;

	pthread_mutex_lock(&lock);
	found = tfind(&key, &tree, compare_addresses);
	original = found ? (*found)->original : 0;
	pthread_mutex_unlock(&lock);
	return original;
}

void apart_memory_remove(uint64_t address)
{
	const struct apart key = {address, 0};
	struct apart **found, *a = NULL;

	pthread_mutex_lock(&lock);
	found = tfind(&key, &tree, compare_addresses);
	if (found) {
		a = *found;
		tdelete(&key, &tree, compare_addresses);
	}
	pthread_mutex_unlock(&lock);
	free(a);
}
