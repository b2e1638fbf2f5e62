#include "cli/batch/batch_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "experiments/definition/sweep_plan.h"
#include "sessions/load/plan_order.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/record.h"

enum { STARTS_MAX = 10000, DESCRIPTION_MAX = 16 << 20 /* bytes */ };

static const char description_name[] = "batch.json";

/* --- the folder --- */

bool batch_folder_create(const char *folder, char **absolute, struct err *e)
{
	if (mkdir(folder, 0777) && (errno != EEXIST || rmdir(folder) || mkdir(folder, 0777)))
		return err_set(e, ST_REQUEST, "cannot create the folder %s: %s; choose another one with --folder DIR",
			folder, errno == ENOTEMPTY || errno == EEXIST ? "it is not empty" : strerror(errno));
	*absolute = realpath(folder, NULL);
	if (*absolute && strchr(*absolute, '\\')) /* sbatch gives it a meaning in the names of logs */
		return err_set(
			e, ST_REQUEST, "Slurm cannot use %s, which has a backslash; choose another folder", folder);
	return *absolute || err_set(e, ST_REQUEST, "cannot read the folder %s: %s", folder, strerror(errno));
}

char *batch_file_path(const struct batch *b, const char *name)
{
	return xasprintf("%s/%s", b->folder, name);
}

static bool has_planned_points(const struct batch *b)
{
	const json_t *plan = json_object_get(b->description, "plan");
	size_t points = plan_count_points(plan);
	return json_is_object(plan) && points <= PLAN_POINTS_MAX && (int)points == batch_point_count(b);
}

/* A part of a path that stays in its folder. */
static bool is_file_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if (*c == '/' || (unsigned char)*c < ' ')
			return false;
	return *name && *name != '.';
}

static bool check_description(const struct batch *b, const char *folder, struct err *e)
{
	json_int_t schema = header_get_schema(b->description);
	if (schema > BATCH_SCHEMA)
		return err_set(e, ST_REQUEST,
			"%s was written by a newer wavedeck (schema %" JSON_INTEGER_FORMAT
			", this version reads %d); update wavedeck",
			folder, schema, BATCH_SCHEMA);
	if (strcmp(record_get_type(b->description), "batch") || batch_point_count(b) < 1 || batch_task_count(b) < 1 ||
		!has_planned_points(b) || !is_file_name(batch_get_text(b, "experiment")) ||
		(*batch_get_text(b, "definition") && !is_file_name(batch_get_text(b, "definition"))))
		return err_set(e, ST_REQUEST, "%s/%s does not describe a batch; name a folder of `wavedeck batch`",
			folder, description_name);
	return true;
}

bool batch_read(struct batch *b, const char *folder, struct err *e)
{
	*b = (struct batch){.folder = realpath(folder, NULL)};
	char *path = xasprintf("%s/%s", folder, description_name);
	struct buf text = {0};
	const char *why;
	if (b->folder && input_file_read(path, DESCRIPTION_MAX, &text, &why))
		b->description = json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES, NULL);
	buf_free(&text);
	if (!b->description)
		err_set(e, ST_REQUEST, "cannot read %s; name a folder that `wavedeck batch` or `wavedeck fleet` wrote",
			path);
	bool ok = b->description && check_description(b, folder, e);
	free(path);
	if (!ok)
		batch_free(b);
	return ok;
}

static void print_description(FILE *out, const void *description)
{
	json_dumpf(description, out, JSON_INDENT(1));
	fputc('\n', out);
}

bool batch_write(const struct batch *b, struct err *e)
{
	char *path = batch_file_path(b, description_name);
	bool ok = file_write_atomic(path, print_description, b->description, "; check the folder", e);
	free(path);
	return ok;
}

void batch_free(struct batch *b)
{
	json_decref(b->description);
	free(b->folder);
	*b = (struct batch){0};
}

/* --- the description --- */

static int get_count(const struct batch *b, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(b->description, key));
	return n < 0 || n > INT_MAX ? 0 : (int)n;
}

int batch_point_count(const struct batch *b)
{
	return get_count(b, "points");
}

int batch_count_chunks(int points, int chunk)
{
	return points / chunk + (points % chunk != 0);
}

bool batch_is_local(const struct batch *b)
{
	return json_is_array(json_object_get(b->description, "devices"));
}

/* Its nodes or devices. */
static const json_t *get_members(const struct batch *b)
{
	return json_object_get(b->description, batch_is_local(b) ? "devices" : "nodes");
}

