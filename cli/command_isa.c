/* `isa`: shows a kernel from its code object. Only --profile opens a device. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/paths.h"
#include "base/printable_text.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/experiment.h"
#include "gpu/softgpu-link/model_table.h"
#include "kernels/inspect/code_object.h"
#include "kernels/compile/kernel_build.h"
#include "experiments/analysis/code_advice.h"
#include "experiments/analysis/code_model.h"
#include "experiments/analysis/dual_issue.h"
#include "experiments/analysis/code_variant.h"
#include "cli/cli_support.h"
#include "cli/command_isa.h"
#include "cli/run/profile_report.h"

/* A whole code object, or one of its kernels (`entry`), for a workgroup of `block` work-items (0: one wave). */
struct request {
	const char *arch, *entry, *device, *diff;
	unsigned block, dynamic_lds;
	const json_t *contract;
	bool all, renamed, want_profile, advice, arch_asked, searching; /* searching: `entry` may be in another file */
	json_t *profile;
	int shown;
};

/* --- one kernel --- */
enum { MARKS = 5 };

/* Marks an instruction: > in the hot loop, * on the dependence chain, + across a fetch window, % with a conflict of
 * register banks. */
static const char *format_line_marks(const struct code_model *m, size_t i, bool loop, char out[MARKS])
{
	int n = 0;
	if (loop && m->lines[i].in_hot_loop)
		out[n++] = '>';
	if (m->on_chain[i])
		out[n++] = '*';
	if (code_crosses_fetch_window(&m->lines[i]))
		out[n++] = '+';
	if (m->bank_cycles[i])
		out[n++] = '%';
	out[n] = 0;
	return out;
}

/* Offsets are relative to the kernel, as in profiles and in the views. */
static void print_code_line(const struct code_model *m, size_t i, const char *mark)
{
	const struct kernel_line *l = &m->lines[i];
	char words[24];
	printf("  %-3s %06" PRIx64 "  %-17s  %s\n", mark, l->va - m->info.code_va,
		code_text_words(m, i, words, sizeof words), l->text);
}

/* With a profile, each line has its cycles. */
static void print_code_lines(const struct code_model *m, size_t start, size_t end, bool loop, const json_t *profile)
{
	char mark[MARKS];
	if (profile)
		profile_print_heading();
	for (size_t i = start; i < end; i++) {
		format_line_marks(m, i, loop, mark);
		if (profile)
			profile_print_instruction(
				profile, (int64_t)(m->lines[i].va - m->info.code_va), m->lines[i].text, mark);
		else
			print_code_line(m, i, mark);
	}
}

static void print_kernel_code(const struct code_model *m, const struct request *r)
{
	bool whole = r->all || !code_has_loop(m);
	if (!m->lines) /* without a listing, the facts above are still useful */
		return;
	if (r->profile)
		profile_print_breakdown(r->profile);
	printf("\n");
	print_code_lines(m, whole ? 0 : m->loop_start, whole ? m->count : m->loop_end, whole, r->profile);
}

static void print_kernel_facts(const struct code_model *m)
{
	char text[400];
	struct buf head = {0};
	buf_printf(&head, "%s, %s, %s", m->info.name, m->info.arch, m->where);
	text_print_line(stdout, &head);
	printf("  registers      %s\n", code_text_registers(m, text, sizeof text));
	printf("  memory         %s\n", code_text_memory(m, text, sizeof text));
	printf("  occupancy      %s\n", code_text_occupancy(m, text, sizeof text));
	printf("  limits         %s\n", code_text_limits(m, text, sizeof text));
	printf("  hot loop       %s\n", code_text_loop(m, text, sizeof text));
	if (code_has_loop(m))
		printf("  chain (*)      %s\n", code_text_chain(m, text, sizeof text));
	if (code_has_dual_issue(m))
		printf("  dual issue     %s\n", code_text_dual_issue(m, text, sizeof text));
	if (m->contract_count)
		printf("  expected       %s\n", code_text_contract(m, text, sizeof text));
}

