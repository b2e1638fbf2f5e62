/* Measures a point: builds the kernel, fills the buffers, verifies the first launch, samples. */
#include "gpu/worker/measure_point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/units.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/inside/checked_launches.h"
#include "gpu/worker/measure/first_launch.h"
#include "gpu/worker/measure/measured_record.h"
#include "gpu/worker/measure/point_launch.h"
#include "gpu/worker/measure/point_samples.h"
#include "gpu/worker/program_point.h"
#include "gpu/worker/received_content.h"
#include "gpu/worker/unlaunched_points.h"

bool job_fits_memory(const struct job *j, uint64_t budget, struct err *e)
{
	char needed[40], allowed[40];
	double bytes = 0;
	bool copies = verification_copies_buffers(j);
	for (int i = 0; i < j->buffer_count; i++)
		bytes += (double)j->buffers[i].bytes * (copies ? 2 : 1);
	if (!budget || bytes <= (double)budget)
		return true;
	units_format(needed, sizeof needed, bytes, "B", 3);
	units_format(allowed, sizeof allowed, (double)budget, "B", 3);
	return err_set(e, ST_FAILED,
		"the buffers%s need %s of host memory, but the software GPU may use only %s; choose a smaller size%s or raise host_memory_percent",
		copies ? " and their copies for the reference" : "", needed, allowed, copies ? ", --no-verify" : "");
}

/* A captured launch has its code in its own memory; the code object only describes it. */
static bool load_kernel(struct point_run *r, struct err *e)
{
	bool refused;
	return r->j->kind == JOB_CAPTURED ? kernel_compile(r->d->info.arch, r->j, &r->kernel, &refused, e)
					  : kernel_load(r->d->rt, r->d->handle, r->d->info.arch, r->j, &r->kernel, e);
}

