/* Builds the job record of one point from what its functions returned: checks the values and fills in the record. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "base/units.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/definition.h"
#include "experiments/definition/point/evaluated_point.h"
#include "experiments/definition/point/point_job.h"
#include "experiments/definition/program/program_job.h"
#include "kernels/compile/kernel_build.h"

#define BYTES_MAX 0x1p38 /* 256 GiB: more than any GPU has; the worker checks the device's actual size */
enum { BLOCK_THREADS_MAX = 1024, LDS_BYTES_MAX = 64 << 10 };

static bool copy_err(struct err *e, const struct err *from)
{
	return err_set(e, from->status, "%s", from->text);
}

bool definition_set_field_error(const struct experiment *x, const char *field, struct err *e, const char *fmt, ...)
{
	char where[700], text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return err_set(e, ST_REQUEST, "%s: %s", definition_format_location(x, field, where, sizeof where), text);
}

/* --- kernel --- */
static bool folder_has_file(const char *folder, const char *file)
{
	char *path = xasprintf("%s/%s", folder, file);
	bool there = !access(path, R_OK);
	free(path);
	return there;
}

bool definition_owns_kernel(const struct experiment *x, const char *file)
{
	return folder_has_file(x->lua->folder, file);
}

/* The file as the worker expects it: an absolute path if it is in the definition's folder, else the plain name of a
 * kernel of the project. */
static bool find_kernel_file(
	const struct experiment *x, const char *field, const char *file, char *out, size_t size, struct err *e)
{
	if (*file == '/' || strstr(file, ".."))
		return definition_set_field_error(x, field, e,
			"invalid kernel file '%s'; give only the name of a file in the definition's folder or in kernels/",
			file);
	const char *folder = strcmp(field, "reference") ? x->lua->folder : x->lua->reference_folder;
	char *own = xasprintf("%s/%s", folder, file), *shipped = path_kernels(file);
	bool is_own = folder_has_file(folder, file), is_shipped = !is_own && !access(shipped, R_OK);
	snprintf(out, size, "%s", is_own ? own : file);
	bool fits = strlen(is_own ? own : file) < size;
	free(own);
	free(shipped);
	if (!is_own && !is_shipped)
		return definition_set_field_error(x, field, e,
			"kernel file '%s' not found in the definition's folder or in kernels/; check its name", file);
	return fits || definition_set_field_error(x, field, e, "the path of '%s' is too long", file);
}

/* Only -DNAME, -DNAME=VALUE and allowed flags: they become compiler arguments. */
static bool is_define(const char *word, size_t len)
{
	if (kernel_flag_is_allowed(word, len))
		return true;
	if (len < 3 || strncmp(word, "-D", 2) || !(isalpha((unsigned char)word[2]) || word[2] == '_'))
		return false;
	for (size_t i = 2; i < len; i++)
		if (!isalnum((unsigned char)word[i]) && !strchr("_=.+-", word[i]))
			return false;
	return true;
}

bool definition_check_defines(const struct experiment *x, const char *field, const char *defines, struct err *e)
{
	for (const char *at = defines; *(at += strspn(at, " "));) {
		size_t len = strcspn(at, " ");
		if (!is_define(at, len))
			return definition_set_field_error(
				x, field, e, "invalid define '%.*s'; write for example -DUNROLL=4", (int)len, at);
		at += len;
	}
	return true;
}

bool definition_add_kernel(
	json_t *to, const struct experiment *x, const char *field, const struct job_kernel_values *k, struct err *e)
{
	char file[PATH_MAX], at[80];
	snprintf(at, sizeof at, "%s.defines", field);
	if (!find_kernel_file(x, field, k->file, file, sizeof file, e) ||
		!definition_check_defines(x, at, k->defines, e))
		return false;
	snprintf(at, sizeof at, "%s.%s", field, strcmp(field, "kernel") ? "kernel" : "entry");
	if (!is_c_identifier(k->entry) && !k->any_entry)
		return definition_set_field_error(x, at, e, "'%s' is not a valid kernel name", k->entry);
	json_t *kernel = json_pack("{s:s, s:s, s:s}", "file", file, "defines", k->defines, "entry", k->entry);
	json_object_set_new(to, "kernel", kernel);
	if (*k->source && find_kernel_file(x, field, k->source, file, sizeof file, e))
		json_object_set_new(kernel, "source", json_string(file));
	return kernel ||
		definition_set_field_error(
			x, field, e, "the path of '%s' is not valid UTF-8; rename its folder", k->file);
}