static void print_kernel(const struct code_object *o, const struct kernel_info *k, const char *where, struct request *r)
{
	const struct code_request look = {.device = (char *)r->device,
		.arch = (char *)r->arch,
		.block = r->block,
		.dynamic_lds = r->dynamic_lds,
		.contract = (json_t *)r->contract};
	struct code_model *m = code_model_from_object(o, k, &look, where);
	if (r->shown++)
		printf("\n");
	print_kernel_facts(m);
	print_kernel_code(m, r);
	if (r->advice)
		profile_print_advice(m, r->profile);
	code_model_free(m);
}

/* --- where it comes from --- */
/* `source`: the file that it was compiled from, or the path. */
static bool print_code_object(const char *path, const char *source, const char *where, struct request *r, struct err *e)
{
	struct code_object *o = code_object_open(path, e);
	const struct kernel_info *list;
	if (!o)
		return false;
	if (r->entry && !r->searching && !code_object_find_kernel_of(o, source, r->entry, e)) {
		code_object_close(o);
		return false;
	}
	size_t n = code_object_list_kernels(o, &list);
	for (size_t i = 0; i < n; i++)
		if (!r->entry || !strcmp(list[i].name, r->entry))
			print_kernel(o, &list[i], where, r);
	code_object_close(o);
	return true;
}

static bool print_compiled_source(const char *file, const char *defines, struct request *r, struct err *e)
{
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){file, defines, NULL}, r->arch, &b, e))
		return false;
	if (*b.warning)
		command_print_error(b.warning);
	char *where =
		xasprintf("%s%s%s (%s)", file, defines && *defines ? " " : "", defines ? defines : "", b.compiler);
	bool ok = print_code_object(b.path, file, where, r, e);
	free(where);
	kernel_build_free(&b);
	return ok;
}

static bool has_ending(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);
	return n > t && !strcmp(s + n - t, tail);
}

static bool is_kernel_source(const char *name)
{
	return has_ending(name, ".hip") || has_ending(name, ".s");
}

static int is_source_entry(const struct dirent *d)
{
	return is_kernel_source(d->d_name);
}

