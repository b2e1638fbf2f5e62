#include "gpu/worker/buffers/compare_buffers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/min_max.h"
#include "base/units.h"

enum { NAMED_MAX = 3 /* components that differ, of a buffer */ };

/* The result of a comparison so far. */
struct verdict {
	size_t differences;
	double worst;
	char *text;
	size_t size, named; /* named: components of the current buffer in `text` */
};

static void add_text(struct verdict *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_text(struct verdict *v, const char *fmt, ...)
{
	size_t n = strlen(v->text);
	va_list ap;
	if (n && n < v->size - 2)
		n += (size_t)snprintf(v->text + n, v->size - n, "; ");
	va_start(ap, fmt);
	vsnprintf(v->text + n, v->size - n, fmt, ap);
	va_end(ap);
}

/* Components of a buffer, and where they are in it: from one on, or at the listed elements. */
struct compared {
	const struct job_buffer *buffer;
	const char *got, *wanted;
	size_t count, from;
	const size_t *at; /* NULL: they follow each other */
};

/* "out[3]", or "out[3].y" of a vector. */
static void name_component(const struct compared *c, size_t i, char *out, size_t size)
{
	size_t parts = c->buffer->type->size / c->buffer->type->part;
	size_t element = c->at ? c->at[i / parts] : (c->from + i) / parts, part = (c->at ? i : c->from + i) % parts;
	int n = snprintf(out, size, "%s[%zu]", c->buffer->name, element);
	if (parts > 1 && n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, ".%c", "xyzw"[part]);
}

static void add_difference(struct verdict *v, const struct compared *c, size_t i)
{
	char name[80], a[40], b[40];
	size_t part = c->buffer->type->part;
	name_component(c, i, name, sizeof name);
	add_text(v, "%s is %s, expected %s", name, element_type_print(c->buffer->type, c->got + i * part, a, sizeof a),
		element_type_print(c->buffer->type, c->wanted + i * part, b, sizeof b));
}

static void name_wrong(struct verdict *v, const struct compared *c, size_t first)
{
	const struct job_buffer *b = c->buffer;
	if (!v->differences)
		*v->text = 0; /* the largest difference that was allowed */
	for (size_t i = first; v->named < NAMED_MAX && i < c->count; v->named++) {
		add_difference(v, c, i);
		i = element_type_find_wrong(b->type, c->got, c->wanted, i + 1, c->count, &b->tolerance);
	}
}

/* The largest difference within the tolerance: its size, and in units in the last place. */
static void describe_worst(struct verdict *v, const struct compared *c, size_t i)
{
	char difference[40];
	const struct element_type *t = c->buffer->type;
	const char *got = c->got + i * t->part, *wanted = c->wanted + i * t->part;
	*v->text = 0;
	add_difference(v, c, i);
	number_format_exact(
		difference, sizeof difference, fabs(element_type_load(t, got) - element_type_load(t, wanted)));
	add_text(v, "the largest difference, %.12s or %.0f ulp, is within the tolerance", difference,
		element_type_ulps(t, got, wanted));
}

/* Returns how many are wrong. */
static size_t add_comparison(struct verdict *v, struct buffers *b, int i, const struct compared *c)
{
	struct compare_result r =
		element_type_compare(c->buffer->type, c->got, c->wanted, c->count, &c->buffer->tolerance);
	b->difference[i].unequal += r.unequal;
	b->difference[i].ulp = fmax(b->difference[i].ulp, r.ulps);
	if (r.wrong)
		name_wrong(v, c, r.first);
	v->differences += r.wrong;
	if (!v->differences && r.worst > v->worst) {
		v->worst = r.worst;
		describe_worst(v, c, r.worst_at);
	}
	return r.wrong;
}

static void count_wrong(struct verdict *v, size_t wrong, size_t compared)
{
	if (wrong)
		add_text(v, "%zu of %zu differ%s", wrong, compared, wrong == 1 ? "s" : "");
	v->named = 0;
}

static bool compare_one(struct buffers *b, int i, void *room, struct verdict *v, struct err *e)
{
	const struct job_buffer *buffer = &b->job->buffers[i];
	size_t part = buffer->type->part, wrong = 0;
	for (size_t at = 0; at < buffer->bytes; at += BUFFERS_CHUNK) {
		size_t n = min_u64(BUFFERS_CHUNK, buffer->bytes - at);
		if (!b->rt->read(b->device, room, (char *)b->on_device[i] + at, n, e))
			return false;
		struct compared c = {buffer, room, (const char *)b->on_host[i] + at, n / part, at / part, NULL};
		wrong += add_comparison(v, b, i, &c);
	}
	count_wrong(v, wrong, buffer->bytes / part);
	return true;
}

static struct verdict begin_comparison(struct buffers *b, char *text, size_t size)
{
	memset(b->difference, 0, sizeof b->difference);
	*text = 0;
	return (struct verdict){.text = text, .size = size};
}

bool buffers_compare(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e)
{
	void *room = buffers_chunk(b->job);
	struct verdict v = begin_comparison(b, text, size);
	bool ok = true;
	buffers_expect_addresses(b);
	for (int i = 0; ok && i < b->job->buffer_count; i++)
		ok = compare_one(b, i, room, &v, e);
	*differences = v.differences;
	b->compared = ok;
	return ok;
}

/* --- some elements --- */
/* Reads the listed elements, by whole chunks. */
static bool read_elements(struct buffers *b, const struct expected_elements *x, char *to, struct err *e)
{
	const struct job_buffer *buffer = &b->job->buffers[x->buffer];
	size_t size = buffer->type->size, next = 0;
	char *room = buffers_chunk(b->job);
	for (size_t at = 0; next < x->count && at < buffer->bytes; at += BUFFERS_CHUNK) {
		size_t n = min_u64(BUFFERS_CHUNK, buffer->bytes - at);
		if (x->at[next] * size >= at + n)
			continue;
		if (!b->rt->read(b->device, room, (char *)b->on_device[x->buffer] + at, n, e))
			return false;
		for (; next < x->count && x->at[next] * size < at + n; next++)
			memcpy(to + next * size, room + (x->at[next] * size - at), size);
	}
	return true;
}

static void count_compared(struct verdict *v, const struct job_buffer *buffer, size_t compared)
{
	if (compared < buffer->count)
		add_text(v, "%zu of %zu elements of %s were compared", compared, buffer->count, buffer->name);
}

static bool compare_elements(struct buffers *b, const struct expected_elements *x, struct verdict *v, struct err *e)
{
	const struct job_buffer *buffer = &b->job->buffers[x->buffer];
	size_t parts = buffer->type->size / buffer->type->part;
	char *got = xmalloc(x->count * buffer->type->size);
	bool ok = read_elements(b, x, got, e);
	if (ok) {
		struct compared c = {buffer, got, x->values, x->count * parts, 0, x->at};
		count_wrong(v, add_comparison(v, b, x->buffer, &c), x->count * parts);
	}
	free(got);
	return ok;
}

bool buffers_compare_expected(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e)
{
	const struct job_reference *r = &b->job->reference;
	struct verdict v = begin_comparison(b, text, size);
	bool ok = true;
	for (int i = 0; ok && i < r->expected_count; i++)
		ok = compare_elements(b, &r->expected[i], &v, e);
	for (int i = 0; ok && i < r->expected_count; i++)
		count_compared(&v, &b->job->buffers[r->expected[i].buffer], r->expected[i].count);
	*differences = v.differences;
	b->compared = ok;
	return ok;
}
