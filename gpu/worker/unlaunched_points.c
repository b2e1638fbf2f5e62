/* Answers formula jobs and compile-only jobs. */
#include "gpu/worker/unlaunched_points.h"

#include "gpu/worker/code_metrics.h"
#include "gpu/worker/loaded_kernel.h"
#include "gpu/protocol/record.h"

json_t *evaluate_formula_point(const struct job *j)
{
	json_t *o = point_make_unmeasured(j, "ok", NULL);
	json_object_set_new(o, "seconds", json_array());
	json_object_set_new(o, "clocks_moved", json_false());
	json_object_set_new(o, "verify", json_string("none"));
	json_object_set_new(o, "contract", json_string("none"));
	record_set_clocks(o, (struct clocks){0});
	return o;
}

static json_t *record_accepted(const struct job *j, const struct loaded_kernel *k)
{
	char text[256];
	json_t *o = evaluate_formula_point(j);
	json_object_set_new(o, "accepted", json_true());
	json_object_set_new(o, "contract", json_string(kernel_check_contract(k, j, text, sizeof text)));
	if (*text)
		json_object_set_new(o, "contract_text", json_string(text));
	json_object_set_new(o, "kernel", kernel_record(k));
	json_object_set_new(o, "code", code_metrics_record(k));
	return o;
}

static json_t *record_refused(const struct job *j, const char *why)
{
	json_t *o = evaluate_formula_point(j);
	json_object_set_new(o, "accepted", json_false());
	json_object_set_new(o, "compiler_text", json_utf8_string(why));
	return o;
}

json_t *evaluate_compile_point(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m)
{
	struct loaded_kernel k;
	struct err e = {0};
	bool refused = false;
	json_t *o;
	m->state(m->ctx, "compiling");
	bool ok = kernel_compile(d->info.arch, j, &k, &refused, &e);
	if (m->cancelled(m->ctx))
		o = point_make_unmeasured(j, "cancelled", NULL);
	else if (ok)
		o = record_accepted(j, &k);
	else
		o = refused ? record_refused(j, e.text) : point_make_unmeasured(j, "failed", &e);
	if (ok)
		kernel_release(&k);
	return o;
}
