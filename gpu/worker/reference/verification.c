#include "gpu/worker/reference/verification.h"

#include <stdio.h>

#include "gpu/worker/buffers/compare_buffers.h"
#include "gpu/worker/reference/native_reference.h"
#include "gpu/worker/reference/reference_call.h"

static bool skip_verification(struct verification *v, bool *wanted, const char *why)
{
	*wanted = false;
	snprintf(v->text, sizeof v->text, "%s%s", *why ? "not verified: " : "", why);
	return true;
}

static bool copy_buffers(struct verification *v, bool *wanted)
{
	return buffers_copy_to_host(v->b) || skip_verification(v, wanted, "not enough memory for host copies");
}

/* --- the kinds: what each does first --- */
static bool begin_none(struct verification *v, bool *wanted, struct err *e)
{
	(void)e;
	return skip_verification(v, wanted, "the experiment has no reference");
}

static bool begin_built_in(struct verification *v, bool *wanted, struct err *e)
{
	(void)e;
	const struct reference *r = reference_find(v->j->reference.name);
	if (!r)
		return skip_verification(v, wanted, "unknown reference");
	v->called = *r;
	return copy_buffers(v, wanted);
}

static bool begin_c(struct verification *v, bool *wanted, struct err *e)
{
	return native_reference_load(v->j, &v->called, e) && copy_buffers(v, wanted);
}

/* The host copies are the results of the reference, which has run. */
static bool begin_kernel(struct verification *v, bool *wanted, struct err *e)
{
	(void)wanted;
	(void)e;
	v->has_result = true;
	return true;
}

static bool begin_expect(struct verification *v, bool *wanted, struct err *e)
{
	return begin_kernel(v, wanted, e);
}

static const struct {
	bool (*begin)(struct verification *v, bool *wanted, struct err *e);
	bool (*compare)(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e);
	bool copies;
} kinds[REFERENCE_KINDS] = {
	[REFERENCE_NONE] = {begin_none, NULL, false},
	[REFERENCE_BUILT_IN] = {begin_built_in, buffers_compare, true},
	[REFERENCE_KERNEL] = {begin_kernel, buffers_compare, true},
	[REFERENCE_EXPECT] = {begin_expect, buffers_compare_expected, false},
	[REFERENCE_C] = {begin_c, buffers_compare, true},
};

bool verification_copies_buffers(const struct job *j)
{
	return j->verify && kinds[j->reference.kind].copies;
}

bool verification_begin(struct verification *v, bool *wanted, struct err *e)
{
	*wanted = v->j->verify;
	v->verdict = "none";
	return !v->j->verify || kinds[v->j->reference.kind].begin(v, wanted, e);
}

/* --- the launch --- */
void verification_compute(struct verification *v)
{
	void *vector[KERNEL_ARGS_MAX + 1], *room[KERNEL_ARGS_MAX + 1];
	struct arg_type types[KERNEL_ARGS_MAX + 1];
	struct err why;
	if (!v->called.call)
		return;
	buffers_build_args(v->b, true, vector, room);
	for (int i = 0; i < v->j->arg_count; i++)
		types[i] = v->j->args[i].type;
	v->has_result = reference_call(&v->called, &v->j->shape, types, vector, (size_t)v->j->arg_count, &why);
	if (!v->has_result)
		snprintf(v->text, sizeof v->text, "not verified: %.200s", why.text);
}

bool verification_compare(struct verification *v, struct err *e)
{
	const struct job_reference *r = &v->j->reference;
	size_t differences;
	if (r->error)
		return err_set(e, ST_REQUEST, "%s", r->error);
	if (!v->has_result)
		return true;
	if (!kinds[r->kind].compare(v->b, &differences, v->text, sizeof v->text, e))
		return false;
	v->verdict = differences ? "failed" : "ok";
	return true;
}
