/* The job of one point: what the definition says, judged, and written as the record that the worker takes. */
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
#include "experiments/definition/definition.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/reference/reference.h"

#define BYTES_MAX 0x1p38 /* 256 GiB: more than any GPU has had; the worker knows the device's own size */
enum { BLOCK_THREADS_MAX = 1024, LDS_BYTES_MAX = 64 << 10 };

static bool defect(const struct experiment *x, const char *field, struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static bool defect(const struct experiment *x, const char *field, struct err *e, const char *fmt, ...)
{
	char where[700], text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return err_set(e, ST_REQUEST, "%s: %s", definition_format_location(x, field, where, sizeof where), text);
}

/* --- kernel --- */
/* The file's name as the worker wants it: absolute when it lies beside the definition, plain when it is one of the
 * project's. */
static bool find_kernel(const struct experiment *x, const char *file, char *out, size_t size, struct err *e)
{
	if (*file == '/' || strstr(file, ".."))
		return defect(x, "kernel", e,
			"the kernel '%s' must lie beside the definition or in the project's kernels; give its name only",
			file);
	char *own = xasprintf("%s/%s", x->lua->folder, file), *shipped = path_kernels(file);
	bool is_own = !access(own, R_OK), is_shipped = !access(shipped, R_OK);
	snprintf(out, size, "%s", is_own ? own : file);
	bool fits = strlen(is_own ? own : file) < size;
	free(own);
	free(shipped);
	if (!is_own && !is_shipped)
		return defect(x, "kernel", e,
			"there is no kernel '%s' beside the definition nor in the project's kernels; check its name",
			file);
	return fits || defect(x, "kernel", e, "the path of '%s' is too long", file);
}

/* -DNAME, -DNAME=VALUE or a flag that is known, nothing else: they become arguments of a compiler. */
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

static bool check_defines(const struct experiment *x, const char *defines, struct err *e)
{
	for (const char *at = defines; *(at += strspn(at, " "));) {
		size_t len = strcspn(at, " ");
		if (!is_define(at, len))
			return defect(x, "kernel.defines", e, "'%.*s' is no definition; write for example -DUNROLL=4",
				(int)len, at);
		at += len;
	}
	return true;
}

static bool add_kernel(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	char file[PATH_MAX];
	if (!find_kernel(x, v->file, file, sizeof file, e) || !check_defines(x, v->defines, e))
		return false;
	if (!is_c_identifier(v->entry))
		return defect(x, "kernel.entry", e, "'%s' is no kernel's name", v->entry);
	json_t *kernel = json_pack("{s:s, s:s, s:s}", "file", file, "defines", v->defines, "entry", v->entry);
	json_object_set_new(job, "kernel", kernel);
	return kernel || defect(x, "kernel", e, "the path of '%s' is no UTF-8 text; rename its folder", v->file);
}

/* --- buffers and arguments --- */
json_t *param_to_json(const struct param *p, double value)
{
	return p->kind == PARAM_STEP_CHOICE ? json_string(p->choices[(int)value]) : json_exact_number(value);
}

static json_t *fill_json(const struct fill_value *f)
{
	return f->kind == FILL_INDEX     ? json_string("index")
		: f->kind == FILL_RANDOM ? json_string("random")
					 : json_exact_number(f->number);
}

/* A whole number of elements, and the launch touches none behind the last. */
static bool check_buffer(const struct experiment *x, const struct evaluation *v, int i, double *total, struct err *e)
{
	char field[64], size[40];
	const struct buffer_def *b = &x->lua->buffers[i];
	snprintf(field, sizeof field, "buffers.%s.count", b->id);
	if (v->count[i] != floor(v->count[i]) || v->count[i] < 1)
		return defect(x, field, e, "%.17g elements; a whole number from 1 is wanted", v->count[i]);
	*total += v->count[i] * (double)b->type->size;
	if (*total > BYTES_MAX)
		return defect(x, field, e, "the buffers take %s, more than 256 GiB; make them smaller",
			units_format(size, sizeof size, *total, "B", 4));
	if (v->bounded[i] && v->highest[i] >= v->count[i])
		return defect(x, "bounds", e,
			"the launch would touch element %.0f of '%s', which has %.0f; choose parameters that stay inside",
			v->highest[i], b->id, v->count[i]);
	if (v->bounded[i] && v->highest[i] < -1)
		return defect(x, "bounds", e,
			"the launch would touch element %.0f of '%s'; choose parameters that stay inside",
			v->highest[i], b->id);
	return true;
}

/* A plain number where relative and absolute are the same, as a definition writes it. */
static json_t *tolerance_json(const struct compare_tolerance *t)
{
	if (t->relative == t->absolute && t->ulp == 0)
		return json_exact_number(t->relative);
	return json_pack("{s:o, s:o, s:o}", "relative", json_exact_number(t->relative), "absolute",
		json_exact_number(t->absolute), "ulp", json_exact_number(t->ulp));
}

static bool add_buffers(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	json_t *list = json_array();
	double total = 0;
	json_object_set_new(job, "buffers", list);
	for (int i = 0; i < x->lua->buffer_count; i++) {
		const struct buffer_def *b = &x->lua->buffers[i];
		if (!check_buffer(x, v, i, &total, e))
			return false;
		json_t *one = json_pack("{s:s, s:s, s:o, s:o}", "name", b->id, "type", b->type->name, "count",
			json_exact_number(v->count[i]), "fill", fill_json(&v->fill[i]));
		if (b->type->kind == ELEMENT_FLOAT)
			json_object_set_new(one, "tolerance", tolerance_json(&v->tolerance[i]));
		json_array_append_new(list, one);
	}
	return true;
}

static void add_args(json_t *job, const struct experiment *x, const struct evaluation *v)
{
	json_t *list = json_array();
	json_object_set_new(job, "args", list);
	for (int i = 0; i < x->lua->arg_count; i++) {
		const struct arg_def *a = &x->lua->args[i];
		const struct arg_value *value = &v->args[i];
		json_t *one = json_pack("{s:s}", "type", a->decl.type);
		if (a->buffer >= 0)
			json_object_set_new(one, "buffer", json_string(a->decl.name));
		else
			json_object_set_new(
				one, "value", value->integer ? json_integer(value->i) : json_real(value->d));
		json_array_append_new(list, one);
	}
}

/* --- launch --- */
static bool check_shape(
	const struct experiment *x, const char *field, const double shape[3], double most, struct err *e)
{
	for (int i = 0; i < 3; i++)
		if (shape[i] != floor(shape[i]) || shape[i] < 1 || shape[i] > most)
			return defect(x, field, e, "%.17g in %c; a whole number from 1 to %.0f is wanted", shape[i],
				"xyz"[i], most);
	return true;
}

/* The dispatch packet holds the grid in work-items, 32 bits a dimension (HSA System Architecture, kernel dispatch
 * packet). */
static bool check_launch(const struct experiment *x, const struct evaluation *v, struct err *e)
{
	if (!check_shape(x, "launch.grid", v->grid, UINT32_MAX, e) ||
		!check_shape(x, "launch.block", v->block, BLOCK_THREADS_MAX, e))
		return false;
	double threads = v->block[0] * v->block[1] * v->block[2];
	if (threads > BLOCK_THREADS_MAX)
		return defect(x, "launch.block", e, "%.0f x %.0f x %.0f = %.0f threads; a block holds at most %d",
			v->block[0], v->block[1], v->block[2], threads, BLOCK_THREADS_MAX);
	for (int i = 0; i < 3; i++)
		if (v->grid[i] * v->block[i] > UINT32_MAX)
			return defect(x, "launch.grid", e,
				"%.0f threads in %c; a launch holds fewer than 2^32 a dimension",
				v->grid[i] * v->block[i], "xyz"[i]);
	if (v->lds < 0 || v->lds > LDS_BYTES_MAX || v->lds != floor(v->lds))
		return defect(x, "launch.lds", e, "%.17g bytes; a whole number from 0 to %d is wanted", v->lds,
			LDS_BYTES_MAX);
	return true;
}

static json_t *shape_json(const double shape[3])
{
	return json_pack(
		"[o, o, o]", json_exact_number(shape[0]), json_exact_number(shape[1]), json_exact_number(shape[2]));
}

static bool add_launch(json_t *job, const struct experiment *x, const struct evaluation *v, struct err *e)
{
	if (!check_launch(x, v, e))
		return false;
	json_object_set_new(job, "grid", shape_json(v->grid));
	json_object_set_new(job, "block", shape_json(v->block));
	json_object_set_new(job, "dynamic_lds", json_exact_number(v->lds));
	return true;
}

/* --- verification, samples, contract --- */
static bool unknown_reference(const struct experiment *x, const char *name, struct err *e)
{
	const struct reference *list;
	const char *names[256];
	size_t count = reference_list(&list);
	for (size_t i = 0; i < count && i < 256; i++)
		names[i] = list[i].name;
	const char *near = find_nearest_name(name, names, count < 256 ? (int)count : 256);
	return defect(x, "reference", e, "there is no C reference '%s'%s%s%s", name,
		near ? "; did you mean '" : "; leave it out to measure without a check", near ? near : "",
		near ? "'?" : "");
}

static bool add_reference(
	json_t *job, const struct experiment *x, const struct evaluation *v, bool verify, struct err *e)
{
	bool named = *v->reference;
	if (named && !reference_find(v->reference))
		return unknown_reference(x, v->reference, e);
	json_object_set_new(job, "reference", named ? json_string(v->reference) : json_null());
	json_object_set_new(job, "verify",
		json_boolean(verify && (named || v->steps))); /* copies are compared with what was copied */
	if (x->lua->reset)
		json_object_set_new(job, "reset", json_true());
	return true;
}

static void add_samples(json_t *job, const struct lua_definition *d, const struct evaluation *v)
{
	if (v->launches > 1)
		json_object_set_new(job, "launches", json_exact_number(v->launches));
	json_object_set_new(job, "samples",
		json_pack("{s:i, s:i, s:o, s:o}", "min", d->samples_min, "max", d->samples_max, "target",
			json_exact_number(d->target), "seconds", json_exact_number(d->seconds)));
}

static void add_contract(json_t *job, const struct evaluation *v)
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

static void add_needs(json_t *job, const struct experiment *x)
{
	if (!x->needs_count)
		return;
	json_t *list = json_array();
	json_object_set_new(job, "needs", list);
	for (int i = 0; i < x->needs_count; i++)
		json_array_append_new(list, json_string(x->needs_arch[i]));
}

static void add_counters(json_t *job, const struct evaluation *v)
{
	if (!v->counter_count)
		return;
	json_t *list = json_array();
	json_object_set_new(job, "counters", list);
	for (int i = 0; i < v->counter_count; i++)
		json_array_append_new(list, json_string(v->counters[i]));
}

/* --- the job --- */
static bool fill_launch(json_t *job, const struct experiment *x, const struct evaluation *v, bool verify, struct err *e)
{
	add_args(job, x, v);
	add_samples(job, x->lua, v);
	add_counters(job, v);
	if (v->steps) {
		json_object_set(job, "steps", v->steps);
		json_object_set_new(job, "host", json_string(v->host));
	}
	return add_buffers(job, x, v, e) && add_reference(job, x, v, verify, e);
}

static bool fill_job(json_t *job, const struct experiment *x, const struct evaluation *v, bool verify, struct err *e)
{
	if (x->work == WORK_FORMULA)
		return !json_object_set_new(job, "formula", json_true());
	add_needs(job, x);
	add_contract(job, v);
	if (x->work == WORK_COMPILE)
		json_object_set_new(job, "compile_only", json_true());
	else if (!fill_launch(job, x, v, verify, e))
		return false;
	return (!*v->file || add_kernel(job, x, v, e)) && add_launch(job, x, v, e);
}

json_t *experiment_build_job(struct experiment *x, const double *values, bool soft, bool verify, struct err *e)
{
	struct evaluation v;
	if (x->work == WORK_DELEGATED)
		return delegated_job(x, values, soft, verify, e);
	json_t *job =
		json_pack("{s:s, s:s, s:o}", "type", "job", "experiment", x->id, "params", values_to_json(x, values));
	bool ok = definition_evaluate(x, values, &v, e) && fill_job(job, x, &v, verify, e);
	json_decref(v.steps);
	if (ok)
		return job;
	json_decref(job);
	return NULL;
}

bool experiment_eval_work(struct experiment *x, const double *values, double *out)
{
	struct evaluation v = {0};
	bool ok = x->lua && x->work == WORK_LAUNCH && definition_evaluate(x, values, &v, NULL);
	json_decref(v.steps);
	*out = v.work;
	return ok && v.work > 0;
}
