#include "cli/batch/batch_results.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "sessions/load/session_scan.h"

/* --- joined --- */

bool batch_add_task_sessions(struct session_join *j, const struct batch *b, int task, int starts, struct err *e)
{
	bool ok = true;
	for (int start = 0; ok && start < starts; start++) {
		char *path = batch_session_path(b, task, start);
		ok = access(path, F_OK) || session_join_add(j, path, e); /* people remove sessions */
		free(path);
	}
	return ok;
}

static void count_task_points(struct batch_results *r, const struct batch *b, int task)
{
	const struct session_join *j = &r->joins[batch_is_fleet(b) ? task : 0];
	struct point_range range = batch_task_range(b, task);
	struct task_result *t = &r->tasks[task];
	*t = (struct task_result){.points = range.count};
	for (int i = range.first; i < range.first + range.count; i++) {
		t->have += session_join_has(j, (size_t)i);
		t->failed += session_join_failed(j, (size_t)i);
	}
	r->points += t->points;
	r->have += t->have;
	r->failed += t->failed;
}

bool batch_results_load(struct batch_results *r, const struct batch *b, struct err *e)
{
	int tasks = batch_task_count(b);
	int *starts = batch_list_starts(b);
	bool ok = true;
	*r = (struct batch_results){.join_count = batch_is_fleet(b) ? tasks : 1};
	r->joins = xcalloc((size_t)r->join_count, sizeof *r->joins);
	r->tasks = xcalloc((size_t)tasks, sizeof *r->tasks);
	for (int i = 0; i < r->join_count; i++)
		session_join_init(&r->joins[i], (size_t)batch_point_count(b), json_object_get(b->description, "plan"));
	for (int task = 0; ok && task < tasks; task++) {
		ok = batch_add_task_sessions(&r->joins[batch_is_fleet(b) ? task : 0], b, task, starts[task], e);
		if (ok)
			count_task_points(r, b, task);
	}
	free(starts);
	if (!ok)
		batch_results_free(r);
	return ok;
}

void batch_results_free(struct batch_results *r)
{
	for (int i = 0; i < r->join_count; i++)
		session_join_free(&r->joins[i]);
	free(r->joins);
	free(r->tasks);
	*r = (struct batch_results){0};
}

bool task_is_complete(const struct task_result *t)
{
	return t->have == t->points && !t->failed;
}

/* --- while tasks run --- */

struct counted_file {
	int task, start;
	long long size; /* when its points were counted */
	int points;
};

static int scan_point_count(const char *path)
{
	struct session_scan *s = session_scan_open(path, false, NULL);
	while (s && session_scan_read(s, 1 << 20))
		;
	int points = s ? (int)session_scan_summary(s)->points : 0;
	session_scan_close(s);
	return points;
}

static struct counted_file *find_counted_file(struct batch_progress *p, int task, int start)
{
	for (int i = 0; i < p->count; i++)
		if (p->files[i].task == task && p->files[i].start == start)
			return &p->files[i];
	p->files = xrealloc(p->files, (size_t)(p->count + 1) * sizeof *p->files);
	p->files[p->count] = (struct counted_file){task, start, 0, 0};
	return &p->files[p->count++];
}

static int count_session_points(struct batch_progress *p, const struct batch *b, int task, int start)
{
	struct counted_file *f = find_counted_file(p, task, start);
	char *path = batch_session_path(b, task, start);
	struct stat st;
	if (!stat(path, &st) && st.st_size != f->size) {
		f->size = st.st_size;
		f->points = scan_point_count(path);
	}
	free(path);
	return f->points;
}

int batch_progress_count(struct batch_progress *p, const struct batch *b)
{
	int sum = 0, *starts = batch_list_starts(b);
	for (int task = 0; task < batch_task_count(b); task++) {
		int points = 0, most = batch_task_range(b, task).count;
		for (int start = 0; start < starts[task]; start++)
			points += count_session_points(p, b, task, start);
		sum += points < most ? points : most; /* two starts may have measured a point */
	}
	free(starts);
	return sum;
}

void batch_progress_free(struct batch_progress *p)
{
	free(p->files);
	*p = (struct batch_progress){0};
}