/* Prints every kernel of that name in the project's sources: the published and the compiled variant often share one. */
static bool print_kernels_named(struct request *r, struct err *e)
{
	struct dirent **files;
	char *folder = path_kernels(NULL);
	int n = scandir(folder, &files, is_source_entry, alphasort);
	bool ok = true;
	for (int i = 0; i < n; i++) {
		if (ok && kernel_source_fits(files[i]->d_name, r->arch))
			ok = print_compiled_source(files[i]->d_name, NULL, r, e);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
	free(folder);
	return ok;
}

/* --- an experiment --- */
static bool measure_profile(struct experiment *x, const double *values, bool scaled, struct request *r, struct err *e)
{
	json_t *job = experiment_build_job(x, values, scaled, r->arch, false, e);
	if (job && r->advice)
		job_add_counters(job, code_advice_counters);
	r->profile = job ? profile_measure(r->device, job, e) : NULL;
	json_decref(job);
	return r->profile != NULL;
}

/* Prints the kernel of one point: the defaults, changed by NAME=VALUE arguments. */
static bool print_experiment_code(
	struct experiment *x, const struct argument_list *words, struct request *r, struct err *e)
{
	double values[PARAMS_MAX];
	struct code_request request;
	r->want_profile =
		r->want_profile || (r->advice && !r->arch_asked && !r->diff && experiment_supports_arch(x, r->arch));
	bool ok = true, scaled = r->want_profile && device_can(r->device, DEVICE_REDUCED_SIZES);
	if (!r->arch_asked && !r->want_profile)
		r->arch = experiment_code_arch(x, r->arch);
	experiment_default_values(x, scaled, r->arch, values);
	for (int i = 1; i < words->count && ok; i++)
		ok = variant_apply_word(x, words->list[i], values, e);
	if (!ok)
		return false;
	if (r->diff)
		return isa_print_diff(
			x, values, &(struct isa_diff_options){r->device, r->arch, r->diff, r->all, r->renamed}, e);
	if (!code_request_build(x, values, scaled, r->device, r->arch, &request, e))
		return false;
	r->entry = request.entry;
	r->block = request.block;
	r->dynamic_lds = request.dynamic_lds;
	r->contract = request.contract;
	ok = (!r->want_profile || measure_profile(x, values, scaled, r, e)) &&
		print_compiled_source(request.file, request.defines, r, e);
	code_request_free(&request);
	return ok;
}

static bool print_experiment_named(const struct argument_list *words, struct request *r, struct err *e)
{
	struct catalog c;
	if (!command_open_catalog(&c, e))
		return false;
	struct experiment *x = catalog_find(&c, words->list[0], e);
	bool ok = x && print_experiment_code(x, words, r, e);
	catalog_free(&c);
	return ok;
}

/* --- the command --- */
static bool check_kernel_arguments(const struct argument_list *words, const struct request *r, struct err *e)
{
	if (r->diff)
		return err_set(e, ST_REQUEST,
			"--diff needs an experiment, and '%s' is not one; `wavedeck list` lists them", words->list[0]);
	if (r->want_profile)
		return err_set(e, ST_REQUEST,
			"--profile needs an experiment, and '%s' is not one; `wavedeck list` lists them",
			words->list[0]);
	return words->count == 1 ||
		err_set(e, ST_REQUEST, "unexpected argument '%s'; only an experiment takes NAME=VALUE", words->list[1]);
}

/* Tries a code object, a source, a kernel name and an experiment, in this order: the first three are exact. */
static bool print_isa_of(const struct argument_list *words, struct request *r, struct err *e)
{
	const char *name = words->list[0];
	if (has_ending(name, ".co"))
		return check_kernel_arguments(words, r, e) && print_code_object(name, name, name, r, e);
	if (is_kernel_source(name)) {
		char *own = realpath(name, NULL); /* one in the current folder is meant, not the project's */
		bool ok = check_kernel_arguments(words, r, e) && print_compiled_source(own ? own : name, NULL, r, e);
		free(own);
		return ok;
	}
	if (!r->want_profile && !r->diff && !strchr(name, '-') && !has_ending(name, ".lua") && words->count == 1) {
		struct request kernel = *r;
		kernel.entry = name;
		kernel.searching = true;
		bool ok = print_kernels_named(&kernel, e);
		if (!ok || kernel.shown)
			return ok;
	}
	return print_experiment_named(words, r, e);
}

/* Chooses the target. A profile is matched to the listing by offsets, so both must be of the device's target. */
static bool choose_arch(struct request *r, struct soft_model models[SOFT_MODELS_MAX], struct err *e)
{
	const char *arch = r->device ? NULL : "gfx900"; /* NULL: unknown until the device is opened */
	const struct soft_model *m =
		r->device && !strncmp(r->device, "soft:", 5) ? softgpu_find_model(r->device + 5, models) : NULL;
	arch = m ? m->arch : arch;
	r->arch_asked = r->arch;
	if (!r->arch)
		r->arch = arch ? arch : "gfx900";
	if (!r->device)
		r->device = "soft:mi25";
	if (!r->want_profile || !arch || !strcmp(r->arch, arch))
		return true;
	return err_set(
		e, ST_REQUEST, "--profile runs on %s, which is %s, not %s; remove --arch", r->device, arch, r->arch);
}

int command_isa(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct request r = {0};
	const struct option options[] = {{"--arch", &r.arch, NULL}, {"--all", NULL, &r.all},
		{"--profile", NULL, &r.want_profile}, {"--device", &r.device, NULL}, {"--diff", &r.diff, NULL},
		{"--renamed", NULL, &r.renamed}, {"--advice", NULL, &r.advice}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	struct soft_model models[SOFT_MODELS_MAX];
	bool ok = !choose_arch(&r, models, &e) ? false
		: r.diff && r.advice
		? err_set(&e, ST_REQUEST, "--diff compares code and --advice is about one kernel; use only one of them")
		: r.diff && r.want_profile
		? err_set(&e, ST_REQUEST, "--diff compares code and --profile measures it; use only one of them")
		: words.count
		? print_isa_of(&words, &r, &e)
		: err_set(&e, ST_REQUEST,
			  "isa needs an experiment, a kernel, a source or a code object; `wavedeck list` lists experiments");
	free(words.list);
	json_decref(r.profile);
	return ok ? command_finish_output(ST_OK) : command_report_failure(&e);
}
