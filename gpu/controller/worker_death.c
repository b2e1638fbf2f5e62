/* Kills a worker that is silent or floods, and describes why it ended. */
#include <signal.h>
#include <stdio.h>

#include "base/host_clock.h"
#include "gpu/controller/controller_state.h"

enum {
	PING_MS = 1000,
	SILENCE_MS = 5000,
	CANCEL_MS = 1000,
	/* A connection may lose a packet: TCP sends it again after 0.2 s, and doubles that each time (RFC 6298, 5.5),
	 * so six losses in a row take 13 s. */
	SILENCE_ELSEWHERE_MS = 20000,
	CANCEL_ELSEWHERE_MS = 5000,
};

/* --- killing it --- */
static void explain_kill(struct worker_controller *w, const char *why)
{
	snprintf(w->killed, sizeof w->killed, "worker%s%s killed: %s", w->via ? " on " : "", w->label, why);
}

void controller_kill_flooder(struct worker_controller *w, const char *why)
{
	if (w->ignored)
		return;
	explain_kill(w, why);
	w->kill_at = now_ms();
	w->ignored = true;
}

void controller_reject_worker(struct worker_controller *w, const char *why)
{
	w->fatal = true;
	w->fatal_status = ST_FAILED;
	snprintf(w->killed, sizeof w->killed, "%s", why);
	w->kill_at = now_ms();
	w->ignored = true;
}

static void begin_kill(struct worker_controller *w, const char *why)
{
	if (w->kill_at)
		return;
	explain_kill(w, why);
	controller_queue_request(w, json_pack("{s:s}", "type", "quit"));
	w->kill_at = now_ms() + CONTROLLER_GRACE_MS;
}

static void begin_timed_kill(struct worker_controller *w, const char *format, int ms)
	__attribute__((format(printf, 2, 0)));
static void begin_timed_kill(struct worker_controller *w, const char *format, int ms)
{
	char why[80];
	snprintf(why, sizeof why, format, ms / 1000);
	begin_kill(w, why);
}

void controller_check_timeouts(struct worker_controller *w, long long now)
{
	/* If this process was stopped (^Z) or suspended, that time does not count as silence of the worker. What it has
	 * written meanwhile was read just now. */
	long long stopped = now - w->pumped;
	if (stopped > PING_MS)
		w->heard = w->heard + stopped < now ? w->heard + stopped : now;
	int silence = w->via ? SILENCE_ELSEWHERE_MS : SILENCE_MS, cancel = w->via ? CANCEL_ELSEWHERE_MS : CANCEL_MS;
	/* Before its hello, a worker elsewhere may wait for its machine. */
	bool expected = (w->job_count || w->state == WORKER_STARTING) && (!w->via || w->limits.greeted);
	if (expected && now - w->pinged >= PING_MS) {
		controller_queue_request(w, json_pack("{s:s,s:I}", "type", "ping", "seq", ++w->ping));
		w->pinged = now;
	}
	if (expected && now - w->heard >= silence)
		begin_timed_kill(w, "no answer for %d s", silence);
	if (w->cancelled && now - w->cancelled >= cancel)
		begin_timed_kill(w, "it did not cancel within %d s", cancel);
	if (w->kill_at && now >= w->kill_at)
		kill(-w->process.pid, SIGKILL);
}

/* --- its end --- */
static void describe_activity(const struct worker_controller *w, char *out, size_t size)
{
	if (w->ending) /* the next job is not the cause */
		*out = 0;
	else if (w->job_count)
		snprintf(out, size, "%s point %lld", w->compiling ? "compiling for" : "running",
			(long long)w->jobs[0].point + 1);
	else
		snprintf(out, size, "%s", w->state == WORKER_STARTING ? "opening the device" : "");
}

static bool describe_lost_connection(struct worker_controller *w, int status, const char *what)
{
	bool hopeless;
	const struct via_end end = {w->via, w->label, status, w->limits.greeted, w->summary.last, what};
	bool lost = via_describe_end(&end, w->crash_text, sizeof w->crash_text, &hopeless);
	w->fatal |= hopeless;
	w->fatal_status = hopeless ? ST_FAILED : w->fatal_status;
	return lost;
}

void controller_handle_end(struct worker_controller *w, int status)
{
	char what[64];
	controller_read_rest(w);
	describe_activity(w, what, sizeof what);
	if (*w->killed)
		snprintf(w->crash_text, sizeof w->crash_text, "%s%s%s", w->killed, *what ? " while " : "", what);
	else if (!*w->crash_text && !(w->via && describe_lost_connection(w, status, what)))
		worker_crash_describe(w->crash_text, sizeof w->crash_text, status, &w->summary, what);
	kill(-w->process.pid, SIGKILL); /* a compiler that it may have left running */
	worker_spawn_remove_folder(&w->process);
	w->state = WORKER_DEAD;
	controller_forget_jobs(w);
	worker_spawn_close(&w->process.in);
	worker_spawn_close(&w->process.out);
	worker_spawn_close(&w->process.err);
}
