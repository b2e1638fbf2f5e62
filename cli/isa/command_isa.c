/* `isa`: shows a kernel from its code object. Only --profile opens a device. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/backends/cuda/cuda_target.h"
#include "base/buf.h"
#include "base/paths.h"
#include "base/vendor/vendor_words.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/experiment.h"
#include "gpu/softgpu-link/model_table.h"
#include "kernels/inspect/code_object.h"
#include "kernels/compile/kernel_build.h"
#include "experiments/analysis/code_advice.h"
#include "experiments/analysis/code_model.h"
#include "experiments/analysis/code_variant.h"
#include "cli/captured_names.h"
#include "cli/cli_support.h"
#include "cli/isa/command_isa.h"
#include "cli/run/profile_report.h"
#include "kernels/inspect/program_code.h"

/* --- where it comes from --- */
/* `source`: the file that it was compiled from, or the path. */
static bool print_code_object(
	const char *path, const char *source, const char *where, struct isa_request *r, struct err *e)
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
			isa_print_kernel(o, &list[i], where, r);
	code_object_close(o);
	return true;
}

/* `name`: a part of one kernel's name; NULL: those of the request. */
static bool print_compiled_source(
	const char *file, const char *defines, const char *name, struct isa_request *r, struct err *e)
{
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){file, defines, NULL}, r->arch, &b, e))
		return false;
	if (*b.warning)
		command_print_error(b.warning);
	char *where =
		xasprintf("%s%s%s (%s)", file, defines && *defines ? " " : "", defines ? defines : "", b.compiler);
	bool nvidia = vendor_is_nvidia(r->arch); /* PTX: a text, whose kernels have whole names */
	if (nvidia && name)
		r->entry = name;
	bool ok = name && !nvidia ? isa_print_program(&(struct isa_program){b.path, file, where, name}, r, e)
				  : print_code_object(b.path, file, where, r, e);
	free(where);
	kernel_build_free(&b);
	return ok;
}

static bool is_kernel_source(const char *name)
{
	return path_has_suffix(name, ".hip") || path_has_suffix(name, ".s");
}

static int is_source_entry(const struct dirent *d)
{
	return is_kernel_source(d->d_name);
}

/* Prints every kernel of that name in the project's sources: the published and the compiled variant often share one. */
static bool print_kernels_named(struct isa_request *r, struct err *e)
{
	struct dirent **files;
	char *folder = path_kernels(NULL);
	int n = scandir(folder, &files, is_source_entry, alphasort);
	bool ok = true;
	for (int i = 0; i < n; i++) {
		if (ok && kernel_source_fits(files[i]->d_name, r->arch))
			ok = print_compiled_source(files[i]->d_name, NULL, NULL, r, e);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
	free(folder);
	return ok;
}

/* --- an experiment --- */
static bool measure_profile(
	struct experiment *x, const double *values, bool scaled, struct isa_request *r, struct err *e)
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
	struct experiment *x, const struct argument_list *words, struct isa_request *r, struct err *e)
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
	r->source = request.source; /* of a captured kernel */
	ok = (!r->want_profile || measure_profile(x, values, scaled, r, e)) &&
		print_compiled_source(request.file, request.defines, NULL, r, e);
	r->source = NULL;
	code_request_free(&request);
	return ok;
}

static bool print_experiment_named(const struct argument_list *words, struct isa_request *r, struct err *e)
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
/* `most`: of arguments. */
static bool check_kernel_arguments(
	const struct argument_list *words, int most, const struct isa_request *r, struct err *e)
{
	if (r->diff)
		return err_set(e, ST_REQUEST,
			"--diff needs an experiment, and '%s' is not one; `wavedeck list` lists them", words->list[0]);
	if (r->want_profile)
		return err_set(e, ST_REQUEST,
			"--profile needs an experiment, and '%s' is not one; `wavedeck list` lists them",
			words->list[0]);
	return words->count <= most ||
		err_set(e, ST_REQUEST, "unexpected argument '%s'; only an experiment takes NAME=VALUE",
			words->list[most]);
}

/* A file at hand, or a name that can only be a path. */
static bool is_program(const char *name)
{
	bool definition = path_has_suffix(name, ".lua");
	return path_has_suffix(name, ".co") || (!definition && strchr(name, '/')) || program_code_is_in(name);
}

/* `kernel`: a part of a name, or NULL. */
static bool print_file(const char *name, const char *kernel, struct isa_request *r, struct err *e)
{
	if (!is_kernel_source(name))
		return isa_print_program(&(struct isa_program){name, name, NULL, kernel}, r, e);
	char *own = realpath(name, NULL); /* one in the current folder is meant, not the project's */
	if (kernel)
		r->source = own;
	bool ok = print_compiled_source(own ? own : name, NULL, kernel, r, e);
	r->source = NULL;
	free(own);
	return ok;
}

/* Tries a source, a program, a kernel name and an experiment, in this order: the first three are exact. */
static bool print_isa_of(const struct argument_list *words, struct isa_request *r, struct err *e)
{
	const char *name = words->list[0];
	if (is_kernel_source(name) || is_program(name))
		return check_kernel_arguments(words, 2, r, e) &&
			print_file(name, words->count > 1 ? words->list[1] : NULL, r, e);
	if (!r->want_profile && !r->diff && !strchr(name, '-') && !path_has_suffix(name, ".lua") && words->count == 1) {
		struct isa_request kernel = *r;
		kernel.entry = name;
		kernel.searching = true;
		bool ok = print_kernels_named(&kernel, e);
		if (!ok || kernel.shown)
			return ok;
	}
	return print_experiment_named(words, r, e);
}

/* Without the driver: this process loads no library of a vendor. */
static bool choose_cuda_arch(struct isa_request *r, struct err *e)
{
	static char arch[DEVICE_ARCH];
	r->arch_asked = true;
	if (r->want_profile)
		return err_set(e, ST_REQUEST, "--profile needs a software GPU, and %s is none; remove it", r->device);
	if (r->arch)
		return true;
	r->arch = arch;
	return cuda_query_target(r->device, arch) ||
		err_set(e, ST_REQUEST, "nvidia-smi does not say what %s is; name its target, such as --arch sm_90",
			r->device);
}

/* Chooses the target. A profile is matched to the listing by offsets, so both must be of the device's target. */
static bool choose_arch(struct isa_request *r, struct soft_model models[SOFT_MODELS_MAX], struct err *e)
{
	const char *arch = r->device ? NULL : "gfx900"; /* NULL: unknown until the device is opened */
	char own[DEVICE_ARCH] = "";
	const struct soft_model *m =
		r->device && !strncmp(r->device, "soft:", 5) ? softgpu_find_model(r->device + 5, models) : NULL;
	arch = m ? m->arch : arch;
	if (r->device)
		device_read_arch(r->device, own);
	if (vendor_is_nvidia(own))
		return choose_cuda_arch(r, e);
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
	struct isa_request r = {0};
	const struct option options[] = {{"--arch", &r.arch, NULL}, {"--all", NULL, &r.all},
		{"--profile", NULL, &r.want_profile}, {"--device", &r.device, NULL}, {"--diff", &r.diff, NULL},
		{"--renamed", NULL, &r.renamed}, {"--advice", NULL, &r.advice}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	struct soft_model models[SOFT_MODELS_MAX];
	bool ok = !command_resolve_capture(&words, &r.device, &e) || !choose_arch(&r, models, &e) ? false
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
