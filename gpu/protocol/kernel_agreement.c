#include "gpu/protocol/kernel_agreement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"

/* What is known under the key; the text if nothing was. */
static const char *find_or_note(struct kernel_agreement *a, const char *key, const char *text)
{
	if (!a->known)
		a->known = json_object();
	const char *was = json_string_value(json_object_get(a->known, key));
	if (!was)
		json_object_set_new(a->known, key, json_string(text));
	return was ? was : text;
}

static bool add_files(struct kernel_agreement *a, const json_t *kernel, char *why, size_t size)
{
	const char *name;
	json_t *hash;
	json_object_foreach(json_object_get(kernel, "files"), name, hash)
	{
		char *key = xasprintf("file %s", name);
		const char *text = json_is_string(hash) ? json_string_value(hash) : "";
		bool same = !strcmp(find_or_note(a, key, text), text);
		free(key);
		if (same)
			continue;
		snprintf(why, size, "%s has changed", name);
		return false;
	}
	return true;
}

/* A prebuilt code object may come from another compiler than those that are compiled here. */
static bool add_compiler(struct kernel_agreement *a, const json_t *kernel, char *why, size_t size)
{
	const char *text = record_get_text(kernel, "compiler");
	if (!*text || !strncmp(text, "prebuilt", 8))
		return true;
	const char *was = find_or_note(a, "compiler", text);
	if (strcmp(was, text))
		snprintf(why, size, "the compiler is %s, and was %s", text, was);
	return !strcmp(was, text);
}

static bool add_libraries(struct kernel_agreement *a, const json_t *kernel, char *why, size_t size)
{
	const char *text = record_get_text(kernel, "libraries");
	bool same = !*text || !strcmp(find_or_note(a, "libraries", text), text);
	if (!same)
		snprintf(why, size, "the device libraries of the compiler have changed");
	return same;
}

bool kernel_agreement_add(struct kernel_agreement *a, const json_t *point, char *why, size_t size)
{
	const json_t *kernel = json_object_get(point, "kernel");
	return add_files(a, kernel, why, size) && add_compiler(a, kernel, why, size) &&
		add_libraries(a, kernel, why, size);
}

void kernel_agreement_free(struct kernel_agreement *a)
{
	json_decref(a->known);
	*a = (struct kernel_agreement){0};
}
