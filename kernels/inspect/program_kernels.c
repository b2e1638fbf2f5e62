/* Which kernels of a program a name means. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "kernels/inspect/program_code.h"

enum match { NO_MATCH, PART, WORD, WHOLE };

bool program_target_is(const char *target, const char *arch)
{
	size_t n = strcspn(target, ":");
	return !strcmp(target, arch) || (strlen(arch) == n && !strncmp(target, arch, n));
}

char *program_targets_text(const struct program_code *p)
{
	struct buf text = {0};
	for (size_t i = 0; i < p->target_count; i++)
		buf_printf(&text, "%s%s", i ? ", " : "", p->targets[i]);
	return text.data ? text.data : xstrdup("");
}

/* A kernel "void ns::copy<int>(int*)" is meant by its whole name and by "copy". */
static enum match match_name(const struct program_kernel *k, const char *name)
{
	size_t n = strlen(name);
	enum match best = strstr(k->info->name, name) ? PART : NO_MATCH;
	if (!strcmp(k->name, name) || !strcmp(k->info->name, name))
		return WHOLE;
	for (const char *at = k->name; (at = strstr(at, name)); at++) {
		bool begins = at == k->name || at[-1] == ' ' || at[-1] == ':';
		if (begins && (at[n] == '(' || at[n] == '<' || !at[n]))
			return WORD;
		best = PART;
	}
	return best;
}

/* Adds "A, B and 3 more": at most some names, and not more than fits in a line. */
static void list_candidates(const struct program_code *p, const bool *is_one, struct buf *out)
{
	enum { LINE_MAX_BYTES = 300 };
	size_t more = 0;
	for (size_t i = 0; i < p->kernel_count; i++) {
		bool again = !is_one[i];
		for (size_t k = 0; k < i && !again; k++)
			again = is_one[k] && !strcmp(p->kernels[k].name, p->kernels[i].name);
		if (again)
			continue;
		if (out->len + strlen(p->kernels[i].name) > LINE_MAX_BYTES)
			more++;
		else
			buf_printf(out, "%s%s", out->len ? ", " : "", p->kernels[i].name);
	}
	if (more)
		buf_printf(out, "%s%zu more", out->len ? " and " : "", more);
}

static bool set_candidates(
	const struct program_code *p, const char *path, const char *name, const bool *is_one, bool none, struct err *e)
{
	struct buf list = {0};
	list_candidates(p, is_one, &list);
	err_set(e, ST_REQUEST,
		none ? "%s has no kernel '%.60s'; it has %s"
		     : "%s has several kernels '%.60s': %s; give more of the name",
		path_basename(path), name, list.data);
	buf_free(&list);
	return false;
}

bool *program_find_kernel(const struct program_code *p, const char *path, const char *name, struct err *e)
{
	bool *is_one = xcalloc(p->kernel_count + 1, sizeof *is_one), ok = true;
	enum match best = NO_MATCH;
	const char *first = NULL;
	for (size_t i = 0; i < p->kernel_count; i++) {
		enum match m = match_name(&p->kernels[i], name);
		best = m > best ? m : best;
	}
	for (size_t i = 0; i < p->kernel_count; i++) {
		is_one[i] = match_name(&p->kernels[i], name) == best;
		if (!is_one[i])
			continue;
		first = first ? first : p->kernels[i].name;
		ok = ok && !strcmp(first, p->kernels[i].name);
	}
	if (best != NO_MATCH && ok)
		return is_one;
	set_candidates(p, path, name, is_one, best == NO_MATCH, e);
	free(is_one);
	return NULL;
}
