#include "softgpu/core/exec/code_copies.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/softgpu.h"

enum { BUCKETS = 256 };

struct code_copy {
	uint64_t va;
	struct code_copy *next; /* in the bucket */
	uint8_t bytes[CODE_PAGE_BYTES];
};

struct code_copies {
	pthread_mutex_t lock;
	struct code_copy *bucket[BUCKETS];
};

struct code_copies *code_copies_open(void)
{
	struct code_copies *c = calloc(1, sizeof *c);

	if (c)
		pthread_mutex_init(&c->lock, NULL);
	return c;
}

void code_copies_clear(struct code_copies *c)
{
	for (unsigned b = 0; b < BUCKETS; b++) {
		for (struct code_copy *p = c->bucket[b], *next; p; p = next) {
			next = p->next;
			free(p);
		}
		c->bucket[b] = NULL;
	}
}

void code_copies_close(struct code_copies *c)
{
	if (!c)
		return;
	code_copies_clear(c);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* NULL: the page is not mapped for execution. */
static const uint8_t *find_code(struct vm *vm, uint64_t va)
{
	const struct vm_region *r = vm_find(vm, va, CODE_PAGE_BYTES, VM_READ | VM_EXEC);

	return r ? r->host + (va - r->va) : NULL;
}

static bool add_copy(struct code_copies *c, struct vm *vm, uint64_t va)
{
	struct code_copy **bucket = &c->bucket[va / CODE_PAGE_BYTES % BUCKETS], *p = *bucket;

	while (p && p->va != va)
		p = p->next;
	if (p)
		return true;
	p = calloc(1, sizeof *p);
	if (!p)
		return false;
	const uint8_t *code = find_code(vm, va);
	if (code)
		memcpy(p->bytes, code, sizeof p->bytes);
	p->va = va;
	p->next = *bucket;
	*bucket = p;
	return true;
}

bool code_copies_add(struct code_copies *c, struct vm *vm, uint64_t va)
{
	pthread_mutex_lock(&c->lock);
	const bool ok = add_copy(c, vm, va);
	pthread_mutex_unlock(&c->lock);
	return ok;
}

static bool is_stale(const struct code_copy *p, struct vm *vm)
{
	const uint8_t *code = find_code(vm, p->va);

	return !code || memcmp(p->bytes, code, sizeof p->bytes) != 0;
}

bool code_copies_are_stale(const struct code_copies *c, struct vm *vm)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (const struct code_copy *p = c->bucket[b]; p; p = p->next)
			if (is_stale(p, vm))
				return true;
	return false;
}
