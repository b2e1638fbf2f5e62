#include "gpu/protocol/argument_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { SIGNATURE_MAX = 150 /* characters of a signature that are shown */ };

struct check {
	const struct job *j;
	const struct kernel_info *k;
	char *types[KERNEL_PARAMETERS_MAX]; /* of the kernel's parameters; owned */
	int type_count;                     /* 0: unknown */
};

/* --- the kernel's types --- */
/* Splits at the commas that are not within brackets. */
static void split_types(struct check *c, const char *types)
{
	int depth = 0;
	const char *start = types;
	for (const char *s = types; types && *types && c->type_count < KERNEL_PARAMETERS_MAX; s++) {
		depth += (*s && strchr("(<[", *s)) - (*s && strchr(")>]", *s));
		if (*s && (*s != ',' || depth))
			continue;
		start += strspn(start, " ");
		c->types[c->type_count++] = xasprintf("%.*s", (int)(s - start), start);
		start = s + 1;
		if (!*s)
			break;
	}
}

static void free_types(struct check *c)
{
	for (int i = 0; i < c->type_count; i++)
		free(c->types[i]);
}

/* The type if it is one that definitions can declare; otherwise .type is NULL. */
static struct arg_type known_type(const char *text)
{
	struct arg_type t = {0};
	t.type = element_type_parse(text, &t.pointer, NULL);
	return t;
}

static size_t declared_size(const struct job_arg *a)
{
	return a->type.pointer ? 8 : a->type.type->size;
}

/* --- signatures --- */
static void add_kernel_parameter(struct buf *out, const struct check *c, int i)
{
	if (i < c->type_count)
		buf_printf(out, "%s", c->types[i]);
	else
		buf_printf(
			out, "%u-byte %s", c->k->parameters[i].size, c->k->parameters[i].pointer ? "pointer" : "value");
}

static void add_declared_argument(struct buf *out, const struct check *c, int i)
{
	const char *type = c->j->args[i].declared, *name = c->j->args[i].name;
	size_t n = strlen(type);
	buf_printf(out, "%s%s%s", type, *name && n && type[n - 1] != '*' ? " " : "", name);
}

/* "(const int *from, int stride)"; if it is too long, "(..., int stride, ...)" with the argument `which`. */
static char *format_signature(
	const struct check *c, int count, int which, void (*add)(struct buf *, const struct check *, int))
{
	struct buf all = {0}, one = {0};
	for (int i = 0; i < count; i++) {
		buf_printf(&all, "%s", i ? ", " : "");
		add(&all, c, i);
	}
	if (which < count)
		add(&one, c, which);
	char *out = all.len <= SIGNATURE_MAX ? xasprintf("(%s)", all.len ? all.data : "")
		: one.len ? xasprintf("(%s%s%s)", which ? "..., " : "", one.data, which + 1 < count ? ", ..." : "")
			  : xasprintf("(%d arguments)", count);
	buf_free(&all);
	buf_free(&one);
	return out;
}

/* --- comparison --- */
static int shown_parameters(const struct kernel_info *k)
{
	return k->parameter_count < KERNEL_PARAMETERS_MAX ? k->parameter_count : KERNEL_PARAMETERS_MAX;
}

static bool set_mismatch(const struct check *c, int which, const char *what, struct err *e)
{
	const struct job *j = c->j;
	int line = which < j->arg_count && j->args[which].line ? j->args[which].line : j->args_line;
	char where[DEFINITION_PLACE];
	job_format_place(j, line, where);
	char *takes = format_signature(c, shown_parameters(c->k), which, add_kernel_parameter);
	char *declares = format_signature(c, j->arg_count, which, add_declared_argument);
	err_set(e, ST_REQUEST, "%skernel %s takes %s, but args declares %s: %s", where, c->k->name, takes, declares,
		what);
	free(takes);
	free(declares);
	return false;
}

static bool check_count(const struct check *c, struct err *e)
{
	int takes = c->k->parameter_count, declared = c->j->arg_count, which = takes < declared ? takes : declared;
	char what[120];
	if (takes == declared)
		return true;
	snprintf(what, sizeof what, "%d argument%s instead of %d; %s", declared, declared == 1 ? "" : "s", takes,
		declared < takes ? "add the others" : "remove the others");
	return set_mismatch(c, which, what, e);
}

static const char *kind_name(bool pointer)
{
	return pointer ? "a pointer" : "a value";
}

static bool check_kind_and_size(const struct check *c, int i, struct err *e)
{
	const struct kernel_parameter *p = &c->k->parameters[i];
	const struct job_arg *a = &c->j->args[i];
	char what[200];
	if (p->pointer != a->type.pointer && !p->any_kind)
		snprintf(what, sizeof what, "argument %d '%s' is %s in the kernel and %s in args; fix the type", i + 1,
			a->name, kind_name(p->pointer), kind_name(a->type.pointer));
	else if (p->size != declared_size(a))
		snprintf(what, sizeof what,
			"argument %d '%s' has %u byte%s in the kernel and %zu in args; fix the type", i + 1, a->name,
			p->size, p->size == 1 ? "" : "s", declared_size(a));
	else
		return true;
	return set_mismatch(c, i, what, e);
}

static bool is_bytes(const struct element_type *t)
{
	return t->size == 1;
}

/* Whether the same bytes mean the same in both types, apart from the sign. Pointers to bytes may point to anything. */
static bool means_the_same(const struct arg_type *a, const struct arg_type *b)
{
	if (a->pointer && (is_bytes(a->type) || is_bytes(b->type)))
		return true;
	return a->type->part == b->type->part && (a->type->kind == ELEMENT_FLOAT) == (b->type->kind == ELEMENT_FLOAT);
}

static bool check_meaning(const struct check *c, int i, struct err *e)
{
	char what[200];
	struct arg_type t = i < c->type_count ? known_type(c->types[i]) : (struct arg_type){0};
	const struct job_arg *a = &c->j->args[i];
	if (!t.type || t.pointer != a->type.pointer || means_the_same(&t, &a->type))
		return true;
	snprintf(what, sizeof what, "argument %d '%s' %s %s in the kernel and %s in args; fix the type", i + 1, a->name,
		t.pointer ? "points to" : "is", t.type->name, a->type.type->name);
	return set_mismatch(c, i, what, e);
}

bool arguments_check(const struct job *j, const struct kernel_info *k, const char *types, struct err *e)
{
	struct check c = {.j = j, .k = k};
	split_types(&c, types);
	if (c.type_count != k->parameter_count) {
		free_types(&c);
		c.type_count = 0;
	}
	bool ok = check_count(&c, e);
	for (int i = 0; ok && i < j->arg_count; i++)
		ok = check_kind_and_size(&c, i, e);
	for (int i = 0; ok && i < j->arg_count; i++)
		ok = check_meaning(&c, i, e);
	free_types(&c);
	return ok;
}
