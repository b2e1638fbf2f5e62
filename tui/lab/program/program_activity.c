#include "tui/lab/program/program_activity.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "kernels/inspect/readable_name.h"

enum {
	KERNELS_MAX = 4096,
	LINE_BYTES = 2048,
	LINES_MAX = 20000 /* in a call, so that the keyboard is never blocked */
};

/* A journal, as far as it was read. Its file grows, so the rest of a line may come later. */
struct journal_reader {
	char *name;
	int file, process;
	char part[LINE_BYTES];
	size_t bytes;
};

int program_kernels_find(const struct program_kernels *k, const char *symbol)
{
	for (int i = 0; i < k->count; i++)
		if (!strcmp(k->list[i].symbol, symbol))
			return i;
	return -1;
}

/* HIP's own kernels have an address instead of a symbol, another one in each process. */
static const char hips_own[] = "HIP's own kernel";

static const char *choose_key(const char *symbol)
{
	return strncmp(symbol, "0x", 2) ? symbol : hips_own;
}

bool program_kernel_is_of_hip(const struct program_kernel *k)
{
	return !strcmp(k->symbol, hips_own);
}

static struct program_kernel *get_kernel(struct program_kernels *k, const char *symbol)
{
	const char *key = choose_key(symbol);
	int i = program_kernels_find(k, key);
	if (i >= 0)
		return &k->list[i];
	if (k->count == KERNELS_MAX)
		return NULL;
	k->list = xrealloc(k->list, (size_t)(k->count + 1) * sizeof *k->list);
	struct program_kernel *added = &k->list[k->count++];
	*added = (struct program_kernel){.symbol = xstrdup(key)};
	added->name = key == symbol ? kernel_readable_name(symbol) : xstrdup(key);
	return added;
}

/* --- lines --- */
/* Where the symbol begins; NULL: the line is damaged. */
static const char *read_launch(const char *line, struct kernel_launch *l)
{
	int at = 0,
	    read = sscanf(line,
		    "%" SCNu64 " %" SCNu64 " %*u %d %" SCNu64 " %" SCNu32 "x%" SCNu32 "x%" SCNu32 " %" SCNu32
		    "x%" SCNu32 "x%" SCNu32 " %n",
		    &l->ps, &l->cycles, &l->status, &l->number, &l->grid[0], &l->grid[1], &l->grid[2], &l->workgroup[0],
		    &l->workgroup[1], &l->workgroup[2], &at);
	return read == 10 && at ? line + at : NULL;
}

static void take_kernel(struct program_kernels *k, const char *line, int process)
{
	struct kernel_launch launch = {.process = process};
	const char *symbol = read_launch(line, &launch);
	struct program_kernel *one = symbol ? get_kernel(k, symbol) : NULL;
	if (!one)
		return;
	double seconds = (double)launch.ps * 1e-12;
	kernel_launches_add(&one->shown, &launch);
	one->launches++;
	one->running -= one->running > 0;
	one->failed += launch.status != 0;
	one->seconds += seconds;
	one->slowest = seconds > one->slowest ? seconds : one->slowest;
}

static void take_copy(struct program_kernels *k, const char *line)
{
	unsigned long long ns, bytes;
	if (sscanf(line, "%llu %llu", &ns, &bytes) != 2)
		return;
	k->copies++;
	k->copy_seconds += (double)ns * 1e-9;
	k->copy_bytes += (double)bytes;
}

static void take_line(struct program_kernels *k, const char *line, int process)
{
	struct program_kernel *begun;
	if (!strncmp(line, "kernel ", 7))
		take_kernel(k, line + 7, process);
	else if (!strncmp(line, "copy ", 5))
		take_copy(k, line + 5);
	else if (!strncmp(line, "begin ", 6) && (begun = get_kernel(k, line + 6)))
		begun->running++;
}

