/* Checks the expected instructions of a kernel. */
#include "kernels/inspect/isa_contract.h"

#include <stdio.h>
#include <string.h>

#include "kernels/inspect/sass/sass_text.h"

static bool ends_word(char c)
{
	return !c || c == ' ' || c == '\t';
}

static bool has_word(const char *text, const char *word, size_t n)
{
	for (const char *at = strstr(text, " "); at; at = strstr(at + 1, " "))
		if (!strncmp(at + 1, word, n) && ends_word(at[1 + n]))
			return true;
	return false;
}

/* Whether the line is the instruction `wanted`, in any encoding, with all its modifiers. */
static bool is_instruction(const char *text, const char *wanted)
{
	size_t n = strcspn(wanted, " ");
	if (strncmp(text, wanted, n))
		return false;
	const char *rest = text + n;
	if (!strncmp(rest, "_e32", 4) || !strncmp(rest, "_e64", 4))
		rest += 4;
	if (!ends_word(*rest))
		return false;
	for (const char *word = wanted + n; *(word += strspn(word, " ")); word += strcspn(word, " "))
		if (!has_word(rest, word, strcspn(word, " ")))
			return false;
	return true;
}

static bool whole_kernel(const struct isa_contract *c)
{
	return !strcmp(c->where, "kernel");
}

bool contract_applies_to(const struct isa_contract *c, const char *arch)
{
	return !strncmp(arch, c->isa, strlen(c->isa));
}

bool contract_is_of_sass(const struct isa_contract *c)
{
	return !strncmp(c->isa, "sm_", 3);
}

bool contract_matches_line(const struct isa_contract *c, const struct kernel_line *line)
{
	if (!whole_kernel(c) && !line->in_hot_loop)
		return false;
	if (contract_is_of_sass(c))
		return sass_match_instruction(line->text, c->instruction);
	const char *second = strstr(line->text, ":: ");
	return is_instruction(line->text, c->instruction) || (second && is_instruction(second + 3, c->instruction));
}

int contract_count_matches(const struct isa_contract *c, const struct kernel_line *lines, size_t count)
{
	int found = 0;
	for (size_t i = 0; i < count; i++)
		found += contract_matches_line(c, &lines[i]);
	return found;
}

bool contract_is_met(const struct isa_contract *c, int found)
{
	return c->count < 0 ? found > 0 : found == c->count;
}

void contract_describe_violation(const struct isa_contract *c, int found, char *out, size_t size)
{
	const char *place = whole_kernel(c) ? "kernel" : "hot loop";
	if (c->count < 0)
		snprintf(out, size, "the %s contains no %s", place, c->instruction);
	else
		snprintf(out, size, "the %s contains %d %s, expected %d", place, found, c->instruction, c->count);
}
