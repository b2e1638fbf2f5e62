/* Runs clang in a child process, which can be canceled. */
#include "kernels/compile/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/host/child_program.h"
#include "kernels/compile/device_libraries.h"

enum { ERROR_MAX = 400 };

/* The running compiler. A worker runs one at a time; of several, the last one started counts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t running; /* not reaped yet, so the number cannot be reused; 0: none */

static char children_path[48]; /* of `running`: its list of child processes */

void clang_note_running(pid_t pid)
{
	pthread_mutex_lock(&lock);
	running = pid;
	snprintf(children_path, sizeof children_path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	pthread_mutex_unlock(&lock);
}

/* Terminates the processes of a list of numbers; false if it is empty. */
static bool terminate_listed(const char *list)
{
	bool any = false;
	for (int pid = 0; *list; list++) {
		if (*list >= '0' && *list <= '9')
			pid = 10 * pid + *list - '0';
		if (pid && (list[1] < '0' || list[1] > '9')) {
			kill(pid, SIGTERM);
			any = true;
			pid = 0;
		}
	}
	return any;
}

static bool terminate_children(void)
{
	char list[512];
	int in = open(children_path, O_RDONLY | O_CLOEXEC);
	ssize_t n = in < 0 ? 0 : read(in, list, sizeof list - 1);
	list[n > 0 ? n : 0] = 0;
	if (in >= 0)
		close(in);
	return terminate_listed(list);
}

/* clang works in child processes. When one is terminated, clang removes its temporary files and ends. It is stopped
 * before, so that it starts no other child. Async-signal-safe. */
static bool terminate_compiler(void)
{
	pid_t pid = running;
	if (!pid)
		return false;
	kill(pid, SIGSTOP);
	if (!terminate_children())
		kill(pid, SIGTERM);
	kill(pid, SIGCONT);
	return true;
}

bool clang_cancel(void)
{
	pthread_mutex_lock(&lock);
	bool any = terminate_compiler();
	pthread_mutex_unlock(&lock);
	return any;
}

void clang_end(void)
{
	pid_t pid = running;
	if (terminate_compiler())
		while (waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT) < 0 && errno == EINTR)
			;
}

/* --- compile --- */
struct args {
	char *list[COMPILE_ARGS_MAX + 1];
	int count;
};

static void add_arg(struct args *a, char *text)
{
	if (a->count < COMPILE_ARGS_MAX)
		a->list[a->count++] = text;
	else
		free(text);
}

static void hip_args(struct args *a, const struct toolchain *tools, const struct compile_task *t)
{
	char *libraries = device_libraries_folder(tools, t->arch, t->temporary);
	add_arg(a, xstrdup("-x"));
	add_arg(a, xstrdup("hip"));
	add_arg(a, xasprintf("--rocm-path=%s", tools->rocm));
	add_arg(a, xasprintf("--rocm-device-lib-path=%s", libraries));
	free(libraries);
	add_arg(a, xasprintf("--offload-arch=%s", t->arch));
	add_arg(a, xstrdup("--offload-device-only"));
	add_arg(a, xstrdup("--no-gpu-bundle-output"));
	add_arg(a, xstrdup("-mcode-object-version=4")); /* supported by every runtime since ROCm 4.1 */
	add_arg(a, xstrdup("-O3"));
	add_arg(a, xstrdup("--gpu-max-threads-per-block=1024"));
}

static void assembler_args(struct args *a, const struct compile_task *t)
{
	add_arg(a, xstrdup("-x"));
	add_arg(a, xstrdup("assembler"));
	add_arg(a, xstrdup("-target"));
	add_arg(a, xstrdup("amdgcn-amd-amdhsa"));
	add_arg(a, xasprintf("-mcpu=%.*s", (int)strcspn(t->arch, ":"), t->arch));
	add_arg(a, xasprintf("-I%s", t->folder));
}

/* Line tables map instructions to source lines; they do not change the code. The prefix maps make the output
 * independent of the folder of the source. */
static void line_args(struct args *a, const struct compile_task *t)
{
	add_arg(a, xstrdup("-gline-tables-only"));
	add_arg(a, xstrdup("-fdebug-compilation-dir=."));
	add_arg(a, xasprintf("-fdebug-prefix-map=%s=.", t->include));
	add_arg(a, xasprintf("-fdebug-prefix-map=%s=.", t->folder));
}

