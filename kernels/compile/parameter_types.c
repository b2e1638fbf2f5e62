#include "kernels/compile/parameter_types.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"

enum { TYPES_MAX = 4096, KEPT_MAX = 64 };

/* --- the compiler's answer --- */
/* The parameters of "... 'wavedeck_type_of<void (const int *, int)>' ...". */
static char *extract_parameters(const char *messages)
{
	static const char mark[] = "wavedeck_type_of<void (";
	const char *from = messages ? strstr(messages, mark) : NULL;
	int depth = 1;
	if (!from)
		return NULL;
	from += sizeof mark - 1;
	const char *to = from;
	for (; *to && *to != '\n'; to++) {
		depth += (*to == '(') - (*to == ')');
		if (!depth)
			break;
	}
	return *to == ')' ? xasprintf("%.*s", (int)(to - from), from) : NULL;
}

char *parameter_types_find(const struct toolchain *tools, const struct compile_task *t, const char *entry)
{
	struct buf messages = {0};
	bool answered = clang_print_type(tools, t, entry, &messages);
	char *types = answered ? extract_parameters(messages.data) : NULL;
	buf_free(&messages);
	return types || !answered ? types : xstrdup("");
}

/* --- kept answers --- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	char *path, *types;
} kept[KEPT_MAX];
static unsigned next; /* the entry to replace */

static char *find_kept(const char *path)
{
	char *found = NULL;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < KEPT_MAX && !found; i++)
		if (kept[i].path && !strcmp(kept[i].path, path))
			found = xstrdup(kept[i].types);
	pthread_mutex_unlock(&lock);
	return found;
}

char *parameter_types_load(const char *path)
{
	char text[TYPES_MAX];
	FILE *f = fopen(path, "re");
	if (!f)
		return find_kept(path);
	size_t n = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	text[n] = 0;
	char *end = strchr(text, '\n');
	if (end)
		*end = 0;
	return end ? xstrdup(text) : NULL;
}

static void print_types(FILE *out, const void *ctx)
{
	fprintf(out, "%s\n", (const char *)ctx);
}

void parameter_types_keep(const char *path, const char *types)
{
	if (file_write_atomic(path, print_types, types, "", NULL))
		return;
	pthread_mutex_lock(&lock);
	free(kept[next % KEPT_MAX].path);
	free(kept[next % KEPT_MAX].types);
	kept[next % KEPT_MAX].path = xstrdup(path);
	kept[next++ % KEPT_MAX].types = xstrdup(types);
	pthread_mutex_unlock(&lock);
}
