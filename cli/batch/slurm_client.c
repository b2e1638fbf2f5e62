#include "cli/batch/slurm_client.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/child_program.h"
#include "gpu/protocol/record.h"

enum { WORDS_MAX = 1024, FIELDS_MAX = 6 };

/* --- programs --- */

struct words {
	char *list[WORDS_MAX];
	int count;
};

static void add_word(struct words *w, const char *text)
{
	if (w->count < WORDS_MAX - 1)
		w->list[w->count++] = xstrdup(text);
}

static void add_words(struct words *w, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		add_word(w, json_string_value(json_array_get(list, i)));
}

static void free_words(struct words *w)
{
	for (int i = 0; i < w->count; i++)
		free(w->list[i]);
	w->count = 0;
}

/* The last line that is not empty: what a program of Slurm says in the end. Cuts the text. */
static char *find_last_line(char *text)
{
	char *last = "";
	for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (*line)
			last = line;
	return last;
}

/* Runs it and frees the words. Its output is added to `out`. */
static bool run_slurm_program(struct words *w, struct buf *out, struct err *e)
{
	buf_puts(out, "");
	int status = child_run(w->list, NULL, NULL, out), error = errno;
	char *name = xstrdup(w->list[0]);
	free_words(w);
	if (status < 0 && error == ENOENT)
		err_set(e, ST_REQUEST, "%s was not found; install slurm-client or run this on a login node", name);
	else if (status < 0)
		err_set(e, ST_FAILED, "cannot run %s: %s", name, strerror(error));
	else if (status) {
		char *copy = xstrdup(out->data), *line = find_last_line(copy);
		err_set(e, ST_FAILED, "%s%.400s",
			strstr(line, name) ? ""
				: *line    ? "Slurm: "
					   : "Slurm failed: ",
			*line ? line : name);
		free(copy);
	}
	free(name);
	return status == 0;
}

bool slurm_find_programs(struct err *e)
{
	struct words w = {0};
	struct buf out = {0};
	add_word(&w, "sbatch");
	add_word(&w, "--version");
	bool ok = run_slurm_program(&w, &out, e);
	buf_free(&out);
	return ok;
}

/* Splits at '|' in place; returns the number of fields. */
static int split_fields(char *line, char *fields[FIELDS_MAX])
{
	int n = 0;
	for (char *at = line; at && n < FIELDS_MAX; n++) {
		fields[n] = at;
		at = strchr(at, '|');
		if (at)
			*at++ = 0;
	}
	return n;
}

/* --- submitting --- */

/* "0-3,7" */
static char *format_array_text(const bool *tasks, int count)
{
	struct buf out = {0};
	for (int i = 0; i < count; i++) {
		int last = i;
		if (!tasks[i])
			continue;
		while (last + 1 < count && tasks[last + 1])
			last++;
		buf_printf(&out, last > i ? "%s%d-%d" : "%s%d", out.len ? "," : "", i, last);
		i = last;
	}
	return out.data;
}

static void add_submit_words(struct words *w, const struct batch *b, const char *array, const json_t *more)
{
	char *log = batch_log_pattern(b), *script = batch_file_path(b, "task.sh"), text[80];
	add_word(w, "sbatch");
	add_word(w, "--parsable");
	snprintf(text, sizeof text, "--job-name=%.60s", batch_get_text(b, "experiment"));
	add_word(w, text);
	add_word(w, "--requeue");
	add_word(w, "--open-mode=append");
	snprintf(text, sizeof text, "--signal=B:USR1@%d", SLURM_WARNING_S);
	add_word(w, text);
	add_word(w, "--output");
	add_word(w, log);
	add_word(w, "--chdir");
	add_word(w, b->folder);
	add_words(w, json_object_get(b->description, "sbatch"));
	add_words(w, more);
	add_word(w, "--array");
	add_word(w, array);
	add_word(w, script);
	free(log);
	free(script);
}

