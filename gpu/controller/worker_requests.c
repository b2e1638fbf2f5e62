/* Requests to a worker, and the jobs that it has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/host_clock.h"
#include "gpu/controller/controller_state.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

void controller_flush_requests(struct worker_controller *w)
{
	while (w->to.len && w->process.in >= 0) {
		ssize_t n = send(w->process.in, w->to.data, w->to.len, MSG_NOSIGNAL);
		if (n > 0)
			buf_consume(&w->to, (size_t)n);
		else if (n < 0 && errno == EINTR)
			continue;
		else
			break; /* full: the next pump continues; broken: end of file on the output shows it */
	}
}

void controller_queue_request(struct worker_controller *w, json_t *record)
{
	char *line = record_format_line(record);
	buf_puts(&w->to, line);
	free(line);
	json_decref(record);
	controller_flush_requests(w);
}

/* Takes the job. Its files are those of this machine. */
static json_t *offer_content(struct worker_controller *w, json_t *job)
{
	json_t *copy = content_offer_job(&w->offer, job, device_get_arch(w->device_record));
	json_decref(job);
	return copy;
}

bool worker_controller_send(struct worker_controller *w, json_t *request)
{
	bool job = !strcmp(record_get_type(request), "job");
	if (w->state == WORKER_DEAD || w->kill_at || (job && w->job_count == JOBS_MAX)) {
		json_decref(request);
		return false;
	}
	if (job) {
		if (!w->job_count)
			w->heard = now_ms(); /* an idle worker may be silent */
		w->jobs[w->job_count++] =
			(struct outstanding){record_get_job(request), record_get_point(request), json_incref(request)};
		if (w->state == WORKER_READY)
			w->state = WORKER_BUSY;
		if (w->via)
			request = offer_content(w, request);
	}
	controller_queue_request(w, request);
	return true;
}

void worker_controller_cancel(struct worker_controller *w)
{
	if (w->state == WORKER_DEAD || !w->job_count)
		return;
	if (!w->cancelled)
		w->cancelled = now_ms();
	w->to_cancel = w->job_count;
	controller_queue_request(w, json_pack("{s:s}", "type", "cancel"));
}

struct outstanding *controller_find_job(struct worker_controller *w, json_int_t job, json_int_t point)
{
	for (size_t i = 0; i < w->job_count; i++)
		if (w->jobs[i].job == job && w->jobs[i].point == point)
			return &w->jobs[i];
	return NULL;
}

void controller_end_job(struct worker_controller *w, json_int_t job, json_int_t point)
{
	struct outstanding *ended = controller_find_job(w, job, point);
	if (!ended)
		return;
	size_t at = (size_t)(ended - w->jobs);
	json_decref(ended->request);
	memmove(ended, ended + 1, (--w->job_count - at) * sizeof *ended);
	if (at < w->to_cancel && !--w->to_cancel)
		w->cancelled = 0;
	if (!w->job_count && w->state == WORKER_BUSY)
		w->state = WORKER_READY;
}

void controller_forget_jobs(struct worker_controller *w)
{
	while (w->job_count)
		json_decref(w->jobs[--w->job_count].request);
}
