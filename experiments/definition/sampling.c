#include "experiments/definition/sampling.h"

#include <stdio.h>
#include <string.h>

#include "gpu/protocol/header_record.h"

bool sampling_read_stop(const char *text, struct sampling *s, struct err *e)
{
	s->entropy = text && !strcmp(text, "entropy");
	return !text || s->entropy || !strcmp(text, "interval") ||
		err_set(e, ST_REQUEST, "--stop is interval or entropy, not '%.40s'", text);
}

void sampling_add_to_header(const struct sampling *s, json_t *header)
{
	if (!s->flush_l2 && !s->entropy)
		return;
	json_t *o = json_object();
	if (s->flush_l2)
		json_object_set_new(o, "flush_l2", json_true());
	if (s->entropy)
		json_object_set_new(o, "stop", json_string("entropy"));
	json_object_set_new(header, "sampling", o);
}

void sampling_add_to_job(const struct sampling *s, json_t *job)
{
	json_t *samples = json_object_get(job, "samples");
	if (s->flush_l2)
		json_object_set_new(job, "flush_l2", json_true());
	if (s->entropy && samples)
		json_object_set_new(samples, "rule", json_string("entropy"));
}

struct sampling sampling_from_header(const json_t *header)
{
	const json_t *o = header_get_sampling(header);
	return (struct sampling){
		json_is_true(json_object_get(o, "flush_l2")), !strcmp(record_get_text(o, "stop"), "entropy")};
}

char *sampling_format_difference(const struct sampling *s, const struct sampling *other, char *out, size_t size)
{
	bool l2 = s->flush_l2 != other->flush_l2, stop = s->entropy != other->entropy;
	snprintf(out, size, "%s%s%s", l2 ? (s->flush_l2 ? "L2 emptied" : "L2 kept") : "", l2 && stop ? ", " : "",
		stop ? (s->entropy ? "stop entropy" : "stop interval") : "");
	return out;
}

char *sampling_format_words(const struct sampling *s, char *out, size_t size)
{
	return sampling_format_difference(s, &(struct sampling){0}, out, size);
}

bool sampling_is_same(const struct sampling *a, const struct sampling *b)
{
	return a->flush_l2 == b->flush_l2 && a->entropy == b->entropy;
}
