#include "experiments/course/glossary.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"

static const struct glossary_entry entries[] = {
#define TERM(section, terms, amd, nvidia, meaning) {section, terms, amd, nvidia, meaning},
#include "experiments/course/glossary.def"
#undef TERM
};
enum { ENTRIES = sizeof entries / sizeof *entries };

const struct glossary_entry *glossary_at(int i)
{
	return i >= 0 && i < ENTRIES ? &entries[i] : NULL;
}

enum match { MATCH_NONE, MATCH_INSIDE, MATCH_BEGINNING, MATCH_EXACT };

/* Compares with one of an entry's terms, of `n` bytes. */
static enum match match_term(const char *term, size_t n, const char *word)
{
	size_t len = strlen(word);
	bool plural = len == n + 1 && strchr("sS", word[n]);
	if ((len == n || plural) && !strncasecmp(term, word, n))
		return MATCH_EXACT;
	if (len < n && !strncasecmp(term, word, len))
		return MATCH_BEGINNING;
	for (size_t i = 1; i + len <= n; i++)
		if (!strncasecmp(term + i, word, len))
			return MATCH_INSIDE;
	return MATCH_NONE;
}

static enum match match_entry(const struct glossary_entry *e, const char *word)
{
	enum match best = MATCH_NONE;
	for (const char *s = e->terms; *s; s += strspn(s, ",() ")) {
		size_t n = strcspn(s, ",()");
		while (n && s[n - 1] == ' ')
			n--;
		enum match m = match_term(s, n, word);
		best = m > best ? m : best;
		s += strcspn(s, ",()");
	}
	return best;
}

int glossary_find(const char *term)
{
	int found = -1;
	enum match best = MATCH_NONE;
	for (int i = 0; *term && i < ENTRIES; i++) {
		enum match m = match_entry(&entries[i], term);
		if (m > best) {
			best = m;
			found = i;
		}
	}
	return found;
}

const char *glossary_nearest_term(const char *term)
{
	const char *terms[ENTRIES];
	for (int i = 0; i < ENTRIES; i++)
		terms[i] = entries[i].terms;
	return find_nearest_name(term, terms, ENTRIES);
}
