/* `batch`: submits a plan to Slurm as an array job, a chunk of points for each task. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/batch/batch_plan.h"
#include "cli/batch/slurm_client.h"

static void report_submission(const struct batch *b)
{
	struct point_range first = batch_task_range(b, 0);
	int tasks = batch_task_count(b);
	printf("job %s: %d point%s of %s on %s in %d task%s of at most %d\n", batch_task_job(b, 0),
		batch_point_count(b), batch_point_count(b) == 1 ? "" : "s", batch_get_text(b, "experiment"),
		batch_get_text(b, "device"), tasks, tasks == 1 ? "" : "s", first.count);
	printf("folder: %s\n", b->folder);
	printf("next: wavedeck gather %s --wait\n", b->folder);
}

static bool submit_batch(const struct batch_request *q, struct err *e)
{
	struct batch b = {0};
	bool ok = slurm_find_programs(e) && batch_prepare(&b, q, NULL, e) && batch_submit(&b, e);
	if (ok)
		report_submission(&b);
	batch_free(&b);
	return ok;
}

int command_batch(int argc, char **argv)
{
	struct err e = {0};
	struct batch_request q = {0};
	const struct option options[] = {
		{"--device", &q.device, NULL},
		{"--counters", &q.counters, NULL},
		{"--lock-clocks", &q.lock_clocks, NULL},
		{"--stop", &q.stop, NULL},
		{"--flush-l2", NULL, &q.flush_l2},
		{"--folder", &q.folder, NULL},
		{"--chunk", &q.chunk, NULL},
		{"--no-verify", NULL, &q.no_verify},
		{"--trust", NULL, &q.trust},
		{NULL, NULL, NULL},
	};
	bool ok = batch_request_parse(&q, options, argc, argv, &e);
	if (ok && !q.words.count)
		ok = err_set(&e, ST_REQUEST, "batch needs an experiment; `wavedeck list` lists them");
	else if (ok && !q.slurm)
		ok = err_set(&e, ST_REQUEST,
			"batch needs --slurm, the batch system; options of sbatch may follow it: --slurm -p gpu --time=60");
	ok = ok && submit_batch(&q, &e);
	batch_request_free(&q);
	return ok ? ST_OK : command_report_failure(&e);
}
