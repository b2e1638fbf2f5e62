/* `gather`: joins the sessions of a batch or compares those of a fleet. */
#include <stdlib.h>
#include <string.h>

#include "cli/batch/batch_plan.h"
#include "cli/batch/batch_report.h"

static bool check_gather_format(const char *format, struct err *e)
{
	return !format || !strcmp(format, "table") || !strcmp(format, "csv") ||
		err_set(e, ST_REQUEST, "unknown format '%.40s'; use table or csv", format);
}

static bool check_gather_words(const struct batch_request *r, const struct gather_request *q, struct err *e)
{
	if (!r->words.count)
		return err_set(e, ST_REQUEST, "gather needs the folder of a batch: wavedeck gather FOLDER");
	if (r->words.count > 1)
		return err_set(
			e, ST_REQUEST, "unexpected argument '%.60s'; see `wavedeck help gather`", r->words.list[1]);
	if (r->slurm && !q->resubmit)
		return err_set(e, ST_REQUEST, "--slurm gives options for --resubmit; add it");
	return check_gather_format(q->format, e);
}

static bool check_gather_kind(const struct batch *b, const struct gather_request *q, struct err *e)
{
	if (batch_is_fleet(b) && q->output)
		return err_set(e, ST_REQUEST, "a fleet is not one session; `wavedeck compare` compares those in %s",
			b->folder);
	if (!batch_is_fleet(b) && (q->format || q->metric))
		return err_set(
			e, ST_REQUEST, "--format and --metric are for a fleet; `wavedeck export` converts a session");
	return true;
}

int command_gather(int argc, char **argv)
{
	struct err e = {0};
	struct batch b = {0};
	struct batch_request r = {0};
	struct gather_request q = {0};
	const struct option options[] = {
		{"-o", &q.output, NULL},
		{"--format", &q.format, NULL},
		{"--metric", &q.metric, NULL},
		{"--wait", NULL, &q.wait},
		{"--resubmit", NULL, &q.resubmit},
		{NULL, NULL, NULL},
	};
	bool ok = batch_request_parse(&r, options, argc, argv, &e) && check_gather_words(&r, &q, &e) &&
		batch_read(&b, r.words.list[0], &e) && check_gather_kind(&b, &q, &e);
	q.options = r.options;
	int status = ok ? batch_report(&b, &q) : command_report_failure(&e);
	batch_free(&b);
	batch_request_free(&r);
	return status;
}
