#include "experiments/course/glossary.h"

#include <ctype.h>
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

/* Takes the next of an entry's terms: returns it, with its length in bytes, or NULL after the last. */
static const char *take_term(const char **terms, size_t *length)
{
	const char *term = *terms + strspn(*terms, ",() ");
	size_t n = strcspn(term, ",()");
	*terms = term + n;
	while (n && term[n - 1] == ' ')
		n--;
	*length = n;
	return n ? term : NULL;
}

static enum match match_entry(const struct glossary_entry *e, const char *word)
{
	enum match best = MATCH_NONE;
	const char *rest = e->terms, *term;
	size_t n;
	while ((term = take_term(&rest, &n))) {
		enum match m = match_term(term, n, word);
		best = m > best ? m : best;
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

/* Bytes of the term at the start of the text, with a plural s; 0: another word. */
static size_t match_whole_word(const char *text, const char *term, size_t n)
{
	bool first =
		text[0] == term[0] || (islower((unsigned char)term[0]) && tolower((unsigned char)text[0]) == term[0]);
	if (!first || strncmp(text + 1, term + 1, n - 1) != 0)
		return 0;
	n += text[n] == 's';
	return isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '-' ? 0 : n;
}

int glossary_match_start(const char *text, size_t *length)
{
	int found = -1;
	*length = 0;
	for (int i = 0; i < ENTRIES; i++) {
		const char *rest = entries[i].terms, *term;
		size_t n;
		while ((term = take_term(&rest, &n))) {
			size_t bytes = match_whole_word(text, term, n);
			found = bytes > *length ? i : found;
			*length = bytes > *length ? bytes : *length;
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
