/* Reads and checks a job record. */
#include "gpu/protocol/job_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"

static const char *read_text_or_null(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static double read_number_or(const json_t *o, const char *key, double fallback)
{
	const json_t *v = json_object_get(o, key);
	return json_is_number(v) ? json_number_value(v) : fallback;
}

static void parse_tolerance(const json_t *v, struct compare_tolerance *out)
{
	if (json_is_number(v))
		*out = (struct compare_tolerance){json_number_value(v), json_number_value(v), 0};
	else if (json_is_object(v))
		*out = (struct compare_tolerance){read_number_or(v, "relative", 0), read_number_or(v, "absolute", 0),
			read_number_or(v, "ulp", 0)};
}

static bool read_flag_or(const json_t *o, const char *key, bool fallback)
{
	const json_t *v = json_object_get(o, key);
	return json_is_boolean(v) ? json_is_true(v) : fallback;
}

/* --- buffers --- */
static bool parse_buffer(const json_t *o, const json_t *tolerance, struct job_buffer *b, struct err *e)
{
	bool pointer;
	double count = read_number_or(o, "count", -1);
	b->name = read_text_or_null(o, "name");
	if (!b->name || !read_text_or_null(o, "type"))
		return err_set(e, ST_REQUEST, "a buffer of the job lacks a name or a type");
	b->type = element_type_parse(read_text_or_null(o, "type"), &pointer, e);
	if (!b->type)
		return false;
	if (count < 1 || count > 0x1p40)
		return err_set(e, ST_REQUEST, "the buffer %s has %.0f elements; at least 1 is needed", b->name, count);
	b->count = (size_t)count;
	b->bytes = b->count * b->type->size;
	parse_tolerance(tolerance, &b->tolerance);
	parse_tolerance(json_object_get(o, "tolerance"), &b->tolerance);
	return fill_parse(b->type, json_object_get(o, "fill"), b->bytes / b->type->part, &b->fill, e);
}

static bool parse_buffers(const json_t *o, struct job *j, struct err *e)
{
	const json_t *list = json_object_get(o, "buffers"), *tolerance = json_object_get(o, "tolerance");
	if (json_array_size(list) > BUFFERS_MAX)
		return err_set(
			e, ST_REQUEST, "%zu buffers; at most %d are supported", json_array_size(list), BUFFERS_MAX);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!parse_buffer(json_array_get(list, i), tolerance, &j->buffers[j->buffer_count++], e))
			return false;
	return true;
}

int job_find_buffer(const struct job *j, const char *name)
{
	for (int i = 0; i < j->buffer_count; i++)
		if (!strcmp(j->buffers[i].name, name))
			return i;
	return -1;
}

/* --- arguments --- */
static bool points_to_const(const char *declared)
{
	const char *word = strstr(declared, "const"), *star = strchr(declared, '*');
	return word && star && word < star;
}

static bool parse_arg(const json_t *o, struct job *j, struct job_arg *a, struct err *e)
{
	const char *type = read_text_or_null(o, "type"), *buffer = read_text_or_null(o, "buffer");
	int number = (int)(a - j->args) + 1;
	a->type.type = element_type_parse(type ? type : "", &a->type.pointer, e);
	a->buffer = -1;
	a->declared = type ? type : "";
	a->name = record_get_text(o, "name");
	a->line = (int)read_number_or(o, "line", 0);
	if (!a->type.type)
		return false;
	if (a->type.pointer != (buffer != NULL))
		return err_set(e, ST_REQUEST, "argument %d (%s) needs a %s", number, type, buffer ? "value" : "buffer");
	if (!buffer) {
		struct err why;
		return element_type_store(a->type.type, json_object_get(o, "value"), a->value, &why) ||
			err_set(e, ST_REQUEST, "argument %d: %s", number, why.text);
	}
	a->buffer = job_find_buffer(j, buffer);
	if (a->buffer < 0)
		return err_set(e, ST_REQUEST, "argument %d: unknown buffer '%s'", number, buffer);
	j->buffers[a->buffer].written |= !points_to_const(type);
	return true;
}

static bool parse_args(const json_t *list, struct job *j, struct err *e)
{
	if (json_array_size(list) > KERNEL_ARGS_MAX)
		return err_set(e, ST_REQUEST, "%zu arguments; at most %d are supported", json_array_size(list),
			KERNEL_ARGS_MAX);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!parse_arg(json_array_get(list, i), j, &j->args[j->arg_count++], e))
			return false;
	return true;
}