static void free_args(struct args *a)
{
	for (int i = 0; i < a->count; i++)
		free(a->list[i]);
}

/* An option of the compiler itself, which its driver does not have. */
static void add_inner_arg(struct args *a, const char *text)
{
	add_arg(a, xstrdup("-Xclang"));
	add_arg(a, xstrdup(text));
}

/* With the header at `header`, unless that is NULL. Returns the status of child_run. It can be canceled only with a
 * folder for its temporary files, because they may remain. */
static int run_compiler(const struct toolchain *tools, const struct compile_task *t, const char *output,
	const char *header, struct buf *log)
{
	struct args a = {0};
	add_arg(&a, xstrdup(tools->clang));
	add_arg(&a, xstrdup("-fno-crash-diagnostics")); /* otherwise it runs again after a child was killed */
	if (t->assembly)
		assembler_args(&a, t);
	else
		hip_args(&a, tools, t);
	add_arg(&a, xasprintf("-I%s", t->include));
	line_args(&a, t);
	for (char *const *d = t->defines; *d; d++)
		add_arg(&a, xasprintf(**d == '-' ? "%s" : t->assembly ? "-Wa,-defsym,%s" : "-D%s", *d));
	if (header) {
		add_inner_arg(&a, "-include-pch");
		add_inner_arg(&a, header);
	}
	if (t->rule && !t->assembly) {
		add_arg(&a, xstrdup("-MD"));
		add_arg(&a, xstrdup("-MF"));
		add_arg(&a, xstrdup(t->rule));
	}
	add_arg(&a, xstrdup("-o"));
	add_arg(&a, xstrdup(output));
	add_arg(&a, xstrdup(t->source));
	int status = child_run(a.list, t->temporary, t->temporary ? clang_note_running : NULL, log);
	free_args(&a);
	return status;
}

/* Without the precompiled header if it does not fit, such as after an update; an error is that of such a compile. */
static int compile(const struct toolchain *tools, const struct compile_task *t, const char *output, struct buf *log)
{
	struct buf unused = {0};
	int status = t->header ? run_compiler(tools, t, output, t->header, &unused) : -1;
	buf_free(&unused);
	if (t->header && (!status || status == CHILD_KILLED))
		return status;
	status = run_compiler(tools, t, output, NULL, log);
	if (t->header && !status)
		unlink(t->header); /* it is made again */
	return status;
}

bool clang_compile(const struct toolchain *tools, const struct compile_task *t, const char *output, struct err *e)
{
	struct buf log = {0};
	int status = compile(tools, t, output, &log);
	if (status == CHILD_KILLED)
		err_set(e, ST_FAILED, "the compiler was killed while compiling %s; possibly out of memory", t->source);
	else if (status < 0)
		err_set(e, ST_FAILED, "cannot run %s: %s", tools->clang, strerror(errno));
	else if (status)
		compiler_set_error(log.data, "the compiler failed without a message", e);
	buf_free(&log);
	return status == 0;
}

/* --- a precompiled header --- */
/* The definitions are for the source: the header has no word of them. */
static void precompiler_args(struct args *a, const struct toolchain *tools, const struct compile_task *t)
{
	add_arg(a, xstrdup(tools->clang));
	add_arg(a, xstrdup("-fno-crash-diagnostics"));
	hip_args(a, tools, t);
	for (char *const *d = t->defines; *d; d++)
		if (**d == '-')
			add_arg(a, xstrdup(*d));
	add_arg(a, xstrdup("-w"));
	add_arg(a, xstrdup("-fsyntax-only"));
	add_inner_arg(a, "-emit-pch");
}

int clang_precompile(
	const struct toolchain *tools, const struct compile_task *t, const char *source, const char *output)
{
	struct args a = {0};
	struct buf log = {0};
	precompiler_args(&a, tools, t);
	add_arg(&a, xstrdup("-MD"));
	add_arg(&a, xstrdup("-MF"));
	add_arg(&a, xstrdup(t->rule));
	add_inner_arg(&a, "-o");
	add_inner_arg(&a, output);
	add_arg(&a, xstrdup(source));
	int status = child_run(a.list, t->temporary, clang_note_running, &log);
	free_args(&a);
	buf_free(&log);
	return status;
}

