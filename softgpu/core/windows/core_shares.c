#include "softgpu/core/windows/core_shares.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/host/usable_cores.h"
#include "base/min_max.h"

enum { CORES_MAX = 256, LAUNCHERS_MAX = 256, BYTES = CORES_MAX + LAUNCHERS_MAX, NONE = -1 };

/* Locks of the file are the process's, so that its launches keep apart here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool held[BYTES];
static unsigned launchers_waiting; /* launches of this process without a core */
static int file = NONE;
static pid_t process; /* that has opened it: a forked child has no lock */

/* False: another thread had the lock when the parent process forked. */
static bool enter_shares(void)
{
	enum { TRIES = 10000 };

	for (unsigned k = 0; k < TRIES; k++) {
		if (!pthread_mutex_trylock(&lock))
			return true;
		sched_yield();
	}
	return false;
}

static void leave_shares(void)
{
	pthread_mutex_unlock(&lock);
}

/* --- how many --- */
static unsigned count_running_threads(void)
{
	enum { STAT_BYTES = 1 << 16 /* it has a number for each of the host's interrupts */ };
	char *text = malloc(STAT_BYTES);
	unsigned running = 0;

	if (text && read_host_text("/proc/stat", text, STAT_BYTES)) {
		const char *found = strstr(text, "procs_running ");
		running = found ? (unsigned)atol(found + strlen("procs_running ")) : 0;
	}
	free(text);
	return running;
}

unsigned cores_count_idle(unsigned own)
{
	const unsigned running = max_u64(count_running_threads(), own), online = sysconf(_SC_NPROCESSORS_ONLN);

	return running - own < online ? online - (running - own) : 0;
}

/* --- the file --- */
static bool is_open(void)
{
	return file >= 0 && process == getpid() && syscall(SYS_fcntl, file, F_GETFD) >= 0;
}

static bool open_file(void)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	char path[4096];

	if (is_open())
		return true;
	memset(held, 0, sizeof held);
	launchers_waiting = 0;
	process = getpid();
	snprintf(path, sizeof path, "%s/wavedeck-cores-%u", folder && *folder == '/' ? folder : "/tmp",
		(unsigned)geteuid());
	file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	return file >= 0;
}

static bool set_lock(int type, unsigned byte)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};

	return syscall(SYS_fcntl, file, F_SETLK, &l) == 0;
}

static bool take_byte(unsigned first, unsigned count)
{
	for (unsigned k = first; k < first + count; k++)
		if (!held[k] && set_lock(F_WRLCK, k))
			return held[k] = true;
	return false;
}

static void give_byte_back(unsigned first, unsigned count)
{
	for (unsigned k = first + count; k-- > first;)
		if (held[k]) {
			set_lock(F_UNLCK, k);
			held[k] = false;
			return;
		}
}

/* --- shares --- */
static unsigned count_shared(void)
{
	return min_u64(usable_cores(), CORES_MAX);
}

static void take_launchers_core(struct core_share *s, unsigned cores)
{
	s->launcher = take_byte(0, cores);
	if (s->launcher != s->waits)
		return;
	if (s->launcher)
		give_byte_back(CORES_MAX, LAUNCHERS_MAX);
	else if (!take_byte(CORES_MAX, LAUNCHERS_MAX))
		return;
	s->waits = !s->launcher;
	launchers_waiting += s->waits ? 1 : -1;
}

void cores_take(struct core_share *s, unsigned helpers)
{
	if (!enter_shares())
		return;
	if (open_file()) {
		const unsigned cores = count_shared();
		if (!s->launcher)
			take_launchers_core(s, cores);
		for (; s->launcher && helpers && take_byte(0, cores); helpers--)
			s->cores++;
	}
	leave_shares();
}

bool cores_are_wanted(void)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = CORES_MAX, .l_len = LAUNCHERS_MAX};

	if (!enter_shares())
		return false;
	const bool asked = is_open() && syscall(SYS_fcntl, file, F_GETLK, &l) == 0,
		   wanted = launchers_waiting || (asked && l.l_type != F_UNLCK);
	leave_shares();
	return wanted;
}

void cores_give_back(struct core_share *s, unsigned helpers)
{
	if (!enter_shares())
		return;
	if (is_open())
		for (; helpers && s->cores; helpers--, s->cores--)
			give_byte_back(0, CORES_MAX);
	leave_shares();
}

void cores_give_back_all(struct core_share *s)
{
	cores_give_back(s, s->cores);
	if (enter_shares()) {
		if (is_open() && s->launcher)
			give_byte_back(0, CORES_MAX);
		if (is_open() && s->waits) {
			give_byte_back(CORES_MAX, LAUNCHERS_MAX);
			launchers_waiting--;
		}
		leave_shares();
	}
	*s = (struct core_share){0};
}
