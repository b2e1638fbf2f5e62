#include "gpu/worker/program_point.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "gpu/softgpu-link/measured_program.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/unlaunched_points.h"

static bool is_stall(const char *name)
{
	return !strncmp(name, STALL_COUNTER_PREFIX, strlen(STALL_COUNTER_PREFIX));
}

/* The words belong to the job. */
static char **copy_word_list(const json_t *words)
{
	char **argv = xcalloc(json_array_size(words) + 1, sizeof *argv);
	for (size_t i = 0; i < json_array_size(words); i++)
		argv[i] = (char *)json_string_value(json_array_get(words, i));
	return argv;
}

static bool needs_stalls(const struct job *j)
{
	bool needed = j->profile;
	for (int i = 0; i < j->counter_count; i++)
		needed |= is_stall(j->counters[i]);
	return needed;
}

static bool run_job_program(
	const struct job *j, const struct measure_callbacks *m, struct kernel_totals *out, struct err *e)
{
	const char *model = getenv("SOFTGPU"); /* that this worker runs on */
	if (!softprobe_is_present() || !model)
		return err_set(e, ST_REQUEST,
			"a program is measured on a software GPU, not on this device; use --device soft:mi25");
	char **argv = copy_word_list(json_object_get(j->program, "words"));
	const struct measured_program p = {.model = model,
		.folder = record_get_text(j->program, "folder"),
		.argv = argv,
		.profile = needs_stalls(j),
		.cancelled = m->cancelled,
		.ctx = m->ctx};
	bool ok = measured_program_run(&p, out, e);
	free(argv);
	return ok;
}

/* Without a name: the one with the most cycles. */
static const struct kernel_total *choose_total(const struct job *j, const struct kernel_totals *t, struct err *e)
{
	const char *name = record_get_text(j->program, "kernel");
	return *name ? kernel_totals_find(t, name, e) : kernel_totals_find_largest(t);
}

/* --- the record --- */
static json_t *program_counters(const struct job *j, const struct kernel_total *k)
{
	json_t *o = json_object();
	for (int i = 0; i < j->counter_count; i++) {
		json_t *value = json_object_get(k->values, j->counters[i]);
		json_object_set_new(o, j->counters[i], value ? json_incref(value) : json_null());
	}
	return o;
}

/* Without instructions: those of several launches, which may have different code, are not added up. */
static json_t *program_profile(const struct kernel_total *k)
{
	const char *name;
	json_t *value, *account = json_object();
	json_object_foreach(k->values, name, value)
	{
		if (is_stall(name))
			json_object_set(account, name + strlen(STALL_COUNTER_PREFIX), value);
	}
	return json_pack(
		"{s:o, s:o, s:I}", "account", account, "instructions", json_array(), "cycles", (json_int_t)k->cycles);
}

static json_t *record_total(const struct job *j, const struct kernel_total *k)
{
	json_t *o = evaluate_formula_point(j);
	json_object_set_new(o, "seconds", json_pack("[f]", (double)k->ps * 1e-12));
	json_object_set_new(o, "launches", json_integer((json_int_t)k->launches));
	json_object_set_new(o, "launched", json_utf8_string(k->name));
	if (j->counter_count)
		json_object_set_new(o, "counters", program_counters(j, k));
	if (j->profile)
		json_object_set_new(o, "profile", program_profile(k));
	return o;
}

json_t *measure_program_point(const struct job *j, const struct measure_callbacks *m)
{
	struct kernel_totals totals = {0};
	struct err e = {0};
	m->state(m->ctx, "running");
	const struct kernel_total *k = run_job_program(j, m, &totals, &e) ? choose_total(j, &totals, &e) : NULL;
	json_t *record =
		k ? record_total(j, k) : point_make_unmeasured(j, m->cancelled(m->ctx) ? "cancelled" : "failed", &e);
	kernel_totals_free(&totals);
	return record;
}