static bool add_job_kernel(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	const struct job_kernel_values k = {v->file, v->defines, v->entry, v->source, *v->captured};
	return definition_add_kernel(job, x, "kernel", &k, e);
}

/* --- buffers and arguments --- */
json_t *param_to_json(const struct param *p, double value)
{
	return p->kind == PARAM_STEP_CHOICE ? json_string(p->choices[(int)value]) : json_exact_number(value);
}

static json_t *fill_json(const struct fill_value *f)
{
	switch (f->kind) {
	case FILL_INDEX: return json_string("index");
	case FILL_RANDOM: return json_string("random");
	case FILL_CHASE: return json_pack("{s:o}", "chase", json_exact_number(f->number));
	case FILL_ADDRESSES: return json_pack("{s:o}", "addresses", json_exact_number(f->number));
	default: return json_exact_number(f->number);
	}
}

bool definition_parse_fill(
	const struct buffer_def *b, const struct evaluation *v, int i, struct fill_rule *out, struct err *e)
{
	json_t *fill = fill_json(&v->fill[i]);
	bool ok = fill_parse(b->type, fill, (size_t)v->count[i] * (b->type->size / b->type->part), out, e);
	json_decref(fill);
	return ok;
}

/* With the worker's words, but naming the definition's line. */
static bool check_fill(const struct experiment *x, const struct evaluation *v, int i, struct err *e)
{
	char field[64];
	struct fill_rule rule;
	struct err why;
	const struct buffer_def *b = &x->lua->buffers[i];
	snprintf(field, sizeof field, "buffers.%s.fill", b->id);
	return definition_parse_fill(b, v, i, &rule, &why) || definition_set_field_error(x, field, e, "%s", why.text);
}

/* A whole number of elements, and no access outside of them. */
static bool check_buffer_size(
	const struct experiment *x, const struct evaluation *v, int i, double *total, struct err *e)
{
	char field[64], size[40];
	const struct buffer_def *b = &x->lua->buffers[i];
	snprintf(field, sizeof field, "buffers.%s.count", b->id);
	if (v->count[i] != floor(v->count[i]) || v->count[i] < 1)
		return definition_set_field_error(
			x, field, e, "invalid count %.17g; use a whole number of at least 1", v->count[i]);
	*total += v->count[i] * (double)b->type->size;
	if (*total > BYTES_MAX)
		return definition_set_field_error(x, field, e,
			"the buffers take %s, more than 256 GiB; make them smaller",
			units_format(size, sizeof size, *total, "B", 4));
	if (v->bounded[i] && v->highest[i] >= v->count[i])
		return definition_set_field_error(x, "bounds", e,
			"the launch would access element %.0f of '%s', which has %.0f elements; change the parameters",
			v->highest[i], b->id, v->count[i]);
	if (v->bounded[i] && v->highest[i] < -1)
		return definition_set_field_error(x, "bounds", e,
			"the launch would access element %.0f of '%s'; change the parameters", v->highest[i], b->id);
	return true;
}

/* A plain number if relative and absolute tolerance are equal, as in definitions. */
static json_t *tolerance_json(const struct compare_tolerance *t)
{
	if (t->relative == t->absolute && t->ulp == 0)
		return json_exact_number(t->relative);
	return json_pack("{s:o, s:o, s:o}", "relative", json_exact_number(t->relative), "absolute",
		json_exact_number(t->absolute), "ulp", json_exact_number(t->ulp));
}

