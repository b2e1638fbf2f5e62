#include "tui/lab/program/program_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"

enum { END_PAUSE_MS = 10, END_PAUSES = 1500 /* a busy machine: it ends by itself */ };
enum { TAB = 8, READS_MAX = 64 /* in a pump, so that the keyboard is never blocked */ };

/* Where the reader is in an escape sequence (ECMA-48, 5.4): ESC, then [ to a letter, or ] to BEL or ESC. */
enum escape { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_CONTROL, ESCAPE_TEXT };

struct program_process {
	pid_t pid;
	int terminal, status;
	bool reaped, output_ended;
	enum escape escape;
	char lines[PROGRAM_LINES_MAX][PROGRAM_LINE_BYTES]; /* a ring; the last one is being written */
	int count, column;                                 /* lines begun; bytes of the last one */
};

/* --- start and end --- */
static void run_child(char *const *argv)
{
	static const int caught[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGWINCH, SIGTSTP, SIGCONT};
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		signal(caught[i], SIG_DFL);
	execv(argv[0], argv);
	fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

struct program_process *program_process_start(char *const *argv, int columns, int rows, struct err *e)
{
	struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
	struct program_process *p = xcalloc(1, sizeof *p);
	p->count = 1;
	p->pid = forkpty(&p->terminal, NULL, NULL, &size);
	if (!p->pid)
		run_child(argv);
	if (p->pid > 0) {
		fcntl(p->terminal, F_SETFL, O_NONBLOCK);
		fcntl(p->terminal, F_SETFD, FD_CLOEXEC);
		return p;
	}
	err_set(e, ST_FAILED, "cannot start the program: %s", strerror(errno));
	free(p);
	return NULL;
}

void program_process_resize(struct program_process *p, int columns, int rows)
{
	struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
	if (!p->reaped)
		ioctl(p->terminal, TIOCSWINSZ, &size);
}

/* `capture` ends the program and removes its files at SIGTERM. */
static void end_process(struct program_process *p)
{
	const struct timespec pause = {0, END_PAUSE_MS * 1000000L};
	kill(p->pid, SIGTERM);
	for (int i = 0; i < END_PAUSES; i++) {
		if (waitpid(p->pid, NULL, WNOHANG) == p->pid)
			return;
		nanosleep(&pause, NULL);
	}
	kill(-p->pid, SIGKILL); /* its session: the program, too */
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void program_process_free(struct program_process *p)
{
	if (!p)
		return;
	if (!p->reaped)
		end_process(p);
	close(p->terminal);
	free(p);
}

/* --- output --- */
static char *last_line(struct program_process *p)
{
	return p->lines[(p->count - 1) % PROGRAM_LINES_MAX];
}

static void begin_line(struct program_process *p)
{
	p->count++;
	p->column = 0;
	*last_line(p) = 0;
}

static void add_byte(struct program_process *p, char c)
{
	char *line = last_line(p);
	if (p->column + 1 >= PROGRAM_LINE_BYTES)
		return;
	line[p->column++] = c;
	line[p->column] = 0;
}

/* What comes after a carriage return replaces the line. */
static void add_character(struct program_process *p, char c)
{
	if (c == '\n')
		begin_line(p);
	else if (c == '\r')
		p->column = 0;
	else if (c == '\b')
		p->column -= p->column > 0;
	else if (c == '\t')
		do
			add_byte(p, ' ');
		while (p->column % TAB && p->column + 1 < PROGRAM_LINE_BYTES);
	else if ((unsigned char)c >= ' ')
		add_byte(p, c);
}

static void read_character(struct program_process *p, char c)
{
	switch (p->escape) {
	case ESCAPE_NONE:
		if (c == 27)
			p->escape = ESCAPE_BEGUN;
		else
			add_character(p, c);
		break;
	case ESCAPE_BEGUN: p->escape = c == '[' ? ESCAPE_CONTROL : c == ']' ? ESCAPE_TEXT : ESCAPE_NONE; break;
	case ESCAPE_CONTROL: p->escape = c >= '@' && c <= '~' ? ESCAPE_NONE : ESCAPE_CONTROL; break;
	case ESCAPE_TEXT: p->escape = c == 7 ? ESCAPE_NONE : c == 27 ? ESCAPE_BEGUN : ESCAPE_TEXT; break;
	}
}

/* The terminal gives EIO when no process has it open any more. */
static bool read_output(struct program_process *p)
{
	char part[4096];
	bool any = false;
	for (int i = 0; i < READS_MAX && !p->output_ended; i++) {
		ssize_t n = read(p->terminal, part, sizeof part);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		p->output_ended = n <= 0;
		for (ssize_t k = 0; k < n; k++)
			read_character(p, part[k]);
		any = true;
	}
	return any;
}

bool program_process_pump(struct program_process *p)
{
	bool changed = read_output(p);
	int status;
	if (p->reaped || waitpid(p->pid, &status, WNOHANG) != p->pid)
		return changed;
	p->reaped = true;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

bool program_process_has_ended(const struct program_process *p, int *status)
{
	*status = p->status;
	return p->reaped;
}

int program_process_line_count(const struct program_process *p)
{
	int count = p->count - (p->column == 0); /* the last one is empty */
	return count < PROGRAM_LINES_MAX ? count : PROGRAM_LINES_MAX - 1;
}

const char *program_process_line(const struct program_process *p, int back)
{
	int last = p->count - 1 - (p->column == 0);
	return back >= program_process_line_count(p) ? NULL : p->lines[(last - back) % PROGRAM_LINES_MAX];
}

void program_process_type(struct program_process *p, const char *text)
{
	if (!p->reaped)
		(void)!write(p->terminal, text, strlen(text));
}