/* --- launch --- */
static bool parse_shape(const json_t *o, const char *key, uint32_t out[3], struct err *e)
{
	const json_t *v = json_object_get(o, key);
	for (size_t i = 0; i < 3; i++) {
		double n = json_is_number(v) && i == 0 ? json_number_value(v)
			: i < json_array_size(v)       ? json_number_value(json_array_get(v, i))
						       : 1;
		if (n < 1 || n > UINT32_MAX || n != (double)(uint32_t)n)
			return err_set(e, ST_REQUEST, "%s dimension %zu is %g; it must be a whole number, at least 1",
				key, i + 1, n);
		out[i] = (uint32_t)n;
	}
	return true;
}

/* They are counted with 64 bits, and progress is a number of JSON. */
#define WORKGROUPS_MAX 0x1p53
enum { LAUNCHES_MAX = 100000 /* as in definitions */ };

/* An AQL packet stores the grid in work-items, 32 bits per dimension (HSA System Architecture 1.2, 2.9.6). */
static bool check_job_shape(const struct launch_shape *s, struct err *e)
{
	for (int i = 0; i < 3; i++)
		if ((uint64_t)s->grid[i] * s->block[i] > UINT32_MAX)
			return err_set(e, ST_REQUEST,
				"dimension %d has %llu threads; a launch supports fewer than 2^32 per dimension", i + 1,
				(unsigned long long)s->grid[i] * s->block[i]);
	if ((double)s->grid[0] * s->grid[1] * s->grid[2] > WORKGROUPS_MAX)
		return err_set(e, ST_REQUEST,
			"a grid of %u x %u x %u workgroups is too large; at most 2^53 workgroups are supported",
			s->grid[0], s->grid[1], s->grid[2]);
	uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
	if (threads > 1024 || s->block[0] > 1024 || s->block[1] > 1024 || s->block[2] > 1024)
		return err_set(e, ST_REQUEST,
			"a block of %u x %u x %u threads is too large; at most 1024 threads are supported", s->block[0],
			s->block[1], s->block[2]);
	return true;
}

/* --- steps --- */
static bool parse_stream(const json_t *o, const char *key, unsigned *out, struct job *j, struct err *e)
{
	double n = read_number_or(o, key, 0);
	if (n < 0 || n >= STREAMS_MAX || n != (double)(unsigned)n)
		return err_set(e, ST_REQUEST, "%s is %g; streams are numbered 0 to %d", key, n, STREAMS_MAX - 1);
	*out = (unsigned)n;
	j->streams = *out >= j->streams ? *out + 1 : j->streams;
	return true;
}

static bool parse_copy_step(const json_t *o, struct job *j, struct job_step *s, struct err *e)
{
	const char *name = read_text_or_null(o, "buffer");
	s->kind = strcmp(record_get_text(o, "copy"), "to_host") ? JOB_STEP_TO_DEVICE : JOB_STEP_TO_HOST;
	s->buffer = job_find_buffer(j, name ? name : "");
	if (s->buffer < 0)
		return err_set(e, ST_REQUEST, "a step copies an unknown buffer '%s'", name ? name : "");
	s->offset = (size_t)read_number_or(o, "offset", 0);
	s->bytes = (size_t)read_number_or(o, "bytes", (double)j->buffers[s->buffer].bytes);
	if (!s->bytes || s->bytes > j->buffers[s->buffer].bytes || s->offset > j->buffers[s->buffer].bytes - s->bytes)
		return err_set(e, ST_REQUEST, "a step copies bytes %zu to %zu of the buffer %s, which has %zu bytes",
			s->offset, s->offset + s->bytes, name, j->buffers[s->buffer].bytes);
	return true;
}

/* The arguments of the job, replaced by the values that the step specifies. */
static bool parse_step_values(const json_t *list, const struct job *j, struct job_step *s, struct err *e)
{
	s->values = xcalloc(KERNEL_ARGS_MAX, sizeof *s->values);
	for (int i = 0; i < j->arg_count; i++)
		memcpy(s->values[i], j->args[i].value, sizeof *s->values);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *o = json_array_get(list, i);
		int arg = (int)read_number_or(o, "arg", -1);
		if (arg < 0 || arg >= j->arg_count || j->args[arg].buffer >= 0 ||
			!element_type_store(j->args[arg].type.type, json_object_get(o, "value"), s->values[arg], e))
			return err_set(
				e, ST_REQUEST, "a step sets argument %d to a value that it does not accept", arg + 1);
	}
	return true;
}

