/* `isa`: what a kernel is made of, read from its code object. Only --profile opens a device. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/experiment.h"
#include "kernels/code_object.h"
#include "kernels/compile.h"
#include "gpu/record.h"
#include "tui/command.h"
#include "tui/command_profile.h"

enum { FETCH_WINDOW = 32 /* bytes; an 8-byte instruction across it costs a lone wave 4 cycles on gfx9 */ };

/* What is asked for: a whole object, or one kernel of it, for a block of that many work-items (0: one wave). */
struct request { const char *arch, *entry, *device; unsigned block; bool all, want_profile; json_t *profile; int shown; };

/* --- one kernel --------------------------------------------------------------------------------------------------------- */
static bool straddles(const struct kernel_line *l) { return l->va % FETCH_WINDOW + l->inst.size > FETCH_WINDOW; }

static void print_line(const struct kernel_line *l, const uint8_t *code, bool mark)
{
	uint32_t words[2] = { 0, 0 };
	memcpy(words, code, l->inst.size <= sizeof words ? l->inst.size : sizeof words);
	char encoding[24];
	if (l->inst.size == 8)
		snprintf(encoding, sizeof encoding, "%08X %08X", words[0], words[1]);
	else
		snprintf(encoding, sizeof encoding, "%08X", words[0]);
	printf("  %c%c %06" PRIx64 "  %-17s  %s\n", mark && l->in_hot_loop ? '>' : ' ', straddles(l) ? '+' : ' ', l->va, encoding, l->text);
}

/* The same with what its cycles went to, beside the kernel's own offsets. */
static void print_profiled(const struct kernel_line *l, const struct kernel_info *k, const json_t *profile, bool mark)
{
	const char text[] = { mark && l->in_hot_loop ? '>' : ' ', straddles(l) ? '+' : ' ', 0 };
	profile_print_line(profile, (int64_t)(l->va - k->code_va), l->text, text);
}

static void print_lines(const struct code_object *o, const struct kernel_info *k, const struct kernel_line *lines, size_t start, size_t end, bool mark,
                        const json_t *profile)
{
	size_t size;
	const uint8_t *code = (const uint8_t *)code_object_bytes(o, &size) + k->code_offset;
	if (profile)
		profile_print_head();
	for (size_t i = start; i < end; i++) {
		if (profile)
			print_profiled(&lines[i], k, profile, mark);
		else
			print_line(&lines[i], code + (lines[i].va - k->code_va), mark);
	}
}

static void print_loop_head(const struct kernel_line *lines, size_t start, size_t end)
{
	unsigned across = 0;
	for (size_t i = start; i < end; i++)
		across += straddles(&lines[i]);
	printf("  hot loop       %zu instructions, %" PRIu64 " bytes from %" PRIx64 ", %u modulo %d; %u across a fetch window%s\n", end - start,
	       lines[end - 1].va + lines[end - 1].inst.size - lines[start].va, lines[start].va, (unsigned)(lines[start].va % FETCH_WINDOW), FETCH_WINDOW,
	       across, across ? " (+)" : "");
}

static void print_code(const struct code_object *o, const struct kernel_info *k, const struct request *r)
{
	size_t count, start, end;
	struct err e = { 0 };
	struct kernel_line *lines = code_object_listing(o, k, &count, &start, &end, &e);
	if (!lines) { /* what the header says of the kernel is worth having all the same */
		printf("  hot loop       not known: %s\n", e.text);
		return;
	}
	if (start == end)
		printf("  hot loop       none\n");
	else
		print_loop_head(lines, start, end);
	if (r->profile)
		profile_print_account(r->profile);
	printf("\n");
	if (r->all || start == end)
		print_lines(o, k, lines, 0, count, true, r->profile);
	else
		print_lines(o, k, lines, start, end, false, r->profile);
	free(lines);
}

static void print_kernel(const struct code_object *o, const struct kernel_info *from, const char *where, struct request *r)
{
	struct kernel_info k = *from;
	unsigned block = r->block ? r->block : k.wave_size;
	kernel_occupancy(&k, block);
	printf("%s%s, %s, %s\n", r->shown++ ? "\n" : "", k.name, k.arch, where);
	printf("  registers      %u VGPRs, %u SGPRs\n", k.vgprs, k.sgprs);
	printf("  memory         LDS %u B, scratch %u B a work-item, kernel arguments %u B, code %zu B\n", k.lds_bytes, k.scratch_bytes, k.kernarg_bytes,
	       k.code_bytes);
	printf("  occupancy      %u waves of %u lanes per SIMD with blocks of %u, limited by %s\n", k.waves_per_simd, k.wave_size, block, k.limited_by);
	print_code(o, &k, r);
}

/* --- where it comes from ------------------------------------------------------------------------------------------------ */
static bool print_object(const char *path, const char *where, struct request *r, struct err *e)
{
	struct code_object *o = code_object_open(path, e);
	const struct kernel_info *list;
	if (!o)
		return false;
	size_t n = code_object_kernels(o, &list);
	for (size_t i = 0; i < n; i++)
		if (!r->entry || !strcmp(list[i].name, r->entry))
			print_kernel(o, &list[i], where, r);
	code_object_close(o);
	return true;
}

static bool print_source(const char *file, const char *defines, struct request *r, struct err *e)
{
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){ file, defines }, r->arch, &b, e))
		return false;
	if (*b.warning)
		fprintf(stderr, "wavedeck: %s\n", b.warning);
	char *where = xasprintf("%s%s%s (%s)", file, defines && *defines ? " " : "", defines ? defines : "", b.compiler);
	bool ok = print_object(b.path, where, r, e);
	free(where);
	kernel_build_free(&b);
	return ok;
}

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);
	return n > t && !strcmp(s + n - t, tail);
}

