#include "gpu/worker/measure/first_launch.h"

#include <stdio.h>

#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/inside/checked_launches.h"
#include "gpu/worker/measure/point_launch.h"

static bool launch_and_compare(struct point_run *r, struct err *e)
{
	double seconds;
	if (!point_start_launch(r, 1, e))
		return false;
	verification_compute(&r->verification);
	return point_finish_launch(r, &seconds, e) && verification_compare(&r->verification, e);
}

/* Copies need no reference: both sides must be equal. */
static bool check_copies(struct point_run *r, struct err *e)
{
	bool same, computes = r->j->launches_any || r->j->calls_any;
	char text[200];
	if (!r->j->steps || !r->j->verify)
		return true;
	if (!stream_sequence_check(&r->sequence, &same, text, sizeof text, e))
		return false;
	if (!same)
		snprintf(r->verification.text, sizeof r->verification.text, "%s", text);
	else if (!computes)
		*r->verification.text = 0;
	r->verification.verdict = !same ? "failed" : computes ? r->verification.verdict : "ok";
	return true;
}

/* The first launch of the point, on fresh buffers. */
static bool first_launch(struct point_run *r, struct err *e)
{
	bool verified;
	double seconds;
	r->verification = (struct verification){.j = r->j, .b = &r->buffers, .verdict = "none"};
	if (r->j->kind == JOB_CAPTURED)
		return point_open_captured(r, e);
	softprobe_reset_state(); /* what earlier points left must not change this one */
	if (!verification_begin(&r->verification, &verified, e))
		return false;
	return verified ? launch_and_compare(r, e) : point_run_launches(r, 1, &seconds, e);
}

bool point_verify_first_launch(struct point_run *r, struct err *e)
{
	return checked_launches_begin(r->j, e) && first_launch(r, e) && check_copies(r, e);
}
