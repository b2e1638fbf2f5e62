/* The program as a person meets it, through a pseudo-terminal: the first frame after the start, a key's answer while a
 * sweep runs, processor time when idle. The key is `?`, because only the help page writes its title; Esc takes it away
 * again. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 200, STARTS = 10 };

static char seen[1 << 20];
static size_t length;

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static const char *experiment = "channel-conflict";

static int start(pid_t *pid)
{
	struct winsize size = {.ws_col = 120, .ws_row = 36};
	char program[4096];
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		exit(1);
	snprintf(program, sizeof program, "%s/wavedeck", getenv("BUILD") ? getenv("BUILD") : "build");
	*pid = fork();
	if (!*pid) {
		setsid();
		int slave = open(ptsname(master), O_RDWR);
		ioctl(slave, TIOCSWINSZ, &size);
		for (int fd = 0; fd < 3; fd++)
			dup2(slave, fd);
		setenv("TERM", "xterm-256color", 1);
		execl(program, program, experiment, (char *)NULL);
		_exit(127);
	}
	return master;
}

/* Reads until `text` has come, for at most `ms`; true when it has. What came is then forgotten. */
static bool await(int fd, const char *text, double ms)
{
	double end = now_ms() + ms;
	while (now_ms() < end) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (poll(&p, 1, (int)(end - now_ms()) + 1) <= 0)
			continue;
		if (length > sizeof seen / 2)
			length = 0;
		ssize_t n = read(fd, seen + length, sizeof seen - length - 1);
		if (n <= 0)
			return false;
		length += (size_t)n;
		seen[length] = 0;
		if (memmem(seen, length, text, strlen(text))) {
			length = 0;
			return true;
		}
	}
	return false;
}

static void quit(int fd, pid_t pid)
{
	if (write(fd, "q", 1) != 1)
		kill(pid, SIGTERM);
	await(fd, "\n\n\n\n never", 300);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
	length = 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void report(const char *what, double *ms, int count)
{
	qsort(ms, (size_t)count, sizeof *ms, by_value);
	printf("%s: median\t%g\tms\tlower\t%s\n", what, ms[count / 2], strstr(what, "first frame") ? "15" : "-");
	printf("%s: p99\t%g\tms\tlower\t%s\n", what, ms[count * 99 / 100], strstr(what, "key") ? "16" : "-");
}

static double processor_seconds(pid_t pid)
{
	char path[64], line[1024], *p;
	unsigned long user = 0, system = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	if (f && fgets(line, sizeof line, f) && (p = strrchr(line, ')')))
		sscanf(p + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
	if (f)
		fclose(f);
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void first_frames(void)
{
	double ms[STARTS];
	pid_t pid;
	for (int i = 0; i < STARTS; i++) {
		double began = now_ms();
		int fd = start(&pid);
		if (!await(fd, "Parameters", 5000))
			puts("no frame came");
		ms[i] = now_ms() - began;
		quit(fd, pid);
	}
	report("first frame after the start", ms, STARTS);
}

/* Space starts the sweep anew whenever one may be over. */
static void keys_during_sweeps(void)
{
	double ms[KEYS];
	pid_t pid;
	int fd = start(&pid), count = 0;
	await(fd, "sweep", 5000);
	for (int i = 0; i < KEYS; i++) {
		if (i % 20 == 0 && write(fd, " ", 1) == 1)
			await(fd, "point", 2000);
		usleep(40000);
		double pressed = now_ms();
		if (write(fd, "?", 1) == 1 && await(fd, "next pane", 2000))
			ms[count++] = now_ms() - pressed;
		if (write(fd, "\033", 1) == 1)
			await(fd, "clocks", 2000);
	}
	if (count)
		report("key answered while a sweep runs", ms, count);
	if (count < KEYS)
		fprintf(stderr, "%d of %d keys had no answer\n", KEYS - count, KEYS);
	await(fd, "points measured", 30000);
	sleep(1);
	double before = processor_seconds(pid);
	await(fd, "\n\n\n\n never", 5000);
	printf("idle screen\t%g\t%% of a processor\tlower\t-\n", (processor_seconds(pid) - before) / 5 * 100);
	quit(fd, pid);
}

/* Points measured so far, from a screen drawn anew. */
static int points_done(int fd)
{
	int done = -1;
	length = 0;
	if (write(fd, "\x0c", 1) != 1)
		return done;
	double end = now_ms() + 500;
	while (now_ms() < end) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (poll(&p, 1, 50) <= 0)
			continue;
		if (length > sizeof seen / 2)
			break;
		ssize_t n = read(fd, seen + length, sizeof seen - length - 1);
		if (n <= 0)
			break;
		length += (size_t)n;
		seen[length] = 0;
		char *at = memmem(seen, length, "sweep ", 6);
		while (at && sscanf(at, "sweep %d/", &done) != 1)
			at = memmem(at + 1, length - (size_t)(at + 1 - seen), "sweep ", 6);
		if (done >= 0)
			break;
	}
	length = 0;
	return done;
}

/* A worker that tells a thousand points a second (tests/e2e/worker_double.c, built by run.sh). */
static void keys_during_a_stream(void)
{
	static const char sweep[] = ":param reads=1024..31023:+1\r";
	double ms[KEYS];
	pid_t pid;
	int count = 0;
	if (!getenv("BENCH_WORKER"))
		return;
	setenv("WAVEDECK_WORKER", getenv("BENCH_WORKER"), 1);
	setenv("WORKER_DELAY_MS", "1", 1);
	experiment = "range-latency";
	int fd = start(&pid);
	await(fd, "sweep", 5000);
	usleep(500000);
	if (write(fd, sweep, sizeof sweep - 1) != (ssize_t)sizeof sweep - 1)
		return;
	await(fd, "/30000", 5000);
	double began = now_ms(), cpu = processor_seconds(pid);
	int first = points_done(fd);
	for (int i = 0; i < KEYS; i++) {
		usleep(30000 + i % 17 * 1000);
		double pressed = now_ms();
		if (write(fd, "?", 1) == 1 && await(fd, "next pane", 2000))
			ms[count++] = now_ms() - pressed;
		if (write(fd, "\033", 1) == 1)
			await(fd, "clocks", 2000);
	}
	int last = points_done(fd);
	double seconds = (now_ms() - began) / 1000;
	if (count)
		report("key answered at a thousand points a second", ms, count);
	printf("points taken in from that worker\t%g\tpoints/s\thigher\t900\n", (last - first) / seconds);
	printf("the screen's processor time meanwhile\t%g\t%% of a processor\tlower\t-\n",
		(processor_seconds(pid) - cpu) / seconds * 100);
	if (count < KEYS)
		fprintf(stderr, "%d of %d keys had no answer\n", KEYS - count, KEYS);
	quit(fd, pid);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	first_frames();
	keys_during_sweeps();
	keys_during_a_stream();
	return 0;
}
