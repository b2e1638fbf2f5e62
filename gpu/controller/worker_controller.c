/* Starts a worker, keeps it running, and closes it. */
#include "gpu/controller/worker_controller.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host_clock.h"
#include "gpu/controller/controller_state.h"

enum { REAP_MS = 300 /* time for the process to end after it has closed its output */ };

struct worker_controller *worker_controller_start(const struct worker_place *place, struct err *e)
{
	struct worker_controller *w = xcalloc(1, sizeof *w);
	snprintf(w->device, sizeof w->device, "%s", place->device);
	w->via = place->via ? xstrdup(place->via) : NULL;
	if (w->via)
		via_format_label(w->via, w->label);
	bool fits = strlen(place->device) < sizeof w->device;
	if (!fits)
		err_set(e, ST_REQUEST, "device name too long: at most %zu characters are supported",
			sizeof w->device - 1);
	if (!fits || !worker_spawn(place, &w->process, e)) {
		free(w->via);
		free(w);
		return NULL;
	}
	w->pumped = w->heard = now_ms();
	return w;
}

void worker_controller_pump(struct worker_controller *w)
{
	if (w->state == WORKER_DEAD)
		return;
	int status;
	long long now = now_ms();
	controller_flush_requests(w);
	controller_read_output(w);
	if (waitpid(w->process.pid, &status, WNOHANG) == w->process.pid) {
		controller_handle_end(w, status);
		return;
	}
	if (w->process.out < 0 && !w->ended)
		w->ended = now;
	if (w->ended && now - w->ended >= REAP_MS)
		kill(-w->process.pid, SIGKILL); /* it closed its output but did not end */
	controller_check_timeouts(w, now);
	w->pumped = now;
}

/* --- close --- */
static bool wait_for_exit(struct worker_controller *w, int ms)
{
	for (long long end = now_ms() + ms; now_ms() < end; usleep(2000)) {
		if (waitpid(w->process.pid, NULL, WNOHANG) == w->process.pid)
			return true;
		controller_discard_output(w);
	}
	return false;
}

void worker_controller_close(struct worker_controller *w)
{
	if (!w)
		return;
	if (w->state != WORKER_DEAD) {
		controller_queue_request(w, json_pack("{s:s}", "type", "quit"));
		worker_spawn_close(&w->process.in);
		bool reaped = wait_for_exit(w, 1000);
		kill(-w->process.pid, SIGKILL); /* and a compiler that it may have left running */
		if (!reaped)
			waitpid(w->process.pid, NULL, 0);
	}
	worker_spawn_remove_folder(&w->process);
	worker_spawn_close(&w->process.in);
	worker_spawn_close(&w->process.out);
	worker_spawn_close(&w->process.err);
	for (json_t *r; (r = worker_controller_next_record(w));)
		json_decref(r);
	free(w->queue);
	free(w->via);
	free(w->host);
	content_offer_free(&w->offer);
	controller_forget_jobs(w);
	json_decref(w->device_record);
	buf_free(&w->to);
	buf_free(&w->from);
	buf_free(&w->err_text);
	free(w);
}

static void *close_in_thread(void *worker)
{
	worker_controller_close(worker);
	return NULL;
}

/* Only the new thread uses the worker from now on. If this process ends first, the worker reads end of file. */
void worker_controller_close_async(struct worker_controller *w)
{
	pthread_t thread;
	if (!w)
		return;
	if (pthread_create(&thread, NULL, close_in_thread, w))
		worker_controller_close(w);
	else
		pthread_detach(thread);
}

/* --- queries --- */
int worker_controller_poll_fds(const struct worker_controller *w, int fds[2])
{
	int n = 0;
	if (w->process.out >= 0)
		fds[n++] = w->process.out;
	if (w->process.err >= 0)
		fds[n++] = w->process.err;
	return n;
}

enum worker_controller_state worker_controller_state(const struct worker_controller *w)
{
	return w->state;
}

const json_t *worker_controller_device_record(const struct worker_controller *w)
{
	return w->device_record;
}

int worker_controller_pid(const struct worker_controller *w)
{
	return w->process.pid;
}

const char *worker_controller_crash_text(const struct worker_controller *w)
{
	return w->state == WORKER_DEAD ? w->crash_text : "";
}

bool worker_controller_is_ending(const struct worker_controller *w)
{
	return w->ending;
}

bool worker_controller_open_failed(const struct worker_controller *w, enum status *status)
{
	if (w->state != WORKER_DEAD || !w->fatal)
		return false;
	if (status)
		*status = w->fatal_status;
	return true;
}
