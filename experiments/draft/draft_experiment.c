#include "experiments/draft/draft_experiment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/paths.h"
#include "base/units.h"
#include "gpu/protocol/element_type.h"

enum { EXTENTS_MAX = 3, NAME_MAX_LENGTH = 31 };

/* A parameter of the kernel as an argument of the experiment. */
struct draft_argument {
	char name[64], type[40];
	const char *declared; /* as in the source */
	bool pointer, is_const, is_size, is_opaque /* a pointer to a type that experiments do not have */;
	bool is_float;
};

struct draft {
	const struct draft_kernel *k;
	struct draft_argument args[SIGNATURE_PARAMETERS];
	int count;
	char extents[EXTENTS_MAX][64]; /* the parameters whose product is the number of elements */
	int extent_count, size_count;
	struct buf *out;
};

/* --- arguments --- */
/* Names that kernels give to numbers of elements. */
static bool is_size_name(const char *name)
{
	static const char *const parts[] = {
		"size", "count", "len", "width", "height", "rows", "cols", "columns", "dim", "elem", "total", "num"};
	if (!strcasecmp(name, "n") || !strcasecmp(name, "m") || !strcasecmp(name, "nx") || !strcasecmp(name, "ny") ||
		!strcasecmp(name, "nz"))
		return true;
	if (*name == 'n' && (isupper((unsigned char)name[1]) || name[1] == '_'))
		return true;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcasestr(name, parts[i]))
			return true;
	return false;
}

static bool refuse_argument(const struct draft *d, int i, const char *why, struct err *e)
{
	const char *type = d->args[i].declared, *space = path_has_suffix(type, "*") ? "" : " ";
	return err_set(e, ST_REQUEST, "parameter %d of %s, '%s%s%s', %s", i + 1, d->k->name, type, space,
		d->args[i].name, why);
}

static bool read_value(struct draft *d, int i, const struct element_type *t, struct err *e)
{
	struct draft_argument *a = &d->args[i];
	if (!t && d->k->info->parameters[i].size == 4) {
		snprintf(a->type, sizeof a->type, "int"); /* such as an enumeration */
		return true;
	}
	if (!t || t->size != t->part)
		return refuse_argument(
			d, i, "is passed by value: an experiment passes numbers and buffers; put it in a buffer", e);
	snprintf(a->type, sizeof a->type, "%s", t->name);
	a->is_float = t->kind == ELEMENT_FLOAT;
	a->is_size = !a->is_float && t->size >= 4 && is_size_name(a->name);
	return true;
}

static bool read_pointer(struct draft *d, int i, const struct element_type *t, struct err *e)
{
	struct draft_argument *a = &d->args[i];
	const char *star = strchr(a->declared, '*'), *word = strstr(a->declared, "const");
	if (star && strchr(star + 1, '*'))
		return refuse_argument(d, i, "points to pointers: a buffer cannot hold them", e);
	a->is_const = word && star && word < star;
	a->is_opaque = !t || !strcmp(t->name, "void");
	a->is_float = t && t->kind == ELEMENT_FLOAT;
	snprintf(a->type, sizeof a->type, "%s", a->is_opaque ? "char" : t->name);
	return true;
}

static bool read_argument(struct draft *d, int i, struct err *e)
{
	const struct signature_parameter *p = &d->k->signature->list[i];
	struct draft_argument *a = &d->args[i];
	bool pointer;
	const struct element_type *t = element_type_parse(p->type, &pointer, NULL);
	*a = (struct draft_argument){.declared = p->type, .pointer = d->k->info->parameters[i].pointer};
	if (*p->name)
		snprintf(a->name, sizeof a->name, "%s", p->name);
	else
		snprintf(a->name, sizeof a->name, "arg%d", i + 1);
	if (strlen(a->name) > NAME_MAX_LENGTH)
		return refuse_argument(d, i, "has a name of more than 31 characters; shorten it", e);
	return a->pointer ? read_pointer(d, i, t, e) : read_value(d, i, t, e);
}

