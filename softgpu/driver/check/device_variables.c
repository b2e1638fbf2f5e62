#include "softgpu/driver/check/device_variables.h"

#include <pthread.h>
#include <stdlib.h>

#include "softgpu/driver/capture/code_objects.h"
#include "softgpu/driver/code/object_variables.h"
#include "softgpu/driver/kfd/kfd_memory.h"

#define PAGE UINT64_C(4096)
enum { VARIABLES_MAX = 1 << 30 };

/* A code object whose memory a kernel has used. It stays known after it was unloaded: reports name its variables. */
struct known_object {
	struct known_object *next;
	struct kfd_mapping at;
	struct object_variables variables;
	uint32_t first; /* number of its first item */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_object *objects; /* the last one first */
static uint32_t next_number = DEVICE_VARIABLE_NUMBERS;

/* The child has no device memory. Another thread may have been changing the list. */
static void reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	objects = NULL;
	next_number = DEVICE_VARIABLE_NUMBERS;
}

static void set_fork_handler(void)
{
	pthread_atfork(NULL, NULL, reset_in_child);
}

static struct known_object *add_object(const struct kfd_mapping *at, const uint8_t *file, uint64_t bytes)
{
	struct known_object *o = calloc(1, sizeof *o);

	if (!o)
		return NULL;
	object_variables_read(file, bytes, &o->variables);
	if (o->variables.count > VARIABLES_MAX - (next_number - DEVICE_VARIABLE_NUMBERS))
		object_variables_free(&o->variables);
	o->at = *at;
	o->first = next_number;
	next_number += o->variables.count;
	o->next = objects;
	return objects = o;
}

/* NULL: none is loaded there, or not yet. */
static struct known_object *find_object(const struct kfd_mapping *at)
{
	struct known_object *o = objects;
	uint64_t bytes;
	uint8_t *file;

	while (o && o->at.serial != at->serial)
		o = o->next;
	file = o ? NULL : code_object_read(at->start, at->size, &bytes);
	if (file)
		o = add_object(at, file, bytes);
	free(file);
	return o;
}

static struct check_extent describe_extent(const struct known_object *o, uint64_t va)
{
	const struct object_extent e = object_variables_find(&o->variables, o->at.size, va - o->at.start);

	if (e.place == PLACE_UNKNOWN)
		return (struct check_extent){o->at.start + e.from, e.to - e.from, EXTENT_UNKNOWN, 0};
	return (struct check_extent){o->at.start + e.from, e.to - e.from,
		e.place == PLACE_VARIABLE ? EXTENT_VARIABLE : EXTENT_GAP, o->first + (uint32_t)e.item};
}

bool device_variables_find_extent(uint64_t va, struct check_extent *out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct known_object *o;
	struct kfd_mapping at;
	bool known;

	*out = (struct check_extent){va & ~(PAGE - 1), PAGE, EXTENT_UNKNOWN, 0};
	if (!kfd_memory_find_mapping(va, &at) || !at.may_be_code)
		return false;
	pthread_once(&once, set_fork_handler);
	pthread_mutex_lock(&lock);
	o = find_object(&at);
	known = o && o->variables.count;
	if (known)
		*out = describe_extent(o, va);
	pthread_mutex_unlock(&lock);
	return known;
}

bool device_variables_get(uint32_t number, struct device_variable *out)
{
	const struct known_object *o = NULL;

	if (number < DEVICE_VARIABLE_NUMBERS)
		return false;
	pthread_mutex_lock(&lock);
	for (o = objects; o && number - o->first >= o->variables.count;)
		o = o->next;
	if (o) {
		const struct object_item *v = &o->variables.list[number - o->first];
		*out = (struct device_variable){o->at.start + v->from, v->to - v->from, v->name};
	}
	pthread_mutex_unlock(&lock);
	return o != NULL;
}