static bool add_job_buffers(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	json_t *list = json_array();
	double total = 0;
	json_object_set_new(job, "buffers", list);
	for (int i = 0; i < x->lua->buffer_count; i++) {
		const struct buffer_def *b = &x->lua->buffers[i];
		if (!check_buffer_size(x, v, i, &total, e))
			return false;
		json_t *one = json_pack("{s:s, s:s, s:o, s:o}", "name", b->id, "type", b->type->name, "count",
			json_exact_number(v->count[i]), "fill", fill_json(&v->fill[i]));
		if (b->type->kind == ELEMENT_FLOAT)
			json_object_set_new(one, "tolerance", tolerance_json(&v->tolerance[i]));
		json_array_append_new(list, one);
		if (!check_fill(x, v, i, e))
			return false;
	}
	return true;
}

/* Where the arguments and the kernel's name are written, for messages. */
static void add_job_definition(json_t *job, const struct experiment *x)
{
	json_t *file = json_string(x->path);
	if (file)
		json_object_set_new(job, "definition",
			json_pack("{s:o, s:i, s:i}", "file", file, "args_line", source_line_of(x->lua->lines, "args"),
				"entry_line", source_line_of(x->lua->lines, "kernel.entry")));
}

static void add_job_args(json_t *job, const struct experiment *x, const struct evaluation *v)
{
	char field[32];
	json_t *list = json_array();
	json_object_set_new(job, "args", list);
	for (int i = 0; i < x->lua->arg_count; i++) {
		const struct arg_def *a = &x->lua->args[i];
		const struct arg_value *value = &v->args[i];
		snprintf(field, sizeof field, "args[%d]", i + 1);
		json_t *one = json_pack("{s:s, s:s, s:i}", "type", a->decl.type, "name", a->decl.name, "line",
			source_line_of(x->lua->lines, field));
		if (a->buffer >= 0)
			json_object_set_new(one, "buffer", json_string(a->decl.name));
		else
			json_object_set_new(
				one, "value", value->integer ? json_integer(value->i) : json_real(value->d));
		json_array_append_new(list, one);
	}
}

/* --- launch --- */
static bool check_launch_shape(
	const struct experiment *x, const char *field, const double shape[3], double most, struct err *e)
{
	for (int i = 0; i < 3; i++)
		if (shape[i] != floor(shape[i]) || shape[i] < 1 || shape[i] > most)
			return definition_set_field_error(x, field, e,
				"invalid size %.17g in %c; use a whole number from 1 to %.0f", shape[i], "xyz"[i],
				most);
	return true;
}

/* The dispatch packet stores the grid in work-items, 32 bits per dimension (HSA System Architecture, kernel dispatch
 * packet). */
static bool check_launch_limits(
	const struct experiment *x, const char *field, const struct job_launch_values *l, struct err *e)
{
	char grid[80], block[80], lds[80];
	snprintf(grid, sizeof grid, "%s.grid", field);
	snprintf(block, sizeof block, "%s.block", field);
	snprintf(lds, sizeof lds, "%s.lds", field);
	if (!check_launch_shape(x, grid, l->grid, UINT32_MAX, e) ||
		!check_launch_shape(x, block, l->block, BLOCK_THREADS_MAX, e))
		return false;
	double threads = l->block[0] * l->block[1] * l->block[2];
	if (threads > BLOCK_THREADS_MAX)
		return definition_set_field_error(x, block, e,
			"%.0f x %.0f x %.0f = %.0f threads; a block can have at most %d", l->block[0], l->block[1],
			l->block[2], threads, BLOCK_THREADS_MAX);
	for (int i = 0; i < 3; i++)
		if (l->grid[i] * l->block[i] > UINT32_MAX)
			return definition_set_field_error(x, grid, e,
				"%.0f threads in %c; a launch must have fewer than 2^32 per dimension",
				l->grid[i] * l->block[i], "xyz"[i]);
	if (l->lds < 0 || l->lds > LDS_BYTES_MAX || l->lds != floor(l->lds))
		return definition_set_field_error(
			x, lds, e, "invalid size %.17g bytes; use a whole number from 0 to %d", l->lds, LDS_BYTES_MAX);
	return true;
}

