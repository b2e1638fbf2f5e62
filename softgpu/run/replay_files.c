#include "softgpu/run/replay_files.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/capture/launch_replay.h"
#include "softgpu/core/state/host_fault.h"

bool is_captured_launch(const char *file)
{
	char start[sizeof CAPTURE_MAGIC - 1];
	FILE *in = fopen(file, "rbe");
	const bool is = in && fread(start, sizeof start, 1, in) == 1 && !memcmp(start, CAPTURE_MAGIC, sizeof start);

	if (in)
		fclose(in);
	return is;
}

/* Memory that was not captured is protected. Any other fault ends the program as usual. */
static void take_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;

	gpu_take_host_fault(info->si_addr, c->uc_mcontext.gregs[REG_ERR] & 2);
	signal(number, SIG_DFL);
}

static bool replay_launch(const struct captured_launch *c, char *why, size_t size)
{
	struct launch_replay *r = launch_replay_open(c, c->model, why, size);
	struct launch_result now;
	struct replay_memory memory = {0};
	bool same;

	if (!r)
		return false;
	launch_replay_run(r, REPLAY_CACHES_CAPTURED, &now, &memory);
	same = launch_replay_compare(c, &now, &memory, why, size);
	launch_replay_close(r);
	return same;
}

/* Text of a file that other people wrote: escape sequences in it could change the terminal. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

static bool replay_file(const char *name)
{
	struct captured_launch c;
	char why[512];
	const bool same = captured_launch_load(&c, name, why, sizeof why) && replay_launch(&c, why, sizeof why);

	make_printable(c.kernel);
	make_printable(why);
	if (same)
		printf("%s: %s: the same: %llu cycles, %llu instructions, memory %016llx\n", name, c.kernel,
			(unsigned long long)c.result.cycles, (unsigned long long)c.result.instructions,
			(unsigned long long)c.digest);
	else
		printf("%s: %s: %s\n", name, c.kernel, why);
	captured_launch_clear(&c);
	return same;
}

int replay_files(char **files)
{
	const struct sigaction act = {.sa_sigaction = take_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
	int status = 0;

	sigaction(SIGSEGV, &act, NULL);
	for (; *files; files++)
		if (!replay_file(*files))
			status = 1;
	return status;
}
