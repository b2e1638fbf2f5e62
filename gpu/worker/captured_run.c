#include "gpu/worker/captured_run.h"

#include <stdio.h>

#include "gpu/softgpu-link/softprobe.h"

bool captured_run_open(const struct job *j, struct captured_run *out, struct err *e)
{
	*out = (struct captured_run){.verdict = "none"};
	if (!softprobe_open_captured(j->captured, j->constants, &out->alike, e))
		return false;
	out->caches = out->alike != SOFTGPU_OTHER_DEVICE && !j->warm ? SOFTGPU_CACHES_CAPTURED : SOFTGPU_CACHES_KEPT;
	return true;
}

bool captured_run_needs_warmup(const struct captured_run *r)
{
	return r->caches != SOFTGPU_CACHES_CAPTURED;
}

static void judge_as_captured(struct captured_run *r, const struct softgpu_replayed *now)
{
	r->verdict = now->same ? "ok" : "failed";
	if (now->same)
		snprintf(r->text, sizeof r->text,
			"as captured: cycles, instructions and memory are those of the captured launch");
	else
		snprintf(r->text, sizeof r->text, "not as captured: %.200s", now->why);
}

/* Waves in another order may leave other results, such as sums of floating-point atomics. */
static void judge_as_point(struct captured_run *r, const struct softgpu_replayed *now)
{
	r->verdict = now->same_memory ? "ok" : "none";
	snprintf(r->text, sizeof r->text, "%s: memory after it %s",
		r->alike == SOFTGPU_IDEAL_DEVICE ? "on an ideal device" : "as a point, with warm caches",
		now->same_memory ? "is that of the captured launch"
				 : "differs from the captured launch; its results depend on the order of waves");
}

bool captured_run_launch(struct captured_run *r, bool warmup, struct err *e)
{
	struct softgpu_replayed now;
	if (!softprobe_run_captured(warmup ? SOFTGPU_CACHES_EMPTY : r->caches, &now))
		return err_set(e, ST_FAILED, "no captured launch is open");
	r->same_memory = now.same_memory;
	if (r->caches == SOFTGPU_CACHES_CAPTURED && r->alike == SOFTGPU_SAME_DEVICE)
		judge_as_captured(r, &now);
	else
		judge_as_point(r, &now);
	return true;
}
