/* `capture`: runs a program on the software GPU and keeps launches, in one file. */
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "base/paths.h"
#include "base/units.h"
#include "captures/capture_archive.h"
#include "captures/capture_experiments.h"
#include "captures/capture_folder.h"
#include "captures/replay_check.h"
#include "cli/cli_support.h"
#include "cli/program_wait.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/softenv.h"

struct capture_request {
	const char *file, *kernel, *launches, *slowest, *model, *limit;
	const char *journal; /* the program view reads it */
	bool each_kernel, no_sources, no_check;
	uint64_t limit_bytes;
	char **program;
};

/* --- arguments --- */
/* "3" or "7-9" at *at, which moves behind it. */
static bool skip_range(const char **at)
{
	char *end;
	if (!isdigit((unsigned char)**at))
		return false;
	unsigned long long first = strtoull(*at, &end, 10), last = first;
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		last = strtoull(end + 1, &end, 10);
	}
	*at = end;
	return first <= last;
}

static bool is_number_list(const char *text)
{
	while (skip_range(&text)) {
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
	return false;
}

static bool check_kernel_pattern(const struct capture_request *q, struct err *e)
{
	regex_t pattern;
	char why[200];
	int error = q->kernel ? regcomp(&pattern, q->kernel, REG_EXTENDED | REG_NOSUB) : 0;
	if (error) {
		regerror(error, &pattern, why, sizeof why);
		return err_set(e, ST_REQUEST, "--kernel %.60s: not a regular expression: %s", q->kernel, why);
	}
	if (q->kernel)
		regfree(&pattern);
	return true;
}

static bool check_choice(const struct capture_request *q, struct err *e)
{
	if (!!q->launches + !!q->slowest + q->each_kernel > 1)
		return err_set(
			e, ST_REQUEST, "--launch, --slowest and --each-kernel choose launches; use only one of them");
	if (q->launches && !is_number_list(q->launches))
		return err_set(e, ST_REQUEST, "--launch %.60s: write numbers of launches, from 0: 3,7-9", q->launches);
	if (q->slowest && (q->slowest[strspn(q->slowest, "0123456789")] || atoi(q->slowest) < 1))
		return err_set(e, ST_REQUEST, "--slowest %.40s: write a number from 1 on", q->slowest);
	return true;
}

static bool read_limit(struct capture_request *q, struct err *e)
{
	double bytes;
	q->limit_bytes = UINT64_C(4) << 30;
	if (!q->limit)
		return true;
	struct err why;
	if (!units_parse(q->limit, "B", &bytes, &why) || bytes < 1)
		return err_set(e, ST_REQUEST, "--limit-bytes %.40s: write a size such as 2GiB", q->limit);
	q->limit_bytes = (uint64_t)bytes;
	return true;
}

/* "app.wbc" of ./app, in the current folder. */
static void choose_file(struct capture_request *q, char *out, size_t size)
{
	snprintf(out, size, "%.200s.wbc", path_basename(q->program[0]));
	if (!q->file)
		q->file = out;
}

/* Before the program runs, which may take hours. */
static bool check_file(const struct capture_request *q, struct err *e)
{
	char *folder = path_copy_folder(q->file);
	struct stat st;
	bool there = !lstat(q->file, &st), ok = false;
	if (!path_has_suffix(q->file, ".wbc"))
		err_set(e, ST_REQUEST, "-o %.300s: write a name that ends with .wbc", q->file);
	else if (there && !S_ISREG(st.st_mode))
		err_set(e, ST_REQUEST, "-o %.300s: it is %s; name a file", q->file,
			S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
	else if (access(folder, W_OK | X_OK))
		err_set(e, ST_REQUEST, "-o %.300s: cannot write to the folder %.300s: %s", q->file, folder,
			strerror(errno));
	else
		ok = true;
	free(folder);
	return ok;
}

static bool parse_capture(int argc, char **argv, struct capture_request *q, char *name, size_t size, struct err *e)
{
	struct argument_list words;
	const struct option options[] = {{"-o", &q->file, NULL}, {"--kernel", &q->kernel, NULL},
		{"--launch", &q->launches, NULL}, {"--slowest", &q->slowest, NULL}, {"--model", &q->model, NULL},
		{"--limit-bytes", &q->limit, NULL}, {"--journal", &q->journal, NULL},
		{"--each-kernel", NULL, &q->each_kernel}, {"--no-sources", NULL, &q->no_sources},
		{"--no-check", NULL, &q->no_check}, {NULL, NULL, NULL}};
	int own = options_count_own(options, argc, argv);
	if (!options_parse(options, own, argv, &words, e))
		return false;
	free(words.list);
	q->program = argv + own + (own < argc && !strcmp(argv[own], "--"));
	if (!*q->program)
		return err_set(e, ST_REQUEST, "capture needs a program: wavedeck capture -- ./app");
	choose_file(q, name, size);
	return check_choice(q, e) && check_kernel_pattern(q, e) && read_limit(q, e) && check_file(q, e);
}

/* --- the program --- */
static int run_captured(const struct capture_request *q, const char *folder, struct err *e)
{
	const struct exec_watch w = {.capture = folder,
		.capture_kernel = q->kernel,
		.capture_launches = q->launches,
		.capture_slowest = q->slowest,
		.journal = q->journal};
	return program_run_and_wait(q->model && *q->model ? device_rest(q->model) : NULL, &w, q->program, e);
}

/* --- the file --- */
static bool show_check(void *ctx, size_t done, size_t total)
{
	char text[80];
	(void)ctx;
	snprintf(text, sizeof text, "checking that the launches run again: %zu of %zu", done, total);
	progress_show(text);
	return !command_interrupted;
}

static bool show_packing(void *ctx, uint64_t done, uint64_t total)
{
	char text[80];
	(void)ctx;
	snprintf(text, sizeof text, "packing: %.0f %%", total ? 100.0 * (double)done / (double)total : 100.0);
	progress_show(text);
	return !command_interrupted;
}

static void print_reasons(const json_t *capture)
{
	int count;
	struct captured_kernel *list = capture_list_kernels(capture, &count);
	for (int i = 0; i < count; i++)
		if (*list[i].reason && strncmp(list[i].symbol, "0x", 2)) /* HIP's own have no code object */
			command_printf_error("%.80s cannot run again: %s", list[i].id, list[i].reason);
	free(list);
}

static void print_result(const struct capture_request *q, const json_t *capture)
{
	char summary[200];
	fprintf(stderr, "wavedeck: %s: %s; only you can read it\n", q->file,
		capture_format_summary(capture, summary, sizeof summary));
	print_reasons(capture);
	fprintf(stderr, "wavedeck: `wavedeck %s` opens it, `wavedeck list %s` lists its kernels\n", q->file, q->file);
}

static bool keep_capture(const struct capture_request *q, const char *folder, struct err *e)
{
	json_t *capture = capture_folder_describe(folder, q->program, !q->no_sources, e);
	if (!capture)
		return false;
	json_t *launches = json_object_get(capture, "launches");
	bool ok = json_array_size(launches) ||
		err_set(e, ST_REQUEST, "%s launched no kernel%s on the software GPU; nothing was captured",
			q->program[0], q->kernel || q->launches ? " that you chose" : "");
	ok = ok && (q->no_check || replay_check_launches(folder, launches, show_check, NULL, e));
	ok = ok && capture_folder_write(folder, capture, e) &&
		capture_archive_pack(folder, q->file, q->limit_bytes, show_packing, NULL, e);
	progress_clear();
	if (ok && !q->journal)
		print_result(q, capture);
	json_decref(capture);
	return ok;
}

int command_capture(int argc, char **argv)
{
	struct err e = {0};
	struct capture_request q = {0};
	char name[220];
	if (!parse_capture(argc, argv, &q, name, sizeof name, &e))
		return command_report_failure(&e);
	char *folder = temporary_folder_create(&e);
	int status = folder ? run_captured(&q, folder, &e) : -1;
	bool kept = status >= 0 && keep_capture(&q, folder, &e);
	if (status > 0)
		command_printf_error("%s ended with status %d", q.program[0], status);
	if (folder)
		temporary_folder_remove(folder);
	free(folder);
	if (kept)
		return status;
	int failed = command_report_failure(&e);
	return q.journal && status >= 0 ? status : failed; /* the view shows the program's own status */
}