static bool read_arguments(struct draft *d, struct err *e)
{
	const struct kernel_info *info = d->k->info;
	d->count = d->k->signature->count;
	if (d->count != info->parameter_count || d->count > KERNEL_PARAMETERS_MAX)
		return err_set(e, ST_FAILED, "%s has %d parameters in its source and %d in its code", d->k->name,
			d->count, info->parameter_count);
	for (int i = 0; i < d->count; i++)
		if (!read_argument(d, i, e))
			return false;
	return true;
}

/* --- sizes --- */
/* As many as the launch has dimensions; a kernel with fewer sizes has squares, one without any gets one. */
static void choose_extents(struct draft *d)
{
	int dimensions = (int)d->k->info->dimensions;
	for (int i = 0; i < d->count; i++)
		if (d->args[i].is_size && d->size_count++ < EXTENTS_MAX)
			snprintf(d->extents[d->extent_count++], sizeof d->extents[0], "%s", d->args[i].name);
	if (!d->extent_count)
		snprintf(d->extents[d->extent_count++], sizeof d->extents[0], "size");
	while (d->extent_count < dimensions && d->extent_count < EXTENTS_MAX) {
		memcpy(d->extents[d->extent_count], d->extents[d->extent_count - 1], sizeof d->extents[0]);
		d->extent_count++;
	}
}

static int choose_size(const struct draft *d)
{
	static const int sizes[EXTENTS_MAX + 1] = {0, 16384, 128, 24};
	return sizes[d->extent_count];
}

/* --- text --- */
static bool is_lua_word(const char *name)
{
	static const char *const words[] = {
		"and", "end", "function", "in", "local", "nil", "not", "or", "repeat", "then", "until", "elseif", NULL};
	return name_list_index(name, words) >= 0;
}

static void put_key(struct buf *out, const char *name)
{
	buf_printf(out, is_lua_word(name) ? "[\"%s\"]" : "%s", name);
}

static void put_member(struct buf *out, const char *table, const char *name)
{
	buf_printf(out, is_lua_word(name) ? "%s[\"%s\"]" : "%s.%s", table, name);
}

static void put_elements(const struct draft *d)
{
	for (int i = 0; i < d->extent_count; i++) {
		buf_puts(d->out, i ? " * " : "");
		put_member(d->out, "p", d->extents[i]);
	}
}

static void put_param(const struct draft *d, const char *id, bool swept)
{
	int size = choose_size(d);
	buf_printf(d->out, "    { \"%s\", min = 1, max = 2^24, step = \"x2\", default = %d", id, size);
	if (swept)
		buf_printf(d->out, ", sweep = { %d, %d }", size / 4, size * 4);
	buf_puts(d->out, " }, -- guess: how many elements\n");
}

static void put_params(const struct draft *d)
{
	buf_puts(d->out, "  params = {\n");
	if (!d->size_count)
		put_param(d, "size", true);
	for (int i = 0, sizes = 0; i < d->count; i++)
		if (d->args[i].is_size)
			put_param(d, d->args[i].name, !sizes++);
	buf_puts(d->out, "  },\n");
}

static const char *choose_fill(const struct draft_argument *a)
{
	return !a->is_const || a->is_opaque ? "0" : a->is_float ? "\"random\"" : "\"index\"";
}

static void put_buffers(const struct draft *d)
{
	buf_puts(d->out, "  buffers = { -- guess: an element for each work-item\n");
	for (int i = 0; i < d->count; i++) {
		const struct draft_argument *a = &d->args[i];
		if (!a->pointer)
			continue;
		buf_puts(d->out, "    ");
		put_key(d->out, a->name);
		buf_printf(d->out, " = { type = \"%s\", count = function(p) return %s", a->type,
			a->is_opaque ? "16 * " : "");
		put_elements(d);
		buf_printf(d->out, " end, fill = %s },", choose_fill(a));
		buf_printf(d->out, a->is_opaque ? " -- guess: bytes of %s\n" : "\n", a->declared);
	}
	buf_puts(d->out, "  },\n");
}

