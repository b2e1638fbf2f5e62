/* The files of a lecture, of a program that is killed before any of the calls that change them, and before any of those
 * with which the next program adds what was open: each vote comes once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/temporary_folder.h"
#include "tui/views/lessons/class_session.h"

enum { CALLS_MAX = 100, KILLED = 1, ENDED = 0 };
static char *folder;
static int calls_left; /* before the process is killed; 0: it is not */

/* These stand in front of those of the C library. */
static void count_call(void)
{
	if (calls_left && !--calls_left)
		kill(getpid(), SIGKILL);
}

int unlink(const char *path)
{
	count_call();
	return (int)syscall(SYS_unlink, path);
}

int rename(const char *from, const char *to)
{
	count_call();
	return (int)syscall(SYS_rename, from, to);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	count_call();
	return syscall(SYS_write, fd, bytes, n);
}

/* Whether the function is killed before its call number `call`. */
static int run_killed(void (*f)(void), int call)
{
	int status;
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		calls_left = call;
		f();
		_exit(ENDED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), SIGKILL);
	else
		assert_int_equal(WEXITSTATUS(status), ENDED);
	return WIFSIGNALED(status) ? KILLED : ENDED;
}

/* --- a lecture --- */
static struct class_result make_result(int step, int votes, const char *time)
{
	struct class_result r = {.step = step, .total = votes, .counts = {votes}};
	snprintf(r.time, sizeof r.time, "%s", time);
	snprintf(r.lesson, sizeof r.lesson, "lds");
	r.question = (struct vote_question){.text = "One, \"two\"\nlines?", .choices = {"this", "that"}, .count = 2};
	return r;
}

static void end_vote(struct class_session *c, struct class_result r)
{
	c->results = xrealloc(c->results, (size_t)(c->result_count + 1) * sizeof *c->results);
	c->results[c->result_count++] = r;
}

/* Steps 1 and 2 are open, then 2, then none. The file of open votes is written at another time than the vote ends. */
static void hold_lecture(void)
{
	struct class_session c = {0};
	struct err e;
	struct class_result both[] = {make_result(1, 3, "10:00"), make_result(2, 4, "10:00")};
	const struct class_session open = {.results = both, .result_count = 2},
				   second = {.results = both + 1, .result_count = 1}, none = {0};
	if (!class_session_keep_open(&c, &open, &e))
		_exit(2);
	end_vote(&c, make_result(1, 3, "10:01"));
	if (!class_session_save(&c, &second, &e))
		_exit(3);
	end_vote(&c, make_result(2, 4, "10:02"));
	if (!class_session_save(&c, &none, &e))
		_exit(4);
	class_session_drop_open(&c);
}

static void recover(void)
{
	free(class_session_recover());
}

/* --- what is in the files --- */
static char *read_files(const char *pattern)
{
	char *command = xasprintf(
		"cd '%s/wavedeck/classes' 2>&1 && ls | grep -v part- | grep '%s' | xargs -r cat", folder, pattern);
	FILE *f = popen(command, "r");
	struct buf b = {0};
	int byte;
	buf_puts(&b, "");
	assert_non_null(f);
	while ((byte = fgetc(f)) != EOF)
		buf_add(&b, &(char){(char)byte}, 1);
	pclose(f);
	free(command);
	return b.data;
}

static int count_text(const char *text, const char *part)
{
	int n = 0;
	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

/* A vote has a row for each of its two choices. */
static void expect_votes_once(int call, bool lecture_began)
{
	char *lecture = read_files("csv$"), *open = read_files("open.csv$");
	const int first = count_text(lecture, ",a,this,"), columns = count_text(lecture, "time,lesson"),
		  three = count_text(lecture, ",a,this,1,3,"), four = count_text(lecture, ",a,this,1,4,");
	if (*open || columns > 1 || three > 1 || four > 1 || three + four != first || (lecture_began && first != 2) ||
		count_text(lecture, ",b,that,") != first)
		fail_msg("killed before call %d: '%s' and '%s'", call, lecture, open);
	free(open);
	free(lecture);
}

static void remove_files(void)
{
	temporary_folder_remove(folder);
	free(folder);
	folder = temporary_folder_create(NULL);
	assert_non_null(folder);
	setenv("XDG_DATA_HOME", folder, 1);
}

static bool has_open_votes(void)
{
	char *open = read_files("open.csv$");
	bool has = *open;
	free(open);
	return has;
}

/* A killed program's rows are complete in the files from when the first open votes were written. */
static void a_killed_program_leaves_each_vote_once(void **state)
{
	int call = 0, killed = KILLED;
	(void)state;
	while (killed == KILLED) {
		assert_true(++call < CALLS_MAX);
		remove_files();
		killed = run_killed(hold_lecture, call);
		const bool began = call > 1; /* the first call puts the open votes in their place */
		recover();
		expect_votes_once(call, began);
	}
	assert_true(call > 7); /* 3 files, 2 times rows, and the open ones are removed */
}

static void a_killed_recovery_adds_each_vote_once(void **state)
{
	(void)state;
	for (int lecture_call = 2; lecture_call < CALLS_MAX; lecture_call++) {
		int call = 0, killed = KILLED;
		while (killed == KILLED) {
			remove_files();
			if (run_killed(hold_lecture, lecture_call) == ENDED)
				return;
			assert_true(has_open_votes());
			killed = run_killed(recover, ++call);
			recover();
			expect_votes_once(call, true);
		}
		assert_true(call > 2); /* the rows, and the removal */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_program_leaves_each_vote_once),
		cmocka_unit_test(a_killed_recovery_adds_each_vote_once),
	};
	folder = temporary_folder_create(NULL);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	temporary_folder_remove(folder);
	free(folder);
	return failed;
}
