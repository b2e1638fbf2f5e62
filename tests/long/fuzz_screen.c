/* Random input for the real program: fuzz_screen PROGRAM SECONDS [SEED] [ARGUMENT...]
 *
 * Through a pseudo-terminal it sends keys, mouse events, pasted garbage, window sizes, stops and continues, and it
 * kills workers. From time to time the screen must answer a key with a frame within 5 s. At the end the terminal must
 * be restored and no worker may be left. The seed is printed; the same seed gives the same input, apart from timing.
 * The program's standard error, with sanitizer reports, goes to the file in FUZZ_STDERR. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { CHECK_EVERY = 150 };

static double answer_ms = 5000; /* time limit for an answer; FUZZ_ANSWER_MS */
static int master;
static pid_t program_pid, parent_pid; /* the program, and its parent, which acts as a shell */
static uint64_t state;
static char tail[1 << 16]; /* the end of the program's output, for reports */
static size_t tail_len;
static unsigned long drawn; /* bytes of output in total */

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* xorshift64* */
static unsigned random_below(unsigned n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

/* --- terminal --- */
static bool read_output(int ms)
{
	struct pollfd p = {.fd = master, .events = POLLIN};
	char block[8192];
	bool any = false;
	while (poll(&p, 1, any ? 0 : ms) > 0 && p.revents & POLLIN) {
		ssize_t n = read(master, block, sizeof block);
		if (n <= 0)
			break;
		any = true;
		drawn += (unsigned long)n;
		if (tail_len + (size_t)n > sizeof tail)
			tail_len = 0;
		memcpy(tail + tail_len, block, (size_t)n);
		tail_len += (size_t)n;
	}
	return any;
}

/* Reads output while sending: if the program is slow to read, both sides could otherwise block each other. */
static void send_bytes(const char *bytes, size_t n)
{
	while (n) {
		struct pollfd p = {.fd = master, .events = POLLOUT | POLLIN};
		poll(&p, 1, 100);
		if (p.revents & POLLIN)
			read_output(0);
		ssize_t put = p.revents & POLLOUT ? write(master, bytes, n < 256 ? n : 256) : 0;
		if (put < 0 && errno != EAGAIN)
			return;
		if (put > 0) {
			bytes += put;
			n -= (size_t)put;
		}
		if (p.revents & (POLLHUP | POLLERR) && !(p.revents & POLLIN))
			return;
	}
}

static void send_text(const char *text)
{
	send_bytes(text, strlen(text));
}

static int last_status;

/* Whether the program has ended. *status: its exit status, or 128 + the signal that ended it. */
static bool has_ended(int *status)
{
	int how;
	if (parent_pid && waitpid(parent_pid, &how, WNOHANG) == parent_pid) {
		parent_pid = 0;
		last_status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
	}
	*status = last_status;
	return !parent_pid;
}

static bool is_stopped(void)
{
	char path[64], line[512];
	snprintf(path, sizeof path, "/proc/%d/stat", program_pid);
	FILE *in = fopen(path, "r");
	char *at = in && fgets(line, sizeof line, in) ? strrchr(line, ')') : NULL;
	if (in)
		fclose(in);
	return at && at[2] == 'T';
}

/* --- random actions --- */
static void send_key(void)
{
	static const char *const special[] = {
		"\033OA",
		"\033OB",
		"\033OC",
		"\033OD",
		"\033OH",
		"\033OF",
		"\033[5~",
		"\033[6~",
		"\033[Z",
		"\033[3~",
		"\033[2~",
		"\033[1;2D",
		"\033[1;2C",
		"\033OP",
		"\033OQ",
		"\033OR",
		"\033OS",
		"\033[15~",
		"\033[24~",
		"\t",
		"\r",
		"\r",
		" ",
		" ",
		"\177",
		"\x15",
		"\x17",
		"\x0c",
		"\033",
		"\033",
	};
	static const char letters[] =
		"abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789:/?[]{}<>=+-_.,;!@#$%^&*()'\"|~`";
	char one[2] = {letters[random_below(sizeof letters - 1)], 0};
	send_text(random_below(3) ? one : special[random_below(sizeof special / sizeof *special)]);
}

static void send_click(void)
{
	char text[64];
	static const int buttons[] = {0, 0, 0, 64, 65, 1, 2, 32, 35};
	int b = buttons[random_below(sizeof buttons / sizeof *buttons)];
	unsigned x = 1 + random_below(random_below(20) ? 120 : 3000),
		 y = 1 + random_below(random_below(20) ? 40 : 3000);
	snprintf(text, sizeof text, "\033[<%d;%u;%u%c", b, x, y, random_below(3) ? 'M' : 'm');
	send_text(text);
}

static void resize_terminal(void)
{
	static const struct {
		unsigned short w, h;
	} sizes[] = {{80, 24}, {120, 36}, {200, 60}, {20, 6}, {1, 1}, {300, 3}, {3, 100}, {79, 23}};
	struct winsize s = {
		.ws_col = (unsigned short)(1 + random_below(250)), .ws_row = (unsigned short)(1 + random_below(80))};
	if (random_below(2)) {
		unsigned i = random_below(sizeof sizes / sizeof *sizes);
		s.ws_col = sizes[i].w;
		s.ws_row = sizes[i].h;
	}
	ioctl(master, TIOCSWINSZ, &s);
}

static void send_garbage(void)
{
	char text[2000];
	size_t n = 1 + random_below(random_below(4) ? 40 : sizeof text - 1);
	for (size_t i = 0; i < n; i++) {
		text[i] = (char)(1 + random_below(255));
		if (text[i] == 3 || text[i] == 26 || text[i] == 28 || text[i] == 'q') /* no interrupt, stop or quit */
			text[i] = ':';
	}
	send_bytes(text, n);
}

static void stop_and_continue(void)
{
	kill(program_pid, SIGTSTP);
	for (int i = 0; i < 50 && !is_stopped(); i++)
		read_output(20);
	read_output((int)random_below(50));
	kill(program_pid, SIGCONT);
}

/* Lists the program's child processes. */
static int list_children(pid_t *out, int most)
{
	char path[64], text[1024];
	int count = 0;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", program_pid, program_pid);
	FILE *in = fopen(path, "r");
	size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
	if (in)
		fclose(in);
	text[n] = 0;
	for (char *p = text, *end; count < most; p = end) {
		long pid = strtol(p, &end, 10);
		if (end == p)
			break;
		out[count++] = (pid_t)pid;
	}
	return count;
}

/* An editor process must not be killed: it is not a worker. */
static bool is_editor(pid_t pid)
{
	char path[64], name[32] = "";
	snprintf(path, sizeof path, "/proc/%d/comm", pid);
	FILE *in = fopen(path, "r");
	if (in && !fgets(name, sizeof name, in))
		name[0] = 0;
	if (in)
		fclose(in);
	return !strcmp(name, "sh\n") || !strcmp(name, "true\n");
}

static void kill_worker(void)
{
	static const int signals[] = {SIGKILL, SIGSEGV, SIGTERM, SIGSTOP};
	pid_t pids[16];
	int count = list_children(pids, 16);
	pid_t victim = count ? pids[random_below((unsigned)count)] : 0;
	if (victim && !is_editor(victim))
		kill(victim, signals[random_below(sizeof signals / sizeof *signals)]);
}

static void do_random_action(void)
{
	unsigned r = random_below(1000);
	if (r < 800)
		send_key();
	else if (r < 930)
		send_click();
	else if (r < 960)
		resize_terminal();
	else if (r < 980)
		send_garbage();
	else if (r < 986)
		stop_and_continue();
	else if (r < 990)
		kill_worker();
	else
		read_output((int)random_below(300));
}

/* --- checks --- */
/* Ctrl-L redraws everything: far more bytes than an update of the clock. Escapes first close whatever is open. */
static bool screen_answers(double *took)
{
	struct winsize s = {.ws_col = 80, .ws_row = 24};
	ioctl(master, TIOCSWINSZ, &s);
	if (is_stopped())
		kill(program_pid, SIGCONT);
	for (int i = 0; i < 3; i++) {
		send_text("\033");
		read_output(60);
	}
	while (read_output(30))
		;
	double asked = now_ms();
	unsigned long before = drawn;
	send_text("\x0c");
	while (now_ms() < asked + answer_ms && drawn < before + 800) {
		if (is_stopped()) /* it stopped later than stop_and_continue waited */
			kill(program_pid, SIGCONT);
		read_output(50);
	}
	*took = now_ms() - asked;
	return drawn >= before + 800;
}

/* --- start, end --- */
static _Noreturn void run_program(char *program, char **arguments, int slave)
{
	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	tcsetpgrp(slave, getpid());
	signal(SIGTTOU, SIG_DFL);
	int log =
		open(getenv("FUZZ_STDERR") ? getenv("FUZZ_STDERR") : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0644);
	dup2(slave, 0);
	dup2(slave, 1);
	dup2(log, 2);
	setenv("TERM", "xterm-256color", 1);
	arguments[0] = program;
	execv(program, arguments);
	_exit(127);
}

/* Session leader, like a shell: SIGTSTP stops only processes below one. */
static _Noreturn void run_parent_shell(char *program, char **arguments, int pid_pipe)
{
	int status = 0;
	setsid();
	int slave = open(ptsname(master), O_RDWR);
	close(master);
	signal(SIGHUP, SIG_IGN);
	pid_t pid = fork();
	if (!pid)
		run_program(program, arguments, slave);
	setpgid(pid, pid);
	if (write(pid_pipe, &pid, sizeof pid) != sizeof pid)
		_exit(1);
	close(pid_pipe);
	while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status))
		;
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void start_program(char *program, char **arguments)
{
	struct winsize size = {.ws_col = 80, .ws_row = 24};
	master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master)) {
		perror("fuzz_screen: a pseudo-terminal");
		exit(1);
	}
	int keep = open(ptsname(master),
		O_RDWR | O_NOCTTY); /* keeps the terminal open after the program ends, to read its modes */
	fcntl(keep, F_SETFD, FD_CLOEXEC);
	ioctl(keep, TIOCSWINSZ, &size);
	int pid_pipe[2];
	if (pipe2(pid_pipe, O_CLOEXEC))
		exit(1);
	parent_pid = fork();
	if (!parent_pid)
		run_parent_shell(program, arguments, pid_pipe[1]);
	close(pid_pipe[1]);
	if (read(pid_pipe[0], &program_pid, sizeof program_pid) != sizeof program_pid)
		exit(1);
	close(pid_pipe[0]);
}