static json_t *shape_json(const double shape[3])
{
	return json_pack(
		"[o, o, o]", json_exact_number(shape[0]), json_exact_number(shape[1]), json_exact_number(shape[2]));
}

bool definition_add_launch(
	json_t *to, const struct experiment *x, const char *field, const struct job_launch_values *l, struct err *e)
{
	if (!check_launch_limits(x, field, l, e))
		return false;
	json_object_set_new(to, "grid", shape_json(l->grid));
	json_object_set_new(to, "block", shape_json(l->block));
	json_object_set_new(to, "dynamic_lds", json_exact_number(l->lds));
	return true;
}

static bool add_job_launch(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	return definition_add_launch(job, x, "launch", &(struct job_launch_values){v->grid, v->block, v->lds}, e);
}

/* --- samples, contract --- */
static void add_job_samples(json_t *job, const struct lua_definition *d, const struct evaluation *v)
{
	if (v->launches > 1)
		json_object_set_new(job, "launches", json_exact_number(v->launches));
	json_object_set_new(job, "samples",
		json_pack("{s:i, s:i, s:o, s:o}", "min", d->samples_min, "max", d->samples_max, "target",
			json_exact_number(d->target), "seconds", json_exact_number(d->seconds)));
}

static void add_job_contract(json_t *job, const struct evaluation *v)
{
	if (!v->contract_count)
		return;
	json_t *list = json_array();
	json_object_set_new(job, "contract", list);
	for (int i = 0; i < v->contract_count; i++) {
		const struct contract_line *c = &v->contract[i];
		json_t *one =
			json_pack("{s:s, s:s, s:s}", "isa", c->isa, "instruction", c->instruction, "where", c->where);
		if (c->count >= 0)
			json_object_set_new(one, "count", json_integer(c->count));
		json_array_append_new(list, one);
	}
}

json_t *values_to_json(const struct experiment *x, const double *values)
{
	json_t *o = json_object();
	for (int i = 0; i < x->param_count; i++)
		json_object_set_new(o, x->params[i].id, param_to_json(&x->params[i], values[i]));
	return o;
}

static void add_job_needs(json_t *job, const struct experiment *x)
{
	if (!x->needs_count)
		return;
	json_t *list = json_array();
	json_object_set_new(job, "needs", list);
	for (int i = 0; i < x->needs_count; i++)
		json_array_append_new(list, json_string(x->needs_arch[i]));
}

static void add_job_counters(json_t *job, const struct evaluation *v)
{
	if (!v->counter_count)
		return;
	json_t *list = json_array();
	json_object_set_new(job, "counters", list);
	for (int i = 0; i < v->counter_count; i++)
		json_array_append_new(list, json_string(v->counters[i]));
}

/* The file must be in the definition's folder. */
static bool add_job_captured(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	if (!*v->captured || *v->captured == '/' || strstr(v->captured, ".."))
		return definition_set_field_error(x, "captured.launch", e,
			"invalid file '%s'; give only the name of a file in the definition's folder", v->captured);
	char *file = xasprintf("%s/%s", x->lua->folder, v->captured);
	json_t *captured = json_pack("{s:s, s:s, s:b}", "file", file, "constants", v->constants, "warm", v->warm);
	free(file);
	if (captured)
		json_object_set_new(job, "captured", captured);
	return captured ||
		definition_set_field_error(
			x, "captured.launch", e, "the path of '%s' is not valid UTF-8; rename its folder", v->captured);
}

/* --- the job --- */
static bool fill_launch_fields(json_t *job, const struct experiment *x, const double *values,
	const struct evaluation *v, bool verify, struct err *e)
{
	add_job_args(job, x, v);
	add_job_samples(job, x->lua, v);
	add_job_counters(job, v);
	if (x->lua->captured && !add_job_captured(job, x, v, e))
		return false;
	if (v->steps) {
		json_object_set(job, "steps", v->steps);
		json_object_set_new(job, "host", json_string(v->host));
	}
	if (x->lua->reset)
		json_object_set_new(job, "reset", json_true());
	return add_job_buffers(job, x, v, e) && definition_add_reference(job, x, values, v, verify, e);
}