/* --- files --- */
static int read_new_lines(struct program_kernels *k, struct journal_reader *r)
{
	int lines = 0;
	ssize_t n;
	while (lines < LINES_MAX && (n = read(r->file, r->part + r->bytes, sizeof r->part - r->bytes)) > 0) {
		char *at = r->part, *end = r->part + r->bytes + n, *newline;
		for (; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1, lines++) {
			*newline = 0;
			take_line(k, at, r->process);
		}
		r->bytes = (size_t)(end - at);
		if (r->bytes == sizeof r->part)
			r->bytes = 0; /* no line is so long */
		memmove(r->part, at, r->bytes);
	}
	return lines;
}

static bool has_reader(const struct program_kernels *k, const char *name)
{
	for (int i = 0; i < k->reader_count; i++)
		if (!strcmp(k->readers[i].name, name))
			return true;
	return false;
}

static void add_reader(struct program_kernels *k, const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	free(path);
	if (file < 0)
		return;
	k->readers = xrealloc(k->readers, (size_t)(k->reader_count + 1) * sizeof *k->readers);
	k->readers[k->reader_count++] =
		(struct journal_reader){.name = xstrdup(name), .file = file, .process = atoi(name)};
}

static void find_journals(struct program_kernels *k, const char *folder)
{
	DIR *d = opendir(folder);
	for (struct dirent *entry; d && (entry = readdir(d));) {
		const char *dot = strrchr(entry->d_name, '.');
		if (dot && !strcmp(dot, ".journal") && !has_reader(k, entry->d_name))
			add_reader(k, folder, entry->d_name);
	}
	if (d)
		closedir(d);
}

static int compare_seconds(const void *a, const void *b)
{
	const struct program_kernel *x = a, *y = b;
	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

bool program_kernels_read(struct program_kernels *k, const char *folder)
{
	int lines = 0;
	find_journals(k, folder);
	for (int i = 0; i < k->reader_count; i++)
		lines += read_new_lines(k, &k->readers[i]);
	if (lines && k->count)
		qsort(k->list, (size_t)k->count, sizeof *k->list, compare_seconds);
	return lines > 0;
}

/* --- the capture --- */
/* The process is in the name of the file, launches/PID-NUMBER.launch. False: no such description. */
static bool read_kept_launch(json_t *launch, struct kernel_launch *out)
{
	const char *file;
	json_int_t number, cycles, grid[3], group[3];
	double seconds;
	*out = (struct kernel_launch){.kept = launch};
	if (json_unpack(launch, "{s:s, s:I, s:I, s:F, s?i, s:[III], s:[III]}", "file", &file, "number", &number,
		    "cycles", &cycles, "duration", &seconds, "status", &out->status, "grid", &grid[0], &grid[1],
		    &grid[2], "workgroup", &group[0], &group[1], &group[2]))
		return false;
	sscanf(file, "launches/%d-", &out->process);
	out->number = (uint64_t)number;
	out->cycles = (uint64_t)cycles;
	out->ps = (uint64_t)(seconds * 1e12 + 0.5);
	for (int i = 0; i < 3; i++) {
		out->grid[i] = (uint32_t)grid[i];
		out->workgroup[i] = (uint32_t)group[i];
	}
	return true;
}

void program_kernels_note_kept(struct program_kernels *k, const json_t *capture)
{
	const json_t *launches = json_object_get(capture, "launches");
	for (size_t i = 0; i < json_array_size(launches); i++) {
		json_t *launch = json_array_get(launches, i);
		struct kernel_launch kept;
		int kernel = program_kernels_find(k, choose_key(record_get_text(launch, "kernel")));
		if (kernel >= 0 && read_kept_launch(launch, &kept))
			kernel_launches_keep(&k->list[kernel].shown, &kept);
	}
}

void program_kernels_free(struct program_kernels *k)
{
	for (int i = 0; i < k->count; i++) {
		free(k->list[i].symbol);
		free(k->list[i].name);
		kernel_launches_free(&k->list[i].shown);
	}
	for (int i = 0; i < k->reader_count; i++) {
		free(k->readers[i].name);
		close(k->readers[i].file);
	}
	free(k->list);
	free(k->readers);
	*k = (struct program_kernels){0};
}

double program_kernels_sum(const struct program_kernels *k)
{
	double sum = k->copy_seconds;
	for (int i = 0; i < k->count; i++)
		sum += k->list[i].seconds;
	return sum;
}