static bool is_source(const char *name) { return ends_with(name, ".hip") || ends_with(name, ".s"); }

static int is_source_entry(const struct dirent *d) { return is_source(d->d_name); }

/* Every kernel of that name in the project's sources: the published and the compiled form often share one. */
static bool print_kernels_named(struct request *r, struct err *e)
{
	struct dirent **files;
	char *folder = path_kernels(NULL);
	int n = scandir(folder, &files, is_source_entry, alphasort);
	bool ok = true;
	for (int i = 0; i < n; i++) {
		bool foreign = ends_with(files[i]->d_name, ".s") && !isa_target_by_name(r->arch);
		if (ok && !foreign)
			ok = print_source(files[i]->d_name, NULL, r, e);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
	free(folder);
	return ok;
}

/* --- an experiment ------------------------------------------------------------------------------------------------------ */
static unsigned block_of(const json_t *job)
{
	double threads = 1;
	for (int i = 0; i < 3; i++)
		threads *= json_number_value(json_array_get(json_object_get(job, "block"), (size_t)i));
	return (unsigned)threads;
}

/* One NAME=VALUE. */
static bool set_value(const struct experiment *x, const char *word, double *values, struct err *e)
{
	const char *equals = strchr(word, '=');
	char name[sizeof x->params[0].id];
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : 0, word);
	int i = equals ? experiment_param(x, name) : -1;
	if (i < 0)
		return err_set(e, ST_REQUEST, "'%s' is no NAME=VALUE of %s; `wavedeck show %s` names its parameters", word, x->id, x->id);
	return param_parse(&x->params[i], equals + 1, &values[i], e);
}

/* The kernel of one point: the defaults, changed by NAME=VALUE words. */
static bool print_experiment(struct experiment *x, const struct words *words, struct request *r, struct err *e)
{
	double values[PARAMS_MAX];
	bool ok = true, scaled = r->want_profile && !strncmp(r->device, "soft:", 5);
	for (int i = 0; i < x->param_count; i++)
		values[i] = scaled ? x->params[i].soft : x->params[i].value;
	for (int i = 1; i < words->count && ok; i++)
		ok = set_value(x, words->list[i], values, e);
	json_t *job = ok ? experiment_job(x, values, scaled, false, e) : NULL;
	if (!job)
		return false;
	const json_t *kernel = json_object_get(job, "kernel");
	if (!kernel) {
		json_decref(job);
		return err_set(e, ST_REQUEST, "%s launches no kernel; there is no code to look at", x->id);
	}
	r->entry = record_text(kernel, "entry");
	r->block = block_of(job);
	if (r->want_profile && !(r->profile = profile_measure(r->device, job, e))) {
		json_decref(job);
		return false;
	}
	ok = print_source(record_text(kernel, "file"), record_text(kernel, "defines"), r, e);
	json_decref(job);
	return ok;
}

static bool print_experiment_named(const struct words *words, struct request *r, struct err *e)
{
	struct catalog c;
	if (!command_catalog(&c, false, e))
		return false;
	struct experiment *x = catalog_find(&c, words->list[0], e);
	bool ok = x && print_experiment(x, words, r, e);
	catalog_free(&c);
	return ok;
}

/* --- the command -------------------------------------------------------------------------------------------------------- */
static bool no_more(const struct words *words, const struct request *r, struct err *e)
{
	if (r->want_profile)
		return err_set(e, ST_REQUEST, "--profile runs an experiment, and '%s' is none; `wavedeck list` lists them", words->list[0]);
	return words->count == 1 || err_set(e, ST_REQUEST, "'%s' behind a kernel: only an experiment takes NAME=VALUE", words->list[1]);
}

/* An object, a source, a kernel's name, an experiment: in this order, because the first three are exact. */
static bool print_named(const struct words *words, struct request *r, struct err *e)
{
	const char *name = words->list[0];
	if (ends_with(name, ".co"))
		return no_more(words, r, e) && print_object(name, name, r, e);
	if (is_source(name)) {
		char *own = strchr(name, '/') ? realpath(name, NULL) : NULL;
		bool ok = no_more(words, r, e) && print_source(own ? own : name, NULL, r, e);
		free(own);
		return ok;
	}
	if (!r->want_profile && !strchr(name, '-') && !ends_with(name, ".lua") && words->count == 1) {
		struct request kernel = *r;
		kernel.entry = name;
		bool ok = print_kernels_named(&kernel, e);
		if (!ok || kernel.shown)
			return ok;
	}
	return print_experiment_named(words, r, e);
}

int command_isa(int argc, char **argv)
{
	struct err e = { 0 };
	struct words words;
	struct request r = { 0 };
	const struct option options[] = { { "--arch", &r.arch, NULL }, { "--all", NULL, &r.all }, { "--profile", NULL, &r.want_profile },
		{ "--device", &r.device, NULL }, { NULL, NULL, NULL } };
	if (!options_parse(options, argc, argv, &words, &e))
		return command_fail(&e);
	if (!r.arch)
		r.arch = "gfx900";
	if (!r.device)
		r.device = "soft:mi25";
	bool ok = words.count ? print_named(&words, &r, &e)
	                      : err_set(&e, ST_REQUEST, "isa wants an experiment, a kernel, a source or a code object; `wavedeck list` lists experiments");
	free(words.list);
	json_decref(r.profile);
	return ok ? command_finish(ST_OK) : command_fail(&e);
}
