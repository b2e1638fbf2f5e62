#include "base/vendor/vendor_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const struct {
	const char *amd, *nvidia;
} words[] = {
#define VENDOR_WORD(amd, nvidia) {amd, nvidia},
#include "base/vendor/vendor_words.def"
#undef VENDOR_WORD
};

bool vendor_is_nvidia(const char *arch)
{
	return arch && !strncmp(arch, "sm", 2) && (!arch[2] || arch[2] == '_');
}

const char *vendor_unit(const char *arch, const char *unit)
{
	for (size_t i = 0; vendor_is_nvidia(arch) && i < sizeof words / sizeof *words; i++)
		if (!strcmp(unit, words[i].amd))
			return words[i].nvidia;
	return unit;
}

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* At the begin of a word; the first letter of a lower-case word may be a capital. */
static bool has_word(const char *at, const char *word)
{
	size_t n = strlen(word);
	bool first = *at == *word || (islower((unsigned char)*word) && *at == toupper((unsigned char)*word));
	return first && !strncmp(at + 1, word + 1, n - 1) && !is_in_word(at[n]);
}

static bool names_amd(const char *text)
{
	static const char *const names[] = {"AMD", "RDNA", "CDNA", "GCN", "WGP", "WGPs", "SGPR", "SGPRs"};
	for (const char *s = text; *s; s++) {
		if (s > text && is_in_word(s[-1]))
			continue;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (has_word(s, names[i]))
				return true;
		if (!strncmp(s, "gfx", 3))
			return true;
	}
	return false;
}

/* Adds the word for the one at `s`; returns the length of that one, 0: it is the same for both. */
static size_t add_word(struct buf *out, const char *s)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!has_word(s, words[i].amd))
			continue;
		const char *to = words[i].nvidia;
		bool capital = isupper((unsigned char)*s) && (!out->len || islower((unsigned char)*words[i].amd));
		buf_printf(out, "%c%s", capital ? toupper((unsigned char)*to) : *to, to + 1);
		return strlen(words[i].amd);
	}
	return 0;
}

char *vendor_words_apply(const char *arch, char *text, size_t size)
{
	struct buf out = {0};
	if (!vendor_is_nvidia(arch) || !*text || names_amd(text))
		return text;
	for (const char *s = text; *s;) {
		size_t n = s > text && is_in_word(s[-1]) ? 0 : add_word(&out, s);
		if (!n)
			buf_printf(&out, "%c", *s);
		s += n ? n : 1;
	}
	snprintf(text, size, "%s", out.data);
	buf_free(&out);
	return text;
}