static bool fill_job(json_t *job, const struct experiment *x, const double *values, const struct evaluation *v,
	bool verify, struct err *e)
{
	if (x->work == WORK_FORMULA)
		return !json_object_set_new(job, "formula", json_true());
	if (x->work == WORK_PROGRAM) {
		add_job_counters(job, v);
		return definition_add_program(job, x, values, e);
	}
	add_job_definition(job, x);
	add_job_needs(job, x);
	add_job_contract(job, v);
	if (x->work == WORK_COMPILE)
		json_object_set_new(job, "compile_only", json_true());
	else if (!fill_launch_fields(job, x, values, v, verify, e))
		return false;
	return (!*v->file || add_job_kernel(job, x, v, e)) && add_job_launch(job, x, v, e);
}

/* --- from a setup --- */
static json_t *build_own_job(
	const struct experiment *x, const double *values, const struct evaluated *f, bool verify, struct err *e)
{
	if (!f->ok)
		return copy_err(e, &f->why), NULL;
	json_t *job =
		json_pack("{s:s, s:s, s:o}", "type", "job", "experiment", x->id, "params", values_to_json(x, values));
	if (fill_job(job, x, values, &f->v, verify, e))
		return job;
	json_decref(job);
	return NULL;
}

/* Adds the counters that this experiment's metrics need to those of the measured experiment. */
static bool add_delegating_counters(json_t *job, const struct evaluated *f, struct err *e)
{
	json_t *list = json_object_get(job, "counters");
	if (!f->ok)
		return copy_err(e, &f->why);
	if (!list && f->v.counter_count)
		json_object_set_new(job, "counters", list = json_array());
	for (int i = 0; i < f->v.counter_count; i++)
		json_array_append_new(list, json_string(f->v.counters[i]));
	return true;
}

/* The job of the other experiment's point, under this experiment's name and parameters. */
static json_t *build_delegated_job(const struct point_setup *s, bool verify, struct err *e)
{
	const struct measured_setup *m = s->measured;
	const struct experiment *target = m->point.target;
	if (!m->found)
		return copy_err(e, &m->why), NULL;
	json_t *job = build_own_job(target, m->point.values, &m->functions, verify, e);
	if (!job)
		return NULL;
	json_object_set_new(job, "measures",
		json_pack("{s:s, s:o}", "experiment", target->id, "params", values_to_json(target, m->point.values)));
	json_object_set_new(job, "experiment", json_string(s->x->id));
	json_object_set_new(job, "params", values_to_json(s->x, s->values));
	if (add_delegating_counters(job, &s->own, e))
		return job;
	json_decref(job);
	return NULL;
}

/* A recording that was made before a parameter existed answers for the parameter's default. */
static void add_default_params(json_t *job, const struct point_setup *s)
{
	double defaults[PARAMS_MAX];
	for (int i = 0; i < s->x->param_count; i++)
		defaults[i] = param_default_value(&s->x->params[i], s->soft, s->arch);
	json_object_set_new(job, "defaults", values_to_json(s->x, defaults));
}

json_t *point_setup_build_job(const struct point_setup *s, bool verify, struct err *e)
{
	json_t *job =
		s->measured ? build_delegated_job(s, verify, e) : build_own_job(s->x, s->values, &s->own, verify, e);
	if (job)
		add_default_params(job, s);
	return job;
}

json_t *experiment_build_job(
	struct experiment *x, const double *values, bool soft, const char *arch, bool verify, struct err *e)
{
	struct point_setup *s = point_setup_evaluate(x, values, soft, arch);
	json_t *job = point_setup_build_job(s, verify, e);
	point_setup_free(s);
	return job;
}

static bool list_contains(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(json_string_value(json_array_get(list, i)), text))
			return true;
	return false;
}

void job_add_counters(json_t *job, const char *const *names)
{
	json_t *list = json_object_get(job, "counters");
	if (!list && names)
		json_object_set_new(job, "counters", list = json_array());
	for (; names && *names; names++)
		if (!list_contains(list, *names))
			json_array_append_new(list, json_string(*names));
}
