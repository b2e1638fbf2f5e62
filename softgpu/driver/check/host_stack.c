#include "softgpu/driver/check/host_stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/driver/check/module_symbols.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/interpose/strbuf.h"

enum { RAW_FRAMES = 96, SLOTS = 2 * HOST_STACKS_MAX };

struct stack {
	uint64_t hash;
	unsigned count;
	void *address[HOST_STACK_FRAMES];
	struct host_frame frame[HOST_STACK_FRAMES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stack *stacks[HOST_STACKS_MAX]; /* by number - 1 */
static _Atomic uint32_t stack_count;
static uint32_t *slots; /* a hash table of numbers */

void host_stacks_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
}

/* --- names --- */
/* Each distinct text is kept once, because a module may be unloaded. */
struct text {
	struct text *next;
	char bytes[];
};
enum { TEXT_SLOTS = 4096 };
static struct text *texts[TEXT_SLOTS];

static uint64_t hash_bytes(const void *data, size_t size)
{
	const unsigned char *p = data;
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	while (size--)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

static const char *keep_text(const char *text)
{
	struct text **slot = &texts[hash_bytes(text, strlen(text)) % TEXT_SLOTS], *t;

	pthread_mutex_lock(&lock);
	for (t = *slot; t && strcmp(t->bytes, text); t = t->next)
		;
	if (!t && (t = malloc(sizeof *t + strlen(text) + 1))) {
		strcpy(t->bytes, text);
		t->next = *slot;
		*slot = t;
	}
	pthread_mutex_unlock(&lock);
	return t ? t->bytes : "";
}

static const char *module_path(const struct link_map *map, char path[PATH_MAX])
{
	ssize_t n;

	if (*map->l_name)
		return map->l_name;
	n = syscall(SYS_readlink, "/proc/self/exe", path, PATH_MAX - 1);
	path[n > 0 ? n : 0] = 0;
	return path;
}

static struct host_frame name_frame(const char *address)
{
	char path[PATH_MAX];
	struct link_map *map = NULL;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return (struct host_frame){"", (uintptr_t)address, NULL};
	return (struct host_frame){keep_text(module_path(map, path)), (uintptr_t)address - map->l_addr,
		info.dli_sname ? keep_text(info.dli_sname) : NULL};
}

/* --- the table --- */
static uint32_t *find_slot(const struct stack *s)
{
	uint64_t at = s->hash;

	for (;; at++) {
		uint32_t *slot = &slots[at % SLOTS];
		const struct stack *other = *slot ? stacks[*slot - 1] : NULL;

		if (!other ||
			(other->hash == s->hash && other->count == s->count &&
				!memcmp(other->address, s->address, s->count * sizeof *s->address)))
			return slot;
	}
}

static uint32_t find_stack(const struct stack *s)
{
	uint32_t number;

	pthread_mutex_lock(&lock);
	if (!slots)
		slots = calloc(SLOTS, sizeof *slots);
	number = slots ? *find_slot(s) : 0;
	pthread_mutex_unlock(&lock);
	return number;
}

/* Another thread may have entered the same one since. */
static uint32_t enter_stack(const struct stack *s)
{
	struct stack *copy = malloc(sizeof *copy);
	uint32_t *slot, number = 0;

	pthread_mutex_lock(&lock);
	slot = slots && copy ? find_slot(s) : NULL;
	if (slot && !*slot && stack_count < HOST_STACKS_MAX) {
		*copy = *s;
		stacks[stack_count] = copy;
		*slot = ++stack_count;
		copy = NULL;
	}
	number = slot ? *slot : 0;
	pthread_mutex_unlock(&lock);
	free(copy);
	return number;
}

/* Returns the number of frames; *first is that of the program. */
static int unwind(void *raw[RAW_FRAMES], int *first)
{
	const int count = backtrace(raw, RAW_FRAMES);
	int at = 0;

	while (at < count && runtime_caller_of((uintptr_t)raw[at]) != CALLER_PROGRAM)
		at++;
	*first = at;
	return count;
}

const char *host_stack_find_call(void)
{
	void *raw[RAW_FRAMES];
	int first;

	unwind(raw, &first);
	return first ? module_function_at((char *)raw[first - 1] - 1) : NULL;
}

uint32_t host_stack_take(void)
{
	void *raw[RAW_FRAMES];
	struct stack s = {0};
	uint32_t number;
	int at, count;

	count = unwind(raw, &at);
	while (at < count && s.count < HOST_STACK_FRAMES)
		s.address[s.count++] = (char *)raw[at++] - 1;
	if (!s.count)
		return 0;
	s.hash = hash_bytes(s.address, s.count * sizeof *s.address);
	number = find_stack(&s);
	if (number)
		return number;
	for (unsigned i = 0; i < s.count; i++)
		s.frame[i] = name_frame(s.address[i]);
	return enter_stack(&s);
}

size_t host_stack_frames(uint32_t number, const struct host_frame **out)
{
	const bool known = number && number <= stack_count;

	*out = known ? stacks[number - 1]->frame : NULL;
	return known ? stacks[number - 1]->count : 0;
}

void host_stack_append(struct strbuf *out, uint32_t number)
{
	const struct host_frame *frame;
	const size_t count = host_stack_frames(number, &frame);

	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "%s\t%#lx\t%s\n", frame[i].module, (unsigned long)frame[i].offset,
			frame[i].symbol ? frame[i].symbol : "");
}
