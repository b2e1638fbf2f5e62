/* Adds the reference of a point to its job. */
#include "base/buf.h"
#include "base/units.h"
#include "experiments/definition/native_permission.h"
#include "experiments/definition/point/point_job.h"
#include "kernels/reference/reference.h"

/* A point whose reference is added. */
struct referenced_point {
	const struct experiment *x;
	const double *values;
	const struct evaluation *v;
};

/* --- the kinds: what each adds --- */
static bool set_unknown_reference(const struct experiment *x, const char *name, struct err *e)
{
	const struct reference *list;
	const char *names[256];
	size_t count = reference_list(&list);
	for (size_t i = 0; i < count && i < 256; i++)
		names[i] = list[i].name;
	const char *near = find_nearest_name(name, names, count < 256 ? (int)count : 256);
	if (near)
		return definition_set_field_error(
			x, "reference", e, "unknown C reference '%s'; did you mean '%s'?", name, near);
	return definition_set_field_error(x, "reference", e,
		"unknown C reference '%s'; for a reference of your own write { kernel = \"%s\" }, { expect = ... } or { c = \"FILE.c\" }",
		name, name);
}

static bool add_reference_kernel(json_t *to, const struct referenced_point *p, struct err *e)
{
	const struct evaluated_reference *r = &p->v->reference;
	const struct job_kernel_values kernel = {r->file, r->defines, r->entry, "", false};
	const struct job_launch_values launch = {r->grid, r->block, r->lds};
	json_object_set_new(to, "line", json_integer(source_line_of(p->x->lua->lines, "reference")));
	return definition_add_kernel(to, p->x, "reference", &kernel, e) &&
		definition_add_launch(to, p->x, "reference", &launch, e);
}

/* The launch goes before a mistake in the functions: an access outside of a buffer is the more important message. */
static bool add_reference_expect(json_t *to, const struct referenced_point *p, struct err *e)
{
	struct err why = {.text = ""};
	json_t *expected = definition_eval_expected(p->x, p->values, p->v, &why);
	json_object_set_new(to, "expect", expected ? expected : json_array());
	if (!expected)
		json_object_set_new(to, "error", json_string(why.text));
	return expected || why.status != ST_INTERRUPTED || err_set(e, why.status, "%s", why.text);
}

static bool add_reference_c(json_t *to, const struct referenced_point *p, struct err *e)
{
	const struct evaluated_reference *r = &p->v->reference;
	struct buf source = {0};
	bool read = native_source_read(p->x, &source, e);
	json_t *text = read ? json_string(source.data) : NULL;
	buf_free(&source);
	if (!text)
		return read &&
			definition_set_field_error(
				p->x, "reference.c", e, "'%s' is not valid UTF-8; save it in that encoding", r->file);
	json_object_set_new(to, "c", json_string(r->file));
	json_object_set_new(to, "source", text);
	json_object_set_new(to, "entry", json_string(r->entry));
	json_object_set_new(to, "defines", json_string(r->defines));
	if (!is_c_identifier(r->entry))
		return definition_set_field_error(
			p->x, "reference.entry", e, "'%s' is not the name of a C function", r->entry);
	return definition_check_defines(p->x, "reference.defines", r->defines, e);
}

/* --- a reference --- */
static json_t *make_reference(const struct referenced_point *p, struct err *e)
{
	static bool (*const add[REFERENCE_KINDS])(json_t *, const struct referenced_point *, struct err *) = {
#define REFERENCE_KIND(id, member) [REFERENCE_##id] = add_reference_##member,
#include "gpu/protocol/reference/reference_kinds.def"
#undef REFERENCE_KIND
	};
	const struct evaluated_reference *r = &p->v->reference;
	if (r->kind == REFERENCE_NONE)
		return json_null();
	if (r->kind == REFERENCE_BUILT_IN)
		return reference_find(r->entry) ? json_string(r->entry)
						: (set_unknown_reference(p->x, r->entry, e), NULL);
	json_t *o = json_object();
	if (add[r->kind](o, p, e))
		return o;
	json_decref(o);
	return NULL;
}

bool definition_add_reference(json_t *job, const struct experiment *x, const double *values, const struct evaluation *v,
	bool verify, struct err *e)
{
	const struct referenced_point p = {x, values, v};
	bool wanted = verify && v->reference.kind != REFERENCE_NONE;
	json_t *reference = verify || v->reference.kind == REFERENCE_BUILT_IN ? make_reference(&p, e) : json_null();
	if (!reference)
		return false;
	json_object_set_new(job, "reference", reference);
	json_object_set_new(job, "verify",
		json_boolean(wanted || (verify && v->steps))); /* copies are verified without a reference */
	return true;
}
