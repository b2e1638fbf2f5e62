#include "kernels/inspect/sass/sass_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"

/* A name that branches use until all of the listing is read. */
struct label {
	const char *name;
	size_t length, line; /* of the instruction after it */
};

struct listing {
	struct sass_code *out;
	const char *kernel, *file;
	bool inside; /* between the kernel's name and the next section or function */
	int source_line;
	struct label *labels;
	size_t label_count;
};

static bool begins_with(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* nvdisasm: ".text.NAME:"; cuobjdump: "Function : NAME". */
static bool is_begin(const struct listing *l, const char *s, size_t n)
{
	const char *head = begins_with(s, "Function : ") ? "Function : " : ".text.", *end = *head == '.' ? ":" : "";
	size_t name = strlen(l->kernel), all = strlen(head) + name + strlen(end);
	return n == all && begins_with(s, head) && !strncmp(s + strlen(head), l->kernel, name);
}

static bool is_end(const char *s)
{
	return begins_with(s, ".section") || begins_with(s, "Function :") || begins_with(s, "//---");
}

/* `//## File "/a/add.hip", line 17`. Code of another file keeps the line before it. */
static void read_location(struct listing *l, const char *s)
{
	const char *name = strchr(s, '"'), *end = name ? strchr(name + 1, '"') : NULL;
	if (!end || !l->file || !begins_with(end + 1, ", line "))
		return;
	char *path = xasprintf("%.*s", (int)(end - name - 1), name + 1);
	if (!strcmp(path_basename(path), path_basename(l->file)))
		l->source_line = (int)strtol(end + strlen("\", line "), NULL, 10);
	free(path);
}

static void add_label(struct listing *l, const char *s, size_t n)
{
	l->labels = xrealloc(l->labels, (l->label_count + 1) * sizeof *l->labels);
	l->labels[l->label_count++] = (struct label){s, n, l->out->count};
}

/* The words of an encoding, the first at `at`: "/ * 0x0000000404047981 * /". */
static void store_encoding(const char *s, uint8_t *at)
{
	const char *hex = strstr(s, "/* 0x");
	uint64_t word = hex ? strtoull(hex + strlen("/* 0x"), NULL, 16) : 0;
	for (size_t k = 0; k < sizeof word; k++)
		at[k] = (uint8_t)(word >> 8 * k);
}

static void grow(struct sass_code *c)
{
	if (c->count & (c->count - 1)) /* room for the next power of two */
		return;
	size_t room = c->count ? 2 * c->count : 1;
	c->lines = xrealloc(c->lines, room * sizeof *c->lines);
	c->code = xrealloc(c->code, room * SASS_BYTES);
	c->source_line = xrealloc(c->source_line, room * sizeof *c->source_line);
}

/* "00a0", the offset, then the instruction up to ';'. */
static void add_instruction(struct listing *l, const char *s)
{
	struct sass_code *c = l->out;
	char *text;
	uint64_t offset = strtoull(s, &text, 16);
	if (!begins_with(text, "*/"))
		return;
	text += 2 + strspn(text + 2, " \t");
	size_t n = strcspn(text, ";\n");
	grow(c);
	struct kernel_line *line = &c->lines[c->count];
	*line = (struct kernel_line){.va = offset, .inst = {.op = OP_INVALID, .size = SASS_BYTES}};
	const char *after = text + n;
	while (n && text[n - 1] == ' ')
		n--;
	snprintf(line->text, sizeof line->text, "%.*s", (int)n, text);
	memset(c->code + c->count * SASS_BYTES, 0, SASS_BYTES);
	store_encoding(after, c->code + c->count * SASS_BYTES);
	c->source_line[c->count] = l->source_line;
	c->mapped |= l->source_line > 0;
	c->count++;
}

static void read_line(struct listing *l, const char *s, size_t n)
{
	if (!l->inside) {
		l->inside = is_begin(l, s, n) && !l->out->count;
		return;
	}
	if (is_end(s))
		l->inside = false;
	else if (begins_with(s, "//##"))
		read_location(l, s);
	else if (begins_with(s, "/* 0x") && l->out->count)
		store_encoding(s, l->out->code + l->out->count * SASS_BYTES - 8);
	else if (begins_with(s, "/*"))
		add_instruction(l, s + 2);
	else if (*s == '.' && n && s[n - 1] == ':')
		add_label(l, s, n - 1);
}

/* "BRA `(.L_x_1)" becomes "BRA 0xa0", as cuobjdump prints it. */
static void resolve_label(const struct listing *l, struct kernel_line *line)
{
	char *open = strstr(line->text, "`(");
	size_t n = open ? strcspn(open + 2, ")") : 0;
	for (size_t i = 0; open && i < l->label_count; i++) {
		const struct label *to = &l->labels[i];
		if (to->length != n || strncmp(to->name, open + 2, n) || to->line >= l->out->count)
			continue;
		snprintf(open, sizeof line->text - (size_t)(open - line->text), "0x%" PRIx64,
			l->out->lines[to->line].va);
		return;
	}
}

/* The last instructions: a branch to itself and NOPs after the end of the kernel. */
static void drop_padding(struct sass_code *c)
{
	uint64_t to;
	while (c->count && !strcmp(c->lines[c->count - 1].text, "NOP"))
		c->count--;
	if (c->count > 1 && sass_branch_target(c->lines[c->count - 1].text, &to) && to == c->lines[c->count - 1].va)
		c->count--;
}

bool sass_read_listing(const char *text, const char *kernel, const char *file, struct sass_code *out)
{
	struct listing l = {.out = out, .kernel = kernel, .file = file};
	*out = (struct sass_code){0};
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		s += strspn(s, " \t");
		size_t n = strcspn(s, "\n");
		read_line(&l, s, n);
	}
	for (size_t i = 0; i < out->count; i++)
		resolve_label(&l, &out->lines[i]);
	free(l.labels);
	drop_padding(out);
	listed_find_hot_loop(out->lines, out->count, &listed_sass, &out->loop_start, &out->loop_end);
	return out->count;
}

/* --- resources --- */
/* The number before `what` in a part of a text; 0: it does not say. */
static unsigned number_before(const char *from, const char *to, const char *what)
{
	const char *at = strstr(from, what);
	if (!at || at >= to)
		return 0;
	while (at > from && at[-1] == ' ')
		at--;
	while (at > from && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return (unsigned)strtoul(at, NULL, 10);
}

bool sass_read_resources(const char *text, struct kernel_info *k)
{
	char *head = xasprintf("entry function '%s'", k->name);
	const char *from = strstr(text, head), *to = from ? strstr(from + 1, "entry function '") : NULL;
	free(head);
	if (!from)
		return false;
	to = to ? to : from + strlen(from);
	k->vgprs = number_before(from, to, " registers");
	k->lds_bytes = number_before(from, to, " bytes smem");
	k->scratch_bytes = number_before(from, to, " bytes stack frame");
	return true;
}