/* The line of sbatch --parsable: "12" or "12;cluster". Others are warnings. */
static bool find_job_id(char *output, char *id, size_t size)
{
	for (char *save = NULL, *line = strtok_r(output, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		size_t n = strspn(line, "0123456789");
		if (n && (!line[n] || line[n] == ';')) {
			snprintf(id, size, "%.*s", (int)n, line);
			return true;
		}
	}
	return false;
}

static bool submit_job(struct batch *b, const bool *tasks, const char *node, const json_t *more, struct err *e)
{
	struct words w = {0};
	struct buf out = {0};
	char *array = format_array_text(tasks, batch_task_count(b)), id[32];
	json_t *all = json_array();
	if (*node) {
		char *pin = xasprintf("--nodelist=%s", node);
		json_array_append_new(all, json_string(pin));
		json_array_append_new(all, json_string("--nodes=1"));
		free(pin);
	}
	json_array_extend(all, (json_t *)more);
	add_submit_words(&w, b, array, all);
	bool ok = run_slurm_program(&w, &out, e) &&
		(find_job_id(out.data, id, sizeof id) ||
			err_set(e, ST_FAILED, "sbatch printed no job id: %.200s", out.data));
	if (ok)
		batch_add_job(b, id, tasks);
	json_decref(all);
	free(array);
	buf_free(&out);
	return ok;
}

bool slurm_submit_tasks(struct batch *b, const bool *tasks, const json_t *more, struct err *e)
{
	if (!batch_is_fleet(b))
		return submit_job(b, tasks, "", more, e);
	int count = batch_task_count(b);
	bool *one = xcalloc((size_t)count, sizeof *one), ok = true;
	for (int i = 0; i < count && ok; i++) {
		one[i] = true;
		if (tasks[i])
			ok = submit_job(b, one, batch_task_member(b, i), more, e);
		one[i] = false;
	}
	free(one);
	return ok;
}

/* --- states --- */

static const struct {
	const char *state, *words;
	enum task_phase phase;
} states_of_slurm[] = {
	{"PENDING", "waiting", TASK_PENDING},
	{"CONFIGURING", "the node is starting", TASK_PENDING},
	{"REQUEUED", "waiting", TASK_PENDING},
	{"REQUEUE_HOLD", "held", TASK_PENDING},
	{"SUSPENDED", "suspended", TASK_PENDING},
	{"RUNNING", "running", TASK_RUNNING},
	{"COMPLETING", "running", TASK_RUNNING},
	{"COMPLETED", "ended", TASK_ENDED},
	{"FAILED", "failed", TASK_ENDED},
	{"CANCELLED", "cancelled", TASK_ENDED},
	{"TIMEOUT", "time limit reached", TASK_ENDED},
	{"DEADLINE", "deadline reached", TASK_ENDED},
	{"NODE_FAIL", "node failed", TASK_ENDED},
	{"BOOT_FAIL", "the node did not start", TASK_ENDED},
	{"OUT_OF_MEMORY", "out of memory", TASK_ENDED},
	{"PREEMPTED", "preempted", TASK_ENDED},
};
enum { STATES_OF_SLURM = sizeof states_of_slurm / sizeof *states_of_slurm };

/* sacct adds words: "CANCELLED by 1000". */
static int find_slurm_state(const char *state)
{
	for (int i = 0; i < STATES_OF_SLURM; i++) {
		size_t n = strlen(states_of_slurm[i].state);
		if (!strncmp(state, states_of_slurm[i].state, n) && (!state[n] || state[n] == ' '))
			return i;
	}
	return -1;
}

const char *slurm_state_words(const char *state)
{
	int i = find_slurm_state(state);
	return i < 0 ? state : states_of_slurm[i].words;
}

static void set_task_state(struct task_state *t, const char *state, const char *node, const char *reason)
{
	int known = find_slurm_state(state);
	*t = (struct task_state){.phase = known < 0 ? TASK_ENDED : states_of_slurm[known].phase};
	snprintf(t->state, sizeof t->state, "%.*s", (int)strcspn(state, " "), state);
	snprintf(t->node, sizeof t->node, "%s", strncmp(node, "None", 4) && strcmp(node, "(null)") ? node : "");
	snprintf(t->reason, sizeof t->reason, "%s", strcmp(reason, "None") ? reason : "");
}

/* `job` and `index`: as Slurm prints them. Only the latest job of a task counts. */
static void take_task_state(const struct batch *b, struct task_state *states, const char *job, const char *index,
	const char *state, const char *node, const char *reason)
{
	char *end;
	long task = strtol(index, &end, 10);
	if (end != index && !*end && task >= 0 && task < batch_task_count(b) &&
		!strcmp(job, batch_task_job(b, (int)task)))
		set_task_state(&states[task], state, node, reason);
}

static char *join_job_ids(const struct batch *b)
{
	const json_t *jobs = json_object_get(b->description, "jobs");
	struct buf out = {0};
	for (size_t i = 0; i < json_array_size(jobs); i++)
		buf_printf(&out, "%s%s", i ? "," : "", record_get_text(json_array_get(jobs, i), "id"));
	return out.data;
}

static void read_queue_line(const struct batch *b, char *line, struct task_state *states)
{
	char *field[FIELDS_MAX];
	if (split_fields(line, field) == 5)
		take_task_state(b, states, field[0], field[1], field[2], field[3], field[4]);
}

/* "12_3|NODE_FAIL|n2" */
static void read_account_line(const struct batch *b, char *line, struct task_state *states)
{
	char *field[FIELDS_MAX], *index;
	if (split_fields(line, field) != 3 || !(index = strchr(field[0], '_')))
		return;
	*index++ = 0;
	char *end;
	long task = strtol(index, &end, 10);
	if (end != index && task >= 0 && task < batch_task_count(b) && states[task].phase == TASK_UNKNOWN)
		take_task_state(b, states, field[0], index, field[1], field[2], "");
}

static void read_state_lines(const struct batch *b, char *text, struct task_state *states,
	void (*read_line)(const struct batch *b, char *line, struct task_state *states))
{
	for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		read_line(b, line, states);
}

static bool has_unknown_task(const struct batch *b, const struct task_state *states)
{
	for (int i = 0; i < batch_task_count(b); i++)
		if (states[i].phase == TASK_UNKNOWN)
			return true;
	return false;
}

/* Slurm's controller forgets ended jobs after some minutes. The accounts, where a cluster keeps them, know them. */
static void read_accounts(const struct batch *b, const char *ids, struct task_state *states)
{
	static const char *const options[] = {"sacct", "--noheader", "--parsable2", "--allocations", "--array",
		"--format=JobID,State,NodeList", "--jobs"};
	struct words w = {0};
	struct buf out = {0};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		add_word(&w, options[i]);
	add_word(&w, ids);
	if (run_slurm_program(&w, &out, NULL))
		read_state_lines(b, out.data, states, read_account_line);
	buf_free(&out);
}

bool slurm_read_states(const struct batch *b, struct task_state *states, struct err *e)
{
	struct words w = {0};
	struct buf out = {0};
	struct err failure = {0};
	char *ids = join_job_ids(b);
	memset(states, 0, (size_t)batch_task_count(b) * sizeof *states);
	if (!ids)
		return true;
	add_word(&w, "squeue");
	add_word(&w, "--noheader");
	add_word(&w, "--array");
	add_word(&w, "--states=all");
	add_word(&w, "--format=%F|%K|%T|%N|%r");
	add_word(&w, "--jobs");
	add_word(&w, ids);
	bool ok = run_slurm_program(&w, &out, &failure);
	if (ok)
		read_state_lines(b, out.data, states, read_queue_line);
	else if (strstr(failure.text, "Invalid job id")) /* forgotten */
		ok = true;
	else if (e)
		*e = failure;
	if (ok && has_unknown_task(b, states))
		read_accounts(b, ids, states);
	buf_free(&out);
	free(ids);
	return ok;
}

bool slurm_requeue_this(struct err *e)
{
	const char *id = getenv("SLURM_JOB_ID");
	if (!id)
		return err_set(e, ST_FAILED, "SLURM_JOB_ID is not set; start this task with sbatch");
	struct words w = {0};
	struct buf out = {0};
	add_word(&w, "scontrol");
	add_word(&w, "requeue");
	add_word(&w, id);
	bool ok = run_slurm_program(&w, &out, e);
	buf_free(&out);
	return ok;
}

/* --- nodes --- */

/* Copies an option of sbatch that sinfo has too: "-p gpu", "-pgpu", "--partition gpu", "--partition=gpu". */
static void copy_option(struct words *w, const json_t *options, const char *letter, const char *name, const char *to)
{
	size_t long_size = strlen(name);
	for (size_t i = 0; i < json_array_size(options); i++) {
		const char *word = json_string_value(json_array_get(options, i)), *value = NULL;
		const char *next = json_string_value(json_array_get(options, i + 1));
		if (!strcmp(word, letter) || !strcmp(word, name))
			value = next;
		else if (!strncmp(word, name, long_size) && word[long_size] == '=')
			value = word + long_size + 1;
		else if (!strncmp(word, letter, 2) && word[1] != '-')
			value = word + 2;
		if (!value)
			continue;
		add_word(w, to);
		add_word(w, value);
	}
}

static bool node_is_usable(const char *state)
{
	static const char *const usable[] = {"idle", "mixed", "allocated", "completing", "reserved", "planned", NULL};
	for (int i = 0; usable[i]; i++)
		if (!strncmp(state, usable[i], strlen(usable[i])))
			return !strpbrk(state, "*"); /* a star: the node does not answer */
	return false;
}

static void take_node_line(char *line, struct slurm_node **nodes, int *count)
{
	char *field[FIELDS_MAX];
	if (split_fields(line, field) != 3)
		return;
	for (int i = 0; i < *count; i++) /* sinfo prints a node once for each of its partitions */
		if (!strcmp((*nodes)[i].name, field[0]))
			return;
	*nodes = xrealloc(*nodes, (size_t)(*count + 1) * sizeof **nodes);
	struct slurm_node *n = &(*nodes)[(*count)++];
	*n = (struct slurm_node){.usable = node_is_usable(field[1])};
	snprintf(n->name, sizeof n->name, "%s", field[0]);
	snprintf(n->state, sizeof n->state, "%s", field[1]);
	snprintf(n->reason, sizeof n->reason, "%s", strcmp(field[2], "none") ? field[2] : "");
}

int slurm_list_nodes(const json_t *options, struct slurm_node **nodes, struct err *e)
{
	struct words w = {0};
	struct buf out = {0};
	int count = 0;
	*nodes = NULL;
	add_word(&w, "sinfo");
	add_word(&w, "--noheader");
	add_word(&w, "--Node");
	add_word(&w, "--format=%N|%T|%E");
	copy_option(&w, options, "-p", "--partition", "--partition");
	copy_option(&w, options, "-w", "--nodelist", "--nodes");
	bool ok = run_slurm_program(&w, &out, e);
	if (ok)
		for (char *save = NULL, *line = strtok_r(out.data, "\n", &save); line;
			line = strtok_r(NULL, "\n", &save))
			take_node_line(line, nodes, &count);
	buf_free(&out);
	if (ok && !count)
		err_set(e, ST_REQUEST, "Slurm has no node for these options; `sinfo` lists partitions and nodes");
	return ok && count ? count : -1;
}