bool batch_is_fleet(const struct batch *b)
{
	return json_is_array(get_members(b));
}

int batch_task_count(const struct batch *b)
{
	int chunk = get_count(b, "chunk");
	return batch_is_fleet(b) ? (int)json_array_size(get_members(b))
		: chunk          ? batch_count_chunks(batch_point_count(b), chunk)
				 : 0;
}

const char *batch_get_text(const struct batch *b, const char *key)
{
	return record_get_text(b->description, key);
}

const char *batch_task_member(const struct batch *b, int task)
{
	const char *name = json_string_value(json_array_get(get_members(b), (size_t)task));
	return name ? name : "";
}

const char *batch_task_device(const struct batch *b, int task)
{
	return batch_is_local(b) ? batch_task_member(b, task) : batch_get_text(b, "device");
}

struct point_range batch_task_range(const struct batch *b, int task)
{
	int points = batch_point_count(b), chunk = get_count(b, "chunk");
	if (batch_is_fleet(b))
		return (struct point_range){0, points};
	int first = task * chunk, left = points - first;
	return (struct point_range){first, left < chunk ? left : chunk};
}

/* --- sessions and logs --- */

char *batch_session_path(const struct batch *b, int task, int start)
{
	return xasprintf("%s/task-%04d.r%d.wbs", b->folder, task, start);
}

char *batch_log_path(const struct batch *b, int task)
{
	return xasprintf("%s/task-%04d.log", b->folder, task);
}

char *batch_log_pattern(const struct batch *b)
{
	struct buf out = {0};
	for (const char *c = b->folder; *c; c++)
		buf_add(&out, "%%", *c == '%'), buf_add(&out, c, 1);
	buf_puts(&out, "/task-%4a.log");
	return out.data;
}

/* A session may have been removed: the next number is behind the last one that is there. */
int *batch_list_starts(const struct batch *b)
{
	int tasks = batch_task_count(b), *starts = xcalloc((size_t)tasks, sizeof *starts);
	DIR *d = opendir(b->folder);
	for (struct dirent *entry; d && (entry = readdir(d));) {
		int task, start, end = 0;
		if (sscanf(entry->d_name, "task-%d.r%d.wbs%n", &task, &start, &end) == 2 && end &&
			!entry->d_name[end] && task >= 0 && task < tasks && start >= starts[task] && start < STARTS_MAX)
			starts[task] = start + 1;
	}
	if (d)
		closedir(d);
	return starts;
}

int batch_count_starts(const struct batch *b, int task)
{
	int *starts = batch_list_starts(b), count = starts[task];
	free(starts);
	return count;
}

int batch_claim_start(const struct batch *b, int task, struct err *e)
{
	for (int start = batch_count_starts(b, task); start < STARTS_MAX; start++) {
		char *path = batch_session_path(b, task, start);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644), error = errno;
		if (fd < 0 && error != EEXIST)
			err_set(e, ST_FAILED, "cannot create %s: %s; all nodes must be able to write to the folder",
				path, strerror(error));
		free(path);
		if (fd >= 0) {
			close(fd);
			return start;
		}
		if (error != EEXIST)
			return -1;
	}
	err_set(e, ST_FAILED, "task %d was started %d times; remove its empty sessions", task, STARTS_MAX);
	return -1;
}

/* --- jobs --- */

void batch_add_job(struct batch *b, const char *id, const bool *tasks)
{
	json_t *jobs = json_object_get(b->description, "jobs"), *list = json_array();
	for (int i = 0; i < batch_task_count(b); i++)
		if (tasks[i])
			json_array_append_new(list, json_integer(i));
	if (!jobs) {
		jobs = json_array();
		json_object_set_new(b->description, "jobs", jobs);
	}
	json_array_append_new(jobs, json_pack("{s:s, s:o}", "id", id, "tasks", list));
}

static bool job_has_task(const json_t *job, int task)
{
	const json_t *list = json_object_get(job, "tasks");
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_integer_value(json_array_get(list, i)) == task)
			return true;
	return false;
}

const char *batch_task_job(const struct batch *b, int task)
{
	const json_t *jobs = json_object_get(b->description, "jobs");
	for (size_t i = json_array_size(jobs); i-- > 0;)
		if (job_has_task(json_array_get(jobs, i), task))
			return record_get_text(json_array_get(jobs, i), "id");
	return "";
}
