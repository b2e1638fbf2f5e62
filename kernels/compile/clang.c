/* Runs clang in a child process, without the software GPU or anything else that is preloaded into this process. */
#include "kernels/compile/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LOG_MAX = 1 << 20, KILLED = 128 /* as an exit status */, ERROR_MAX = 400 };

/* The compiler of the build first, so that kernels compiled at run time equal prebuilt ones. */
static const char *const candidates[] = {
	"clang++-15",
	"clang++-16",
	"clang++-17",
	"clang++-18",
	"clang++-19",
	"/opt/rocm/llvm/bin/clang++",
	"/opt/rocm/lib/llvm/bin/clang++",
};
/* Device libraries of Linux distributions; a ROCm clang finds its own. */
static const char *const bitcode[] = {
	"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode", "/usr/amdgcn/bitcode"};

static struct {
	pthread_once_t once;
	char *path;
	char version[64];
} found = {.once = PTHREAD_ONCE_INIT};

/* --- a child process --- */
static bool is_kept_variable(const char *variable)
{
	static const char *const dropped[] = {"LD_PRELOAD=", "LD_LIBRARY_PATH=", "SOFTGPU="};
	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		if (!strncmp(variable, dropped[i], strlen(dropped[i])))
			return false;
	return true;
}

/* `temporary` (may be NULL) is "TMPDIR=FOLDER" and replaces an existing TMPDIR. */
static char **clean_environment(char *temporary)
{
	size_t n = 0, kept = 0;
	while (environ[n])
		n++;
	char **env = xcalloc(n + 2, sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (is_kept_variable(environ[i]) && !(temporary && !strncmp(environ[i], "TMPDIR=", 7)))
			env[kept++] = environ[i];
	env[kept] = temporary;
	return env;
}

/* The running compiler. A worker runs one at a time; of several, the last one started counts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t running; /* not reaped yet, so the number cannot be reused; 0: none */

static void set_running(pid_t pid)
{
	pthread_mutex_lock(&lock);
	running = pid;
	pthread_mutex_unlock(&lock);
}

static bool end_children(pid_t pid)
{
	char *path = xasprintf("/proc/%d/task/%d/children", (int)pid, (int)pid);
	int child;
	bool any = false;
	FILE *in = fopen(path, "re");
	for (; in && fscanf(in, "%d", &child) == 1; any = true)
		kill(child, SIGTERM);
	if (in)
		fclose(in);
	free(path);
	return any;
}

/* clang works in child processes. When one is terminated, clang removes its temporary files and ends. It is stopped
 * before, so that it starts no other child. */
bool clang_cancel(void)
{
	pthread_mutex_lock(&lock);
	bool any = running != 0;
	if (any) {
		kill(running, SIGSTOP);
		if (!end_children(running))
			kill(running, SIGTERM);
		kill(running, SIGCONT);
	}
	pthread_mutex_unlock(&lock);
	return any;
}

static int wait_for_compiler(pid_t pid)
{
	int status = 0;
	siginfo_t ended;
	while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	set_running(0);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : KILLED;
}

static void read_log(int fd, struct buf *log)
{
	char chunk[4096];
	ssize_t n;
	while ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && log->len < LOG_MAX)
			buf_add(log, chunk, (size_t)n);
}

/* Exit status of argv[0], -1 if it cannot run, or KILLED. Its standard output and error go to `log`. It runs in our
 * process group. It can be canceled only with a folder for its temporary files, because they may remain. */
static int run_compiler(char *const *argv, const char *folder, struct buf *log)
{
	int ends[2];
	pid_t pid;
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
	char *temporary = folder ? xasprintf("TMPDIR=%s", folder) : NULL, **env = clean_environment(temporary);
	int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	free(temporary);
	close(ends[1]);
	if (!failed && folder)
		set_running(pid);
	if (!failed)
		read_log(ends[0], log);
	close(ends[0]);
	return failed ? -1 : wait_for_compiler(pid);
}

/* --- choose a compiler --- */
static bool try_candidate(const char *path)
{
	struct buf log = {0};
	char *argv[] = {(char *)path, "--version", NULL};
	bool ok = run_compiler(argv, NULL, &log) == 0 && log.data;
	const char *at = ok ? strstr(log.data, "clang version ") : NULL;
	if (at) {
		at += strlen("clang version ");
		snprintf(found.version, sizeof found.version, "clang %.*s", (int)strcspn(at, " \n"), at);
		found.path = xstrdup(path);
	}
	buf_free(&log);
	return at != NULL;
}

static void find_once(void)
{
	for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
		if (try_candidate(candidates[i]))
			return;
}

bool clang_find(const char **path, const char **version)
{
	pthread_once(&found.once, find_once);
	*path = found.path;
	*version = found.version;
	return found.path != NULL;
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

static void hip_args(struct args *a, const struct compile_task *t)
{
	struct stat st;
	add_arg(a, xstrdup("-x"));
	add_arg(a, xstrdup("hip"));
	for (size_t i = 0; i < sizeof bitcode / sizeof *bitcode; i++)
		if (!stat(bitcode[i], &st)) {
			add_arg(a, xstrdup("--rocm-path=/usr"));
			add_arg(a, xasprintf("--rocm-device-lib-path=%s", bitcode[i]));
			break;
		}
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

bool clang_compile(const char *clang, const struct compile_task *t, const char *output, struct err *e)
{
	struct args a = {0};
	struct buf log = {0};
	add_arg(&a, xstrdup(clang));
	add_arg(&a, xstrdup("-fno-crash-diagnostics")); /* otherwise it runs again after a child was killed */
	if (t->assembly)
		assembler_args(&a, t);
	else
		hip_args(&a, t);
	add_arg(&a, xasprintf("-I%s", t->include));
	line_args(&a, t);
	for (char *const *d = t->defines; *d; d++)
		add_arg(&a, xasprintf(**d == '-' ? "%s" : t->assembly ? "-Wa,-defsym,%s" : "-D%s", *d));
	add_arg(&a, xstrdup("-o"));
	add_arg(&a, xstrdup(output));
	add_arg(&a, xstrdup(t->source));
	int status = run_compiler(a.list, t->temporary, &log);
	if (status == KILLED)
		err_set(e, ST_FAILED, "the compiler was killed while compiling %s; possibly out of memory", t->source);
	else if (status < 0)
		err_set(e, ST_FAILED, "cannot run %s: %s", clang, strerror(errno));
	else if (status)
		compiler_set_error(log.data, "the compiler failed without a message", e);
	for (int i = 0; i < a.count; i++)
		free(a.list[i]);
	buf_free(&log);
	return status == 0;
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
