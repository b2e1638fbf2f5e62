/* `fleet`: measures the same points on every node of a partition, and compares the nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/batch/batch_plan.h"
#include "cli/batch/batch_report.h"
#include "cli/batch/slurm_client.h"

struct fleet_nodes {
	json_t *used, *left_out;
};

static bool find_fleet_nodes(const json_t *options, struct fleet_nodes *out, struct err *e)
{
	struct slurm_node *nodes;
	int count = slurm_list_nodes(options, &nodes, e);
	*out = (struct fleet_nodes){json_array(), json_array()};
	for (int i = 0; i < count; i++) {
		const struct slurm_node *n = &nodes[i];
		if (n->usable) {
			json_array_append_new(out->used, json_utf8_string(n->name));
			continue;
		}
		char *reason = xasprintf("%s%s%s", n->state, *n->reason ? ": " : "", n->reason);
		json_array_append_new(out->left_out,
			json_pack("{s:o, s:o}", "node", json_utf8_string(n->name), "reason", json_utf8_string(reason)));
		free(reason);
	}
	free(nodes);
	if (count > 0 && !json_array_size(out->used))
		return err_set(e, ST_FAILED, "none of the %d nodes can run a job; `sinfo -R` shows why", count);
	return count > 0;
}

static void free_fleet_nodes(struct fleet_nodes *n)
{
	json_decref(n->used);
	json_decref(n->left_out);
}

static bool submit_fleet(struct batch *b, const struct batch_request *q, struct err *e)
{
	struct fleet_nodes nodes;
	bool ok = find_fleet_nodes(q->options, &nodes, e);
	json_t *fleet = json_pack("{s:O}", "nodes", nodes.used);
	if (json_array_size(nodes.left_out))
		json_object_set(fleet, "left_out", nodes.left_out);
	ok = ok && batch_prepare(b, q, fleet, e) && batch_submit(b, e);
	json_decref(fleet);
	free_fleet_nodes(&nodes);
	return ok;
}

static int run_fleet(const struct batch_request *q, const char *format)
{
	struct err e = {0};
	struct batch b = {0};
	int status;
	if (!submit_fleet(&b, q, &e)) {
		status = command_report_failure(&e);
	} else if (q->no_wait) {
		printf("%d nodes: %d points each of %s\nfolder: %s\nnext: wavedeck gather %s --wait\n",
			batch_task_count(&b), batch_point_count(&b), batch_get_text(&b, "experiment"), b.folder,
			b.folder);
		status = ST_OK;
	} else {
		command_printf_error("%d nodes, folder %s", batch_task_count(&b), b.folder);
		status = batch_report(&b, &(struct gather_request){.format = format, .wait = true});
	}
	batch_free(&b);
	return status;
}

int command_fleet(int argc, char **argv)
{
	struct err e = {0};
	struct batch_request q = {0};
	const char *format = NULL;
	const struct option options[] = {
		{"--device", &q.device, NULL},
		{"--counters", &q.counters, NULL},
		{"--lock-clocks", &q.lock_clocks, NULL},
		{"--stop", &q.stop, NULL},
		{"--flush-l2", NULL, &q.flush_l2},
		{"--folder", &q.folder, NULL},
		{"--metric", &q.metric, NULL},
		{"--format", &format, NULL},
		{"--no-verify", NULL, &q.no_verify},
		{"--trust", NULL, &q.trust},
		{"--no-wait", NULL, &q.no_wait},
		{NULL, NULL, NULL},
	};
	bool ok = batch_request_parse(&q, options, argc, argv, &e);
	if (ok && !q.words.count)
		ok = err_set(&e, ST_REQUEST, "fleet needs an experiment; `wavedeck list` lists them");
	else if (ok && !q.slurm)
		ok = err_set(&e, ST_REQUEST,
			"fleet needs --slurm, the batch system; options of sbatch may follow it: --slurm -p gpu");
	else if (ok && format && strcmp(format, "table") && strcmp(format, "csv"))
		ok = err_set(&e, ST_REQUEST, "unknown format '%.40s'; use table or csv", format);
	int status = ok ? run_fleet(&q, format) : command_report_failure(&e);
	batch_request_free(&q);
	return status;
}
