#include "softgpu/driver/kfd/host_machine.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/targets/program_targets.h"

/* Splits "mi25*2,NAME=VALUE" into the count and the text of one GPU, "mi25,NAME=VALUE". Modifies the text. */
static bool take_count(char *text, long *count, char *why, size_t size)
{
	char *comma = strchr(text, ','), *star = strchr(text, '*'), *end;

	*count = 1;
	if (!star || (comma && star > comma))
		return true;
	errno = 0;
	*count = strtol(star + 1, &end, 10);
	if (errno || end == star + 1 || (*end && *end != ',') || *count < 1 || *count > GPUS_MAX) {
		snprintf(why, size, "the number of GPUs after '*' must be 1 to %d, not '%.*s'", GPUS_MAX,
			(int)strcspn(star + 1, ","), star + 1);
		return false;
	}
	memmove(star, end, strlen(end) + 1);
	return true;
}

/* One part between '+' signs: `text` has room for `more`. */
static bool add_gpus(struct host_machine *m, char *text, size_t room, const char *more, char *why, size_t size)
{
	long count;
	struct model gpu;

	if (!take_count(text, &count, why, size))
		return false;
	if (m->count + (unsigned long)count > GPUS_MAX) {
		snprintf(why, size, "a machine has at most %d GPUs", GPUS_MAX);
		return false;
	}
	if (*more)
		snprintf(text + strlen(text), room - strlen(text), ",%s", more);
	if (!model_parse(&gpu, text, why, size))
		return false;
	while (count--)
		m->gpu[m->count++] = gpu;
	return true;
}

/* Length up to the next '+' that separates GPUs; one after '=' is the sign of a value. */
static size_t part_length(const char *text)
{
	size_t n = 0;

	while (text[n] && (text[n] != '+' || (n && text[n - 1] == '=')))
		n++;
	return n;
}

bool machine_parse(struct host_machine *m, const char *text, const char *more, char *why, size_t size)
{
	char part[4096];

	m->count = 0;
	for (;;) {
		size_t n = part_length(text);

		if (n + strlen(more) + 2 > sizeof part) {
			snprintf(why, size, "the text of a GPU is longer than %zu characters", sizeof part - 2);
			return false;
		}
		memcpy(part, text, n);
		part[n] = 0;
		if (!add_gpus(m, part, sizeof part, more, why, size))
			return false;
		if (!text[n])
			return true;
		text += n + 1;
	}
}

/* --- of this process --- */
static struct host_machine env_machine;
static bool env_machine_valid;

static void parse_env_machine(void)
{
	const char *name, *set = getenv("SOFTGPU_SET"), *threads = getenv("SOFTGPU_THREADS");
	char why[256] = "", more[4096] = "";

	program_targets_apply();
	name = getenv("SOFTGPU");
	snprintf(more, sizeof more, "%s%s%s%s", set ? set : "", set && *set && threads ? "," : "",
		threads ? "threads=" : "", threads ? threads : "");
	env_machine_valid = machine_parse(&env_machine, name && *name ? name : "mi25", more, why, sizeof why);
	if (!env_machine_valid)
		driver_warn("cannot create the device: %s", why);
}

const struct host_machine *machine_from_env(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, parse_env_machine);
	return env_machine_valid ? &env_machine : NULL;
}

const struct model *machine_model(unsigned i)
{
	const struct host_machine *m = machine_from_env();

	return m && i < m->count ? &m->gpu[i] : NULL;
}

unsigned machine_gpu_count(void)
{
	const struct host_machine *m = machine_from_env();

	return m ? m->count : 0;
}