/* The device libraries are linked later; their folder may be a temporary one. */
uint64_t clang_hash_arguments(const struct toolchain *tools, const struct compile_task *t, uint64_t h)
{
	static const char libraries[] = "--rocm-device-lib-path=";
	struct args a = {0};
	precompiler_args(&a, tools, t);
	for (int i = 0; i < a.count; i++)
		if (strncmp(a.list[i], libraries, sizeof libraries - 1))
			h = hash_text(h, a.list[i]);
	free_args(&a);
	return h;
}

/* --- the type of a kernel --- */
/* An incomplete type with the kernel's type as its argument: the compiler's message names it. */
static bool write_type_question(const char *path, const char *entry)
{
	FILE *f = fopen(path, "we");
	if (!f)
		return false;
	fprintf(f, "template <typename> struct wavedeck_type_of;\nwavedeck_type_of<decltype(%s)> wavedeck_question;\n",
		entry);
	return !fclose(f);
}

bool clang_print_type(
	const struct toolchain *tools, const struct compile_task *t, const char *entry, struct buf *messages)
{
	struct args a = {0};
	char *question = xasprintf("%s/question.hip", t->temporary);
	add_arg(&a, xstrdup(tools->clang));
	add_arg(&a, xstrdup("-fno-crash-diagnostics"));
	hip_args(&a, tools, t);
	add_arg(&a, xasprintf("-I%s", t->include));
	for (char *const *d = t->defines; *d; d++)
		add_arg(&a, xasprintf(**d == '-' ? "%s" : "-D%s", *d));
	add_arg(&a, xstrdup("-fsyntax-only"));
	add_arg(&a, xstrdup("-include"));
	add_arg(&a, xstrdup(t->source));
	add_arg(&a, xstrdup(question));
	int status = write_type_question(question, entry)
		? child_run(a.list, t->temporary, clang_note_running, messages)
		: -1;
	unlink(question);
	free(question);
	free_args(&a);
	return status > 0 && status != CHILD_KILLED;
}

bool clang_write_trees(const struct toolchain *tools, const struct compile_task *t, const char *name,
	const char *output, struct err *e)
{
	struct args a = {0};
	struct buf log = {0};
	/* The trees can only go to standard output. */
	add_arg(&a, xstrdup("/bin/sh"));
	add_arg(&a, xstrdup("-c"));
	add_arg(&a, xstrdup("out=$1; shift; exec \"$@\" >\"$out\""));
	add_arg(&a, xstrdup("sh"));
	add_arg(&a, xstrdup(output));
	add_arg(&a, xstrdup(tools->clang));
	add_arg(&a, xstrdup("-fno-crash-diagnostics"));
	hip_args(&a, tools, t);
	add_arg(&a, xasprintf("-I%s", t->include));
	add_arg(&a, xstrdup("-w"));
	add_arg(&a, xstrdup("-fsyntax-only"));
	add_inner_arg(&a, "-ast-dump=json");
	char *filter = xasprintf("-ast-dump-filter=%s", name);
	add_inner_arg(&a, filter);
	free(filter);
	add_arg(&a, xstrdup(t->source));
	int status = child_run(a.list, t->temporary, clang_note_running, &log);
	bool ok = !status || compiler_set_error(log.data, "the compiler failed without a message", e);
	buf_free(&log);
	free_args(&a);
	return ok;
}

bool compiler_set_error(const char *log, const char *fallback, struct err *e)
{
	const char *at = log ? strstr(log, "error:") : NULL;
	const char *line = log ? log : "";
	while (at && at > log && at[-1] != '\n')
		at--;
	if (at)
		line = at;
	line += strspn(line, "\n\r\t ");
	int length = (int)strcspn(line, "\n");
	if (!length)
		return err_set(e, ST_REQUEST, "%s", fallback);
	bool about_command = !strncmp(
		line, "clang", 5); /* "clang: error: invalid target ID": about the command line, not the source */
	return err_set(e, ST_REQUEST, "%.*s%s", length < ERROR_MAX ? length : ERROR_MAX, line,
		at && !about_command ? "; fix the kernel source" : "");
}