static bool parse_launch_step(const json_t *o, struct job *j, struct job_step *s, struct err *e)
{
	s->kind = JOB_STEP_LAUNCH;
	j->launches_any = true;
	return parse_shape(o, "grid", s->shape.grid, e) && parse_shape(o, "block", s->shape.block, e) &&
		check_job_shape(&s->shape, e) && parse_step_values(json_object_get(o, "values"), j, s, e);
}

/* With the arguments of the job. */
static bool parse_call_step(const json_t *o, struct job *j, struct job_step *s, struct err *e)
{
	struct arg_type types[KERNEL_ARGS_MAX];
	s->kind = JOB_STEP_CALL;
	j->calls_any = true;
	for (int i = 0; i < j->arg_count; i++)
		types[i] = j->args[i].type;
	return library_call_find(record_get_text(o, "call"), &s->call, e) &&
		library_call_check(s->call, types, j->arg_count, e);
}

static bool parse_job_step(const json_t *o, struct job *j, struct job_step *s, struct err *e)
{
	if (!parse_stream(o, "stream", &s->stream, j, e))
		return false;
	if (json_object_get(o, "copy"))
		return parse_copy_step(o, j, s, e);
	if (json_object_get(o, "launch"))
		return parse_launch_step(o, j, s, e);
	if (json_object_get(o, "call"))
		return parse_call_step(o, j, s, e);
	s->kind = JOB_STEP_WAIT;
	return parse_stream(o, "wait", &s->on, j, e);
}

static bool parse_steps(const json_t *o, struct job *j, struct err *e)
{
	const json_t *list = json_object_get(o, "steps");
	size_t count = json_array_size(list);
	j->launches_any = !list;
	j->streams = 1;
	j->pinned = strcmp(record_get_text(o, "host"), "pageable") != 0;
	if (!list)
		return true;
	if (!count || count > STEPS_MAX)
		return err_set(e, ST_REQUEST, "%zu steps; 1 to %d are supported", count, STEPS_MAX);
	j->steps = xcalloc(count, sizeof *j->steps);
	for (size_t i = 0; i < count; i++)
		if (!parse_job_step(json_array_get(list, i), j, &j->steps[j->step_count++], e))
			return false;
	return true;
}

static bool parse_count(const json_t *o, const char *key, unsigned least, unsigned most, unsigned fallback,
	unsigned *out, struct err *e)
{
	double n = read_number_or(o, key, fallback);
	bool ok = n >= least && n <= most && n == (double)(unsigned)n;
	*out = ok ? (unsigned)n : fallback;
	return ok || err_set(e, ST_REQUEST, "%s is %g; it must be a whole number from %u to %u", key, n, least, most);
}

static void parse_captured(const json_t *o, struct job *j)
{
	j->captured = record_get_text(o, "file");
	j->constants = record_get_text(o, "constants");
	j->warm = read_flag_or(o, "warm", false);
}

static bool parse_launch(const json_t *o, struct job *j, struct err *e)
{
	const json_t *kernel = json_object_get(o, "kernel"), *s = json_object_get(o, "samples");
	j->file = read_text_or_null(kernel, "file");
	j->defines = read_text_or_null(kernel, "defines");
	j->entry = read_text_or_null(kernel, "entry");
	if (j->launches_any && (!j->file || !j->entry))
		return err_set(e, ST_REQUEST, "the job lacks a kernel file or an entry");
	if (!parse_count(o, "dynamic_lds", 0, UINT32_MAX, 0, &j->lds_bytes, e))
		return false;
	if (!job_reference_parse(json_object_get(o, "reference"), j, &j->reference, e))
		return false;
	if (!parse_count(o, "launches", 1, LAUNCHES_MAX, 1, &j->launches, e))
		return false;
	parse_captured(json_object_get(o, "captured"), j);
	j->verify = read_flag_or(o, "verify", true);
	j->reset = read_flag_or(o, "reset", false);
	j->profile = read_flag_or(o, "profile", false);
	j->digest = read_flag_or(o, "digest", false);
	j->checks = record_get_text(o, "checks");
	j->samples = (struct sample_rule){(int)read_number_or(s, "min", 5), (int)read_number_or(s, "max", 30),
		read_number_or(s, "target", 0.005), read_number_or(s, "seconds", 2),
		!strcmp(record_get_text(s, "rule"), "entropy")};
	return parse_shape(o, "grid", j->shape.grid, e) && parse_shape(o, "block", j->shape.block, e) &&
		check_job_shape(&j->shape, e);
}