static int report_failure(const char *why, uint64_t seed, long steps)
{
	char text[200];
	printf("not ok - seed %llu, step %ld: %s\n# end of its output:\n", (unsigned long long)seed, steps, why);
	size_t from = tail_len > 2000 ? tail_len - 2000 : 0;
	for (size_t i = from; i < tail_len; i += 100) {
		size_t n = 0;
		for (size_t k = i; k < i + 100 && k < tail_len; k++)
			text[n++] = (tail[k] >= ' ' && tail[k] < 127) ? tail[k] : '.';
		printf("#  %.*s\n", (int)n, text);
	}
	pid_t pids[16];
	int count = list_children(pids, 15);
	pids[count] = program_pid;
	for (int i = 0; i <= count; i++) { /* S: sleeping, T: stopped, Z: zombie */
		snprintf(text, sizeof text,
			"sed -n 's/^/# /; /^# \\(Name\\|State\\|Pid\\)/p' /proc/%d/status; sed 's/^/# /' /proc/%d/wchan; echo",
			pids[i], pids[i]);
		if (system(text))
			break;
	}
	kill(program_pid, SIGABRT); /* the sanitizer prints a stack trace */
	usleep(2000000);
	kill(program_pid, SIGKILL);
	if (parent_pid)
		kill(parent_pid, SIGKILL);
	return 1;
}

