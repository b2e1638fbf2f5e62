#include "softgpu/run/replay_files.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/capture/launch_replay.h"
#include "softgpu/core/launch/host_fault.h"

struct mapped_file {
	const uint8_t *data;
	size_t bytes;
};

static bool map_file(const char *name, struct mapped_file *out)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return false;
	*out = (struct mapped_file){p, (size_t)st.st_size};
	return true;
}

bool is_captured_launch(const char *file)
{
	struct mapped_file f;
	bool is;

	if (!map_file(file, &f))
		return false;
	is = f.bytes > strlen(CAPTURE_MAGIC) && !memcmp(f.data, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC));
	munmap((void *)f.data, f.bytes);
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
	struct launch_replay *r = launch_replay_open(c, why, size);
	struct launch_result now;
	struct replay_memory memory = {0};
	bool same;

	if (!r)
		return false;
	launch_replay_run(r, &now, &memory);
	same = launch_replay_compare(c, &now, &memory, why, size);
	launch_replay_close(r);
	return same;
}

static bool replay_file(const char *name)
{
	struct captured_launch c = {0};
	struct mapped_file f;
	char why[512] = "cannot be read";
	bool same = map_file(name, &f);

	if (same) {
		same = captured_launch_read(&c, f.data, f.bytes, why, sizeof why) && replay_launch(&c, why, sizeof why);
		munmap((void *)f.data, f.bytes);
	}
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
