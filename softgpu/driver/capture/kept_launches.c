#include "softgpu/driver/capture/kept_launches.h"

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softgpu/driver/capture/code_objects.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/probe/kernel_name.h"

enum { KEPT_MAX = 4096 };

/* A file, which has the launch's number. */
static struct kept_launch {
	char *kernel; /* owned */
	uint64_t number, cycles;
	bool runs; /* as far as is known, it can run again */
} kept[KEPT_MAX];
static size_t kept_count;

/* --- what is asked for --- */
static struct request {
	bool known, has_kernel;
	const char *folder, *launches;
	regex_t kernel;
	uint64_t slowest; /* 0: of each kernel, or by number */
} request;

static const char *read_setting(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

static void read_kernel_pattern(const char *pattern)
{
	char why[200];
	const int error = pattern ? regcomp(&request.kernel, pattern, REG_EXTENDED | REG_NOSUB) : 0;

	request.has_kernel = pattern && !error;
	if (!error)
		return;
	regerror(error, &request.kernel, why, sizeof why);
	driver_warn("'%s' is not a regular expression (%s); launches of all kernels are kept", pattern, why);
}

static const struct request *read_request(void)
{
	const char *slowest = read_setting("SOFTGPU_CAPTURE_SLOWEST");

	if (request.known)
		return &request;
	request.folder = read_setting("SOFTGPU_CAPTURE");
	request.launches = read_setting("SOFTGPU_CAPTURE_LAUNCHES");
	request.slowest = slowest ? strtoull(slowest, NULL, 10) : 0;
	if (request.folder)
		read_kernel_pattern(read_setting("SOFTGPU_CAPTURE_KERNEL"));
	request.known = true;
	return &request;
}

const char *kept_launches_folder(void)
{
	return read_setting("SOFTGPU_CAPTURE");
}

static bool matches_kernel(const struct request *r, const char *kernel)
{
	char name[KERNEL_NAME_BYTES];

	return !r->has_kernel || !regexec(&r->kernel, kernel, 0, NULL, 0) ||
		!regexec(&r->kernel, kernel_name_text(name, sizeof name, kernel), 0, NULL, 0);
}

/* Whether "3,7-9" contains the number. */
static bool list_contains(const char *list, uint64_t number)
{
	while (*list) {
		char *end;
		const uint64_t first = strtoull(list, &end, 10),
			       last = *end == '-' ? strtoull(end + 1, &end, 10) : first;
		if (number >= first && number <= last)
			return true;
		list = *end == ',' ? end + 1 : end + strlen(end);
	}
	return false;
}

bool kept_launches_want(const char *kernel, uint64_t number)
{
	const struct request *r = read_request();

	return r->folder && (!r->launches || list_contains(r->launches, number)) && matches_kernel(r, kernel);
}

/* --- files --- */
static void name_file(char *out, size_t size, uint64_t number, const char *end)
{
	snprintf(out, size, "%s/%d-%llu.launch%s", request.folder, (int)getpid(), (unsigned long long)number, end);
}

static bool write_file(const struct captured_launch *c)
{
	char name[4096], part[4096];

	name_file(name, sizeof name, c->number, "");
	name_file(part, sizeof part, c->number, ".part");
	const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* it has the program's data */
	FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
	bool ok = out && captured_launch_write(c, out);
	if (out && fclose(out))
		ok = false;
	if (ok && !rename(part, name))
		return true;
	driver_warn("cannot keep launch %llu of %.127s: %s", (unsigned long long)c->number, c->kernel, strerror(errno));
	unlink(part);
	return false;
}

static void remove_file(uint64_t number)
{
	char name[4096];

	name_file(name, sizeof name, number, "");
	unlink(name);
}

/* --- the choice --- */
static struct kept_launch *find_of_kernel(const char *kernel)
{
	for (size_t i = 0; i < kept_count; i++)
		if (!strcmp(kept[i].kernel, kernel))
			return &kept[i];
	return NULL;
}

/* A launch that can run again, then the slower one. */
static bool is_better(const struct kept_launch *a, const struct kept_launch *b)
{
	return a->runs != b->runs ? a->runs : a->cycles > b->cycles;
}

static struct kept_launch *find_worst(void)
{
	struct kept_launch *worst = NULL;

	for (size_t i = 0; i < kept_count; i++)
		if (!worst || is_better(worst, &kept[i]))
			worst = &kept[i];
	return worst;
}

/* The one that makes room for it; NULL: none has to. */
static struct kept_launch *find_rival(const struct captured_launch *c)
{
	if (request.launches)
		return NULL;
	if (request.slowest)
		return kept_count < request.slowest ? NULL : find_worst();
	return find_of_kernel(c->kernel);
}

void kept_launches_add(struct captured_launch *c, uint64_t code_at, uint64_t code_bytes)
{
	struct kept_launch now = {.number = c->number, .cycles = c->result.cycles, .runs = !*c->reason};
	struct kept_launch *rival = find_rival(c);

	if (rival ? !is_better(&now, rival) : kept_count == KEPT_MAX)
		return;
	code_object_keep(code_at, code_bytes, request.folder, c->code, sizeof c->code);
	if (!write_file(c))
		return;
	if (rival)
		remove_file(rival->number);
	else
		rival = &kept[kept_count++];
	free(rival->kernel);
	now.kernel = strdup(c->kernel);
	*rival = now;
}
