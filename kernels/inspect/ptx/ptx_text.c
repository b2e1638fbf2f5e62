#include "kernels/inspect/ptx/ptx_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* --- words: a name, a directive, a number, or one other character --- */
struct word {
	const char *at;
	size_t length;
};

static const char *skip_blanks(const char *s)
{
	for (;;) {
		s += strspn(s, " \t\r\n");
		if (!strncmp(s, "//", 2))
			s += strcspn(s, "\n");
		else if (!strncmp(s, "/*", 2) && strstr(s + 2, "*/"))
			s = strstr(s + 2, "*/") + 2;
		else
			return s;
	}
}

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_$%.", c));
}

/* Moves *s past the next word; at the end of the text its length is 0. */
static struct word next_word(const char **s)
{
	struct word w = {skip_blanks(*s), 0};
	while (is_word_character(w.at[w.length]))
		w.length++;
	if (*w.at == '"') { /* names of files have any characters */
		const char *end = strchr(w.at + 1, '"');
		w.length = end ? (size_t)(end + 1 - w.at) : strlen(w.at);
	} else if (!w.length && *w.at) {
		w.length = 1;
	}
	*s = w.at + w.length;
	return w;
}

static bool word_is(struct word w, const char *text)
{
	return w.length == strlen(text) && !memcmp(w.at, text, w.length);
}

bool ptx_is_text(const char *data, size_t size)
{
	const char *end = memchr(data, 0, size);
	if (end || !size || (*data != '/' && *data != '.' && !isspace((unsigned char)*data)))
		return false;
	char *head = xasprintf("%.*s", (int)(size < 4096 ? size : 4096), data);
	const char *s = head;
	bool yes = word_is(next_word(&s), ".version");
	free(head);
	return yes;
}

/* --- a kernel --- */
/* Of a type: ".u64" has 8 bytes, ".pred" none. */
static unsigned type_bytes(struct word w)
{
	return w.length >= 3 && w.at[0] == '.' && strchr("busf", w.at[1]) && isdigit((unsigned char)w.at[2])
		? (unsigned)strtoul(w.at + 2, NULL, 10) / 8
		: 0;
}

static void add_parameter(struct kernel_info *k, struct kernel_parameter p, unsigned align)
{
	align = align ? align : p.size ? p.size : 1;
	k->kernarg_bytes = (k->kernarg_bytes + align - 1) / align * align;
	p.offset = k->kernarg_bytes;
	k->kernarg_bytes += p.size;
	if (k->parameter_count < KERNEL_PARAMETERS_MAX)
		k->parameters[k->parameter_count] = p;
	k->parameter_count++;
}

/* ".param .align 8 .b8 name[24]", ".param .u64 .ptr .global .align 4 name", up to the comma or parenthesis. */
static struct word read_parameter(struct kernel_info *k, const char **s)
{
	struct kernel_parameter p = {0};
	struct word w = next_word(s);
	unsigned align = 0, pointee = 0;
	for (; w.length && !word_is(w, ",") && !word_is(w, ")"); w = next_word(s)) {
		if (word_is(w, ".align"))
			*(p.pointer ? &pointee : &align) = (unsigned)strtoul(next_word(s).at, NULL, 10);
		else if (word_is(w, ".ptr"))
			p.pointer = true;
		else if (word_is(w, "["))
			p.size *= (unsigned)strtoul(next_word(s).at, NULL, 10);
		else if (type_bytes(w))
			p.size = type_bytes(w);
	}
	p.any_kind = p.size == 8 && !p.pointer;
	p.pointer |= p.any_kind;
	if (p.size)
		add_parameter(k, p, align);
	return w;
}

/* "256, 1, 1" */
static unsigned read_product(const char **s)
{
	unsigned long product = 1;
	for (;;) {
		product *= strtoul(next_word(s).at, NULL, 10);
		const char *after = *s;
		if (!word_is(next_word(&after), ","))
			return (unsigned)product;
		*s = after;
	}
}

/* From the name to the brace before the instructions. */
static void read_kernel(struct kernel_info *k, const char **s)
{
	struct word w = next_word(s);
	k->name = xasprintf("%.*s", (int)w.length, w.at);
	k->wave_size = 32;
	k->dimensions = 3;
	while ((w = next_word(s)).length && !word_is(w, "{") && !word_is(w, ";")) {
		if (word_is(w, "("))
			while (word_is(read_parameter(k, s), ","))
				;
		else if (word_is(w, ".maxntid") || word_is(w, ".reqntid"))
			k->block_most = read_product(s);
	}
}

size_t ptx_list_kernels(const char *text, struct kernel_info **list)
{
	size_t count = 0;
	char arch[sizeof(*list)->arch] = "";
	const char *s = text;
	*list = NULL;
	for (struct word w; (w = next_word(&s)).length;) {
		if (word_is(w, ".target")) {
			w = next_word(&s);
			snprintf(arch, sizeof arch, "%.*s", (int)w.length, w.at);
		}
		if (!word_is(w, ".entry"))
			continue;
		*list = xrealloc(*list, (count + 1) * sizeof **list);
		struct kernel_info *k = &(*list)[count++];
		*k = (struct kernel_info){0};
		strcpy(k->arch, arch);
		read_kernel(k, &s);
		kernel_compute_occupancy(k, k->wave_size);
	}
	return count;
}