/* --- expected instructions, counters --- */
static void parse_contract(const json_t *list, struct job *j)
{
	size_t n = json_array_size(list);
	for (size_t i = 0; i < n && i < CONTRACT_MAX; i++) {
		const json_t *o = json_array_get(list, i);
		const json_t *count = json_object_get(o, "count");
		j->contract[j->contract_count++] = (struct isa_contract){record_get_text(o, "isa"),
			record_get_text(o, "instruction"), record_get_text(o, "where"),
			json_is_number(count) ? (int)json_number_value(count) : -1};
	}
}

static void parse_counters(const json_t *list, struct job *j)
{
	for (size_t i = 0; i < json_array_size(list) && i < COUNTERS_MAX; i++) {
		const char *name = json_string_value(json_array_get(list, i));
		if (name)
			j->counters[j->counter_count++] = name;
	}
}

const char *job_format_place(const struct job *j, int line, char out[DEFINITION_PLACE])
{
	*out = 0;
	if (*j->definition)
		snprintf(out, DEFINITION_PLACE, line ? "%.280s:%d: " : "%.280s: ", j->definition, line);
	return out;
}

static bool parse_program(const json_t *o, struct job *j, struct err *e)
{
	j->program = json_object_get(o, "program");
	j->profile = read_flag_or(o, "profile", false);
	const json_t *words = json_object_get(j->program, "words");
	bool ok = json_array_size(words) > 0;
	for (size_t i = 0; i < json_array_size(words); i++)
		ok = ok && json_is_string(json_array_get(words, i));
	return (ok && *record_get_text(j->program, "folder")) ||
		err_set(e, ST_REQUEST, "the job lacks the program's words or its folder");
}

/* A captured launch has the caches that it was captured with, a program those that its launches left. */
static bool parse_flush(const json_t *o, struct job *j, struct err *e)
{
	j->flush_l2 = read_flag_or(o, "flush_l2", false);
	return !j->flush_l2 || (j->kind != JOB_CAPTURED && j->kind != JOB_PROGRAM) ||
		err_set(e, ST_REQUEST,
			"--flush-l2 is for kernels of experiments, not for captured launches and programs; remove it");
}

bool job_parse(json_t *record, struct job *j, struct err *e)
{
	const json_t *definition = json_object_get(record, "definition");
	*j = (struct job){.record = record,
		.definition = record_get_text(definition, "file"),
		.args_line = (int)read_number_or(definition, "args_line", 0),
		.entry_line = (int)read_number_or(definition, "entry_line", 0)};
	j->job = json_integer_value(json_object_get(record, "job"));
	j->point = json_integer_value(json_object_get(record, "point"));
	j->experiment = record_get_text(record, "experiment");
	parse_contract(json_object_get(record, "contract"), j);
	parse_counters(json_object_get(record, "counters"), j);
	j->kind = read_flag_or(record, "formula", false)      ? JOB_FORMULA
		: read_flag_or(record, "compile_only", false) ? JOB_COMPILE
		: json_object_get(record, "captured")         ? JOB_CAPTURED
		: json_object_get(record, "program")          ? JOB_PROGRAM
							      : JOB_LAUNCH;
	if (j->kind == JOB_FORMULA)
		return true;
	if (!parse_flush(record, j, e))
		return false;
	if (j->kind == JOB_PROGRAM)
		return parse_program(record, j, e);
	return parse_buffers(record, j, e) && parse_args(json_object_get(record, "args"), j, e) &&
		parse_steps(record, j, e) && parse_launch(record, j, e);
}

void job_free(struct job *j)
{
	for (int i = 0; i < j->step_count; i++)
		free(j->steps[i].values);
	free(j->steps);
	job_reference_free(&j->reference);
	json_decref(j->record);
	*j = (struct job){0};
}
