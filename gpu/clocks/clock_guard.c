#include "gpu/clocks/clock_guard.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gpu/clocks/lock_note.h"

/* A batch system that ends a job ends the front end at the same time, which still keeps its last point. */
enum { TERM_MS = 10000 };

static volatile sig_atomic_t must_end;

static void note_term(int number)
{
	(void)number;
	must_end = 1;
}

/* A key or a closed terminal ends the front end, which ends this process. */
static void catch_signals(void)
{
	static const int ignored[] = {SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, term = {.sa_handler = note_term};
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		sigaction(ignored[i], &ignore, NULL);
	sigaction(SIGTERM, &term, NULL);
}

static void answer(json_t *o)
{
	json_dumpf(o, stdout, JSON_COMPACT);
	putchar('\n');
	fflush(stdout);
	json_decref(o);
}

static int answer_error(const struct err *e)
{
	answer(json_pack("{s:s, s:i}", "refusal", e->text, "exit", (int)e->status));
	return (int)e->status;
}

/* The pid of the front end is that of the parent: when it has ended, this process already gives the clock back. */
static struct clock_note make_note(const char *device, unsigned mhz)
{
	struct clock_note n = {.mhz = mhz, .pid = (int)getppid()};
	snprintf(n.device, sizeof n.device, "%s", device);
	return n;
}

/* The note comes first, so that a clock is never locked without one. Who may not write it may not lock the clock
 * either, as a rule, and the library's error says more. The descriptor of the note, or -1. */
static int lock_with_note(const struct clock_locker *l, const struct clock_note *n, struct err *e)
{
	struct err unnoted = {0};
	int note = clock_note_write(n, &unnoted);
	struct clock_note other;
	if (note < 0 && clock_note_read(n->device, &other) && other.held) {
		*e = unnoted;
		return -1;
	}
	bool locked = l->lock(n->mhz, e);
	if (locked && note < 0) {
		*e = unnoted;
		l->unlock(NULL);
	}
	if (!locked && note >= 0)
		clock_note_drop(n->device, note);
	return locked ? note : -1;
}

static void await_end(void)
{
	char text[64];
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	for (int ready; (ready = poll(&in, 1, must_end ? TERM_MS : -1));)
		if (ready > 0 && read(STDIN_FILENO, text, sizeof text) == 0)
			return;
}

static int give_back(const struct clock_locker *l, const char *device, int note)
{
	struct err e = {0};
	if (!l->unlock(&e))
		return answer_error(&e); /* the note stays */
	clock_note_drop(device, note);
	return ST_OK;
}

int clock_guard_main(const char *device, unsigned mhz)
{
	struct err e = {0};
	const char *rest;
	const struct backend *b = backend_find(device, &rest);
	struct clock_note n = make_note(device, mhz);
	catch_signals();
	if (!b || !b->clock || !mhz) {
		err_set(&e, ST_REQUEST, "%.100s has no clock that can be locked", device);
		return answer_error(&e);
	}
	int note = b->clock->prepare(rest, mhz, n.give_back, &e) ? lock_with_note(b->clock, &n, &e) : -1;
	if (note < 0)
		return answer_error(&e);
	answer(json_pack("{s:i, s:s}", "mhz", (int)mhz, "give_back", n.give_back));
	await_end();
	return give_back(b->clock, device, note);
}