static bool prepare_point(struct point_run *r, struct err *e)
{
	r->m->state(r->m->ctx, "compiling");
	if (r->j->launches_any && !load_kernel(r, e))
		return false;
	r->contract = r->j->launches_any
		? kernel_check_contract(&r->kernel, r->j, r->contract_text, sizeof r->contract_text)
		: "none";
	if (point_is_canceled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	r->m->state(r->m->ctx, "running");
	if (!job_fits_memory(r->j, softprobe_memory_budget(), e))
		return false;
	if (!buffers_alloc(&r->buffers, r->d->rt, r->d->handle, r->j, e) ||
		(r->j->steps && !stream_sequence_open(&r->sequence, r->d->rt, r->d->handle, r->j, &r->buffers, e)))
		return false;
	buffers_take_host(&r->buffers, &r->expected);
	r->sequence.kernel = r->kernel.handle;
	return point_fill_buffers(r, e);
}

/* --- a reference that is a kernel --- */
static bool launch_reference(struct point_run *of, struct point_run *r, struct err *e)
{
	double seconds;
	bool ok = content_await(of->j, of->d->info.arch, of->m, e) && prepare_point(of, e) &&
		point_start_launch(of, 1, e) && point_finish_launch(of, &seconds, e) &&
		(buffers_copy_to_host(&of->buffers) ||
			err_set(e, ST_FAILED, "not enough host memory for the results of the reference")) &&
		buffers_read_to_host(&of->buffers, e);
	r->cancelled |= of->cancelled;
	r->lost |= of->lost;
	return ok;
}

/* It runs before the point, like an earlier one: the addresses of the point's buffers do not depend on it. */
static bool run_reference_kernel(struct point_run *r, struct err *e)
{
	struct job j;
	if (!r->j->verify || r->j->reference.kind != REFERENCE_KERNEL || r->j->reference.error)
		return true;
	struct point_run of = {.d = r->d, .j = &j, .m = r->m};
	bool ok = job_reference_make_job(r->j, &j, e) && launch_reference(&of, r, e);
	if (!of.lost) {
		buffers_release_device(&of.buffers);
		of.buffers.job = r->j;
		r->expected = of.buffers;
	}
	job_free(&j);
	return ok;
}

json_t *point_make_unmeasured(const struct job *j, const char *status, const struct err *error)
{
	json_t *params = record_get_params(j->record);
	json_t *o = json_pack("{s:s,s:I,s:I,s:s,s:O*,s:O*,s:s}", "type", "point", "job", j->job, "point", j->point,
		"experiment", j->experiment, "params", params, "measures", point_get_measured(j->record), "status",
		status);
	if (error) {
		json_object_set_new(o, "error", json_utf8_string(error->text));
		json_object_set_new(
			o, "error_status", json_integer(error->status == ST_REQUEST ? ST_REQUEST : ST_FAILED));
	}
	return o;
}

/* --- one point --- */
static void free_point_run(struct point_run *r)
{
	stream_sequence_free(&r->sequence);
	buffers_free(&r->buffers);
	buffers_free(&r->expected);
	if (r->j->kind == JOB_CAPTURED)
		kernel_release(&r->kernel);
}

/* A point has its own noise, so that it does not matter which worker measures it, and after which others. */
static void begin_noise(const struct opened_device *d, const struct job *j)
{
	char *params = json_dumps(record_get_params(j->record), JSON_SORT_KEYS | JSON_ENCODE_ANY);
	uint64_t key = hash_text(hash_text(HASH_START, j->experiment), params ? params : "");
	if (d->begin_noisy_point)
		d->begin_noisy_point(hash_bytes(key, &j->point, sizeof j->point), (long)j->point);
	free(params);
}

static json_t *launch_point(
	const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost)
{
	struct point_run r = {.d = d, .j = j, .m = m};
	struct err e = {0};
	size_t samples = d->deterministic ? 1 : SAMPLES_MAX;
	begin_noise(d, j);
	r.seconds = xcalloc(samples, sizeof *r.seconds);
	r.wall = xcalloc(samples, sizeof *r.wall);
	bool ok = run_reference_kernel(&r, &e) && prepare_point(&r, &e) && point_verify_first_launch(&r, &e) &&
		point_take_samples(&r, &e);
	json_t *record = ok ? point_make_measured(&r)
			    : point_make_unmeasured(j, r.cancelled ? "cancelled" : "failed", r.cancelled ? NULL : &e);
	if (ok)
		point_add_digest(&r, record);
	json_t *found = checked_launches_record(j, &r.buffers, &r.kernel); /* also of a launch that failed */
	if (found)
		json_object_set_new(record, "found", found);
	checked_launches_end(j);
	*lost = r.lost;
	if (!r.lost)
		free_point_run(&r);
	free(r.seconds);
	free(r.wall);
	return record;
}

static bool supports_arch(const struct job *j, const char *arch)
{
	const json_t *needs = json_object_get(j->record, "needs");
	for (size_t i = 0; i < json_array_size(needs); i++) {
		const char *begins = json_string_value(json_array_get(needs, i));
		if (begins && !strncmp(arch, begins, strlen(begins)))
			return true;
	}
	return !json_array_size(needs);
}

json_t *measure_job_point(
	const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost)
{
	struct err e;
	json_t *record;
	*lost = false;
	m->phase(m->ctx, JOB_PHASE_HOST);
	const char *need = json_string_value(json_array_get(json_object_get(j->record, "needs"), 0));
	err_set(&e, ST_REQUEST, "the experiment needs a %s device; this device is %s", need ? need : "different",
		d->info.arch);
	if (j->kind == JOB_FORMULA)
		record = evaluate_formula_point(j);
	else if (j->kind == JOB_PROGRAM)
		record = measure_program_point(j, m);
	else if (!supports_arch(j, d->info.arch))
		record = point_make_unmeasured(j, "failed", &e);
	else
		record = j->kind == JOB_COMPILE ? evaluate_compile_point(d, j, m) : launch_point(d, j, m, lost);
	m->phase(m->ctx, JOB_PHASE_IDLE);
	return record;
}