static void put_args(const struct draft *d)
{
	buf_puts(d->out, "  args = { ");
	for (int i = 0; i < d->count; i++) {
		const struct draft_argument *a = &d->args[i];
		buf_printf(d->out, "%s\"%s%s %s%s\"", i ? ", " : "", a->is_const ? "const " : "", a->type,
			a->pointer ? "*" : "", a->name);
	}
	buf_puts(d->out, " },\n");
}

/* Scalars that are not sizes. */
static void put_values(const struct draft *d)
{
	int n = 0;
	for (int i = 0; i < d->count; i++) {
		const struct draft_argument *a = &d->args[i];
		if (a->pointer || a->is_size)
			continue;
		buf_puts(d->out, n++ ? ", " : "  values = function(p) return { ");
		put_key(d->out, a->name);
		buf_puts(d->out, " = 1");
	}
	buf_puts(d->out, n ? " } end, -- guesses\n" : "");
}

static void put_blocks(const struct draft *d, const char *extent, unsigned block)
{
	buf_puts(d->out, "(");
	put_member(d->out, "p", extent);
	buf_printf(d->out, " + %u) // %u", block - 1, block);
}

/* In each dimension that the kernel asks for; the block has at most what it was compiled for. */
static void put_launch(const struct draft *d)
{
	static const unsigned blocks[EXTENTS_MAX + 1][EXTENTS_MAX] = {{0}, {256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
	unsigned n = d->k->info->dimensions, most = d->k->info->block_most;
	const unsigned *block = blocks[n], first = n == 1 && most && most < 256 ? most : block[0];
	buf_puts(d->out, "  launch = { grid = function(p) return ");
	if (n == 1) {
		buf_puts(d->out, "(");
		put_elements(d);
		buf_printf(d->out, " + %u) // %u end, block = %u }, -- guess\n", first - 1, first, first);
		return;
	}
	buf_puts(d->out, "{ ");
	for (unsigned i = 0; i < n; i++) {
		buf_puts(d->out, i ? ", " : "");
		put_blocks(d, d->extents[i], block[i]);
	}
	buf_printf(d->out, " } end, block = { %u, %u", block[0], block[1]);
	buf_printf(d->out, n == 3 ? ", %u } }, -- guess\n" : " } }, -- guess\n", block[2]);
}

/* A line to fill in: what a kernel computes is not in its parameters. */
static void put_reference(const struct draft *d)
{
	int n = 0;
	buf_puts(d->out,
		"  -- What is right? A function for each buffer that the kernel writes makes the results verified:\n");
	for (int i = 0; i < d->count; i++) {
		if (!d->args[i].pointer || d->args[i].is_const)
			continue;
		buf_puts(d->out, n++ ? ", " : "  -- reference = { expect = { ");
		put_key(d->out, d->args[i].name);
		buf_puts(d->out, " = function(i, inputs, p) return 0 end");
	}
	buf_puts(d->out, n ? " } },\n" : "  -- reference = { kernel = \"SIMPLER_KERNEL\" },\n");
}

bool draft_experiment_write(const struct draft_kernel *k, struct buf *out, struct err *e)
{
	struct draft d = {.k = k, .out = out};
	if (!read_arguments(&d, e))
		return false;
	choose_extents(&d);
	buf_printf(out, "-- Written by `wavedeck new` from the parameters of %s. Guesses are marked.\n%sreturn {\n",
		k->name, k->comments);
	buf_printf(out, "  title = \"%.90s\",\n  kernel = { file = \"%s\", entry = \"%s\" },\n", k->name, k->file,
		k->info->name);
	put_params(&d);
	put_buffers(&d);
	put_args(&d);
	put_values(&d);
	put_launch(&d);
	put_reference(&d);
	buf_puts(out, "  metrics = { { \"time\", unit = \"us\", function(m) return m.seconds * 1e6 end } },\n}\n");
	return true;
}