static int report_exit(int status, uint64_t seed, long steps)
{
	char why[100];
	snprintf(why, sizeof why, "the program ended unexpectedly with status %d (128 + signal)", status);
	return report_failure(why, seed, steps);
}

static bool wait_for_exit(int ms, int *status)
{
	for (double end = now_ms() + ms; now_ms() < end; read_output(20))
		if (has_ended(status))
			return true;
	return false;
}

static bool modes_are_restored(const struct termios *before)
{
	struct termios after;
	tcgetattr(master, &after);
	return after.c_lflag == before->c_lflag && after.c_iflag == before->c_iflag && after.c_oflag == before->c_oflag;
}

static bool output_contains(const char *text)
{
	return memmem(tail, tail_len, text, strlen(text)) != NULL;
}

static const char *find_last(const char *text)
{
	const char *found = NULL, *at = tail;
	size_t n = strlen(text);
	while ((at = memmem(at, tail_len - (size_t)(at - tail), text, n)))
		found = at++;
	return found;
}

/* The alternate screen and the mouse are switched off at the end. */
static bool screen_is_restored(void)
{
	const char *on = find_last("1000h"), *off = find_last("1000l");
	return output_contains("\033[?1049l") && (!on || (off && off > on));
}

static int finish_program(uint64_t seed, long steps, const struct termios *before)
{
	int status = 0;
	pid_t pids[16];
	int count = list_children(pids, 16);
	for (int i = 0; i < count; i++)
		kill(pids[i], SIGCONT);
	kill(program_pid, SIGCONT);
	send_text("\033");
	read_output(200);
	send_text("\033");
	read_output(200);
	kill(program_pid, SIGTERM); /* not a key: keys may have been rebound */
	if (!wait_for_exit(20000, &status))
		return report_failure("the program does not end after SIGTERM", seed, steps);
	read_output(100);
	if (status && status != 130 && status != 128 + SIGTERM)
		return report_exit(status, seed, steps);
	if (!modes_are_restored(before))
		return report_failure("the terminal's modes are not as before", seed, steps);
	if (!screen_is_restored())
		return report_failure("the alternate screen or the mouse is left on", seed, steps);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < 100 && !kill(pids[i], 0); k++)
			usleep(100000);
	for (int i = 0; i < count; i++)
		if (!kill(pids[i], 0))
			return report_failure("a worker is still running", seed, steps);
	return 0;
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 60, slowest = 0, took;
	uint64_t seed = argc > 3 && strtoull(argv[3], NULL, 10) ? strtoull(argv[3], NULL, 10) : (uint64_t)time(NULL);
	struct termios before;
	int status = 0, asked = 0;
	long steps = 0;
	if (argc < 2)
		return 2;
	if (getenv("FUZZ_ANSWER_MS"))
		answer_ms = atof(getenv("FUZZ_ANSWER_MS"));
	state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	printf("# seed %llu, %g s\n", (unsigned long long)seed, seconds);
	fflush(stdout);
	signal(SIGPIPE, SIG_IGN);
	start_program(argv[1], argc > 3 ? argv + 3 : argv + argc - 1);
	tcgetattr(master, &before);
	fcntl(master, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 100 && drawn < 1000; i++)
		read_output(100);
	for (double end = now_ms() + seconds * 1000; now_ms() < end; steps++) {
		do_random_action();
		read_output(random_below(4) ? 0 : 15);
		if (has_ended(&status)) {
			if (output_contains("?1049l") && status == 0) { /* a click on quit, or q */
				if (!modes_are_restored(&before))
					return report_failure("the terminal's modes are not as before", seed, steps);
				close(master);
				start_program(argv[1], argc > 3 ? argv + 3 : argv + argc - 1);
				fcntl(master, F_SETFL, O_NONBLOCK);
				for (int i = 0; i < 100 && drawn < 1000; i++)
					read_output(100);
				continue;
			}
			return report_exit(status, seed, steps);
		}
		if (steps % CHECK_EVERY == CHECK_EVERY - 1) {
			bool answered = screen_answers(&took);
			if (!answered && !has_ended(&status)) /* it may just have quit */
				return report_failure("no frame in time", seed, steps);
			slowest = answered && took > slowest ? took : slowest;
			asked += answered;
		}
	}
	int result = finish_program(seed, steps, &before);
	if (!result)
		printf("ok - %ld steps in %g s, checked %d times, slowest answer %.0f ms (seed %llu)\n", steps, seconds,
			asked, slowest, (unsigned long long)seed);
	return result;
}
