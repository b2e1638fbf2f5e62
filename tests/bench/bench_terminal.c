/* The program as a user sees it, through a pseudo-terminal: time to the first frame, response to a key during a sweep,
 * CPU time when idle. The key is `?`, because only the help page prints its title; Esc closes it. */
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

static int start_program(pid_t *pid)
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

/* Reads output until `text` appears, for at most `ms`; true if it did. Then discards the output. */
static bool wait_for_text(int fd, const char *text, double ms)
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

static void quit_program(int fd, pid_t pid)
{
	if (write(fd, "qq", 2) != 2) /* the second one: without saving the curves */
		kill(pid, SIGTERM);
	wait_for_text(fd, "\n\n\n\n never", 300);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
	length = 0;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_figures(const char *what, double *ms, int count)
{
	qsort(ms, (size_t)count, sizeof *ms, compare_doubles);
	printf("%s: median\t%g\tms\tlower\t%s\n", what, ms[count / 2], strstr(what, "first frame") ? "15" : "-");
	printf("%s: p99\t%g\tms\tlower\t%s\n", what, ms[count * 99 / 100], strstr(what, "key") ? "16" : "-");
}

static double cpu_seconds(pid_t pid)
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

static void time_first_frames(void)
{
	double ms[STARTS];
	pid_t pid;
	for (int i = 0; i < STARTS; i++) {
		double start = now_ms();
		int fd = start_program(&pid);
		if (!wait_for_text(fd, "Parameters", 5000))
			puts("no frame appeared");
		ms[i] = now_ms() - start;
		quit_program(fd, pid);
	}
	print_figures("first frame after the start", ms, STARTS);
}

/* Space restarts the sweep before it can be complete. */
static void time_keys_during_sweeps(void)
{
	double ms[KEYS];
	pid_t pid;
	int fd = start_program(&pid), count = 0;
	wait_for_text(fd, "sweep", 5000);
	for (int i = 0; i < KEYS; i++) {
		if (i % 20 == 0 && write(fd, " ", 1) == 1)
			wait_for_text(fd, "point", 2000);
		usleep(40000);
		double pressed = now_ms();
		if (write(fd, "?", 1) == 1 && wait_for_text(fd, "On the screen now", 2000))
			ms[count++] = now_ms() - pressed;
		if (write(fd, "\033", 1) == 1)
			wait_for_text(fd, "Experiments", 2000);
	}
	if (count)
		print_figures("key answered while a sweep runs", ms, count);
	if (count < KEYS)
		fprintf(stderr, "%d of %d keys were not answered\n", KEYS - count, KEYS);
	wait_for_text(fd, "points measured", 30000);
	sleep(1);
	double before = cpu_seconds(pid);
	wait_for_text(fd, "\n\n\n\n never", 5000);
	printf("idle screen\t%g\t%% of a CPU\tlower\t-\n", (cpu_seconds(pid) - before) / 5 * 100);
	quit_program(fd, pid);
}

/* Points measured so far, read from a full redraw of the screen. */
static int read_points_done(int fd)
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

/* A fake worker that sends a thousand points per second (tests/e2e/worker_double.c, built by run.sh). */
static void time_keys_during_stream(void)
{
	static const char sweep[] = ":param reads=1024..101023:+1\r";
	double ms[KEYS];
	pid_t pid;
	int count = 0;
	if (!getenv("BENCH_WORKER"))
		return;
	setenv("WAVEDECK_WORKER", getenv("BENCH_WORKER"), 1);
	setenv("WORKER_DELAY_MS", "1", 1);
	experiment = "range-latency";
	int fd = start_program(&pid);
	wait_for_text(fd, "sweep", 5000);
	usleep(500000);
	if (write(fd, sweep, sizeof sweep - 1) != (ssize_t)sizeof sweep - 1)
		return;
	wait_for_text(fd, "/100000", 5000);
	double start = now_ms(), cpu = cpu_seconds(pid);
	int first = read_points_done(fd);
	for (int i = 0; i < KEYS; i++) {
		usleep(30000 + i % 17 * 1000);
		double pressed = now_ms();
		if (write(fd, "?", 1) == 1 && wait_for_text(fd, "On the screen now", 2000))
			ms[count++] = now_ms() - pressed;
		if (write(fd, "\033", 1) == 1)
			wait_for_text(fd, "Experiments", 2000);
	}
	int last = read_points_done(fd);
	double seconds = (now_ms() - start) / 1000;
	if (count)
		print_figures("key answered at 1000 points/s, sweep of 100,000", ms, count);
	printf("points read from that worker\t%g\tpoints/s\thigher\t900\n", (last - first) / seconds);
	printf("CPU time of the screen at that rate\t%g\t%% of a CPU\tlower\t-\n",
		(cpu_seconds(pid) - cpu) / seconds * 100);
	if (count < KEYS)
		fprintf(stderr, "%d of %d keys were not answered\n", KEYS - count, KEYS);
	quit_program(fd, pid);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	time_first_frames();
	time_keys_during_sweeps();
	time_keys_during_stream();
	return 0;
}
