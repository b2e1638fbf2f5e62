/* `isa FILE [KERNEL]`: the GPU code of a program, library, object file or code object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "base/printable_text.h"
#include "cli/isa/command_isa.h"
#include "kernels/inspect/program_code.h"
#include "kernels/inspect/source_map.h"

static bool is_shown(const struct program_kernel *k, const char *arch)
{
	return !arch || program_target_is(k->target, arch);
}

static bool refuse_target(const struct program_code *p, const char *shown, const char *arch, struct err *e)
{
	char *targets = program_targets_text(p);
	err_set(e, ST_REQUEST,
		"%s has no code for %s; it has code for %s: use --arch %s, or compile with --offload-arch=%s",
		path_basename(shown), arch, targets, p->targets[0], arch);
	free(targets);
	return false;
}

/* --- the table --- */
static void print_table_row(const struct program_kernel *k)
{
	const struct kernel_info *i = k->info;
	struct buf row = {0};
	buf_printf(&row, "%-20s %5u %5u %7u %9u %8zu  %s", k->target, i->vgprs, i->sgprs, i->lds_bytes,
		i->scratch_bytes, i->code_bytes, k->name);
	text_print_line(stdout, &row);
}

static void print_gaps(const struct program_code *p)
{
	for (size_t i = 0; i < p->gap_count; i++) {
		struct buf line = {0};
		buf_printf(&line, "not shown: code for %s: %s", p->gaps[i].target, p->gaps[i].why);
		text_print_line(stdout, &line);
	}
}

static bool print_table(const struct program_code *p, const struct isa_program *what, const char *arch, struct err *e)
{
	size_t rows = 0;
	for (size_t i = 0; i < p->kernel_count; i++)
		rows += is_shown(&p->kernels[i], arch);
	if (!rows)
		return refuse_target(p, what->shown, arch, e);
	printf("%-20s %5s %5s %7s %9s %8s  %s\n", "target", "VGPRs", "SGPRs", "LDS/B", "scratch/B", "code/B", "kernel");
	for (size_t i = 0; i < p->kernel_count; i++)
		if (is_shown(&p->kernels[i], arch))
			print_table_row(&p->kernels[i]);
	print_gaps(p);
	return true;
}

/* --- a kernel --- */
static void print_kernel_of(const struct program_kernel *k, const struct isa_program *what, struct isa_request *r)
{
	char *where = strcmp(k->target, k->info->arch) ? xasprintf("%s (%s)", what->shown, k->target)
						       : xstrdup(what->shown),
	     *source = r->source ? NULL : source_map_find_file(k->object, k->info);
	const char *given = r->source;
	r->source = given ? given : source;
	isa_print_kernel(k->object, k->info, what->where ? what->where : where, r);
	r->source = given;
	free(source);
	free(where);
}

/* The target that was asked for, or that of the device, or the first; NULL with the error. */
static const char *choose_target(const struct program_code *p, const bool *found, const struct isa_program *what,
	const struct isa_request *r, struct err *e)
{
	const char *first = NULL;
	for (size_t i = 0; i < p->kernel_count; i++) {
		if (!found[i])
			continue;
		if (program_target_is(p->kernels[i].target, r->arch))
			return r->arch;
		first = first ? first : p->kernels[i].target;
	}
	if (r->arch_asked)
		refuse_target(p, what->shown, r->arch, e);
	return r->arch_asked ? NULL : first;
}

static bool print_found(
	const struct program_code *p, const struct isa_program *what, struct isa_request *r, struct err *e)
{
	bool *found = program_find_kernel(p, what->shown, what->kernel, e);
	const char *target = found ? choose_target(p, found, what, r, e) : NULL;
	for (size_t i = 0; target && i < p->kernel_count; i++)
		if (found[i] && is_shown(&p->kernels[i], target))
			print_kernel_of(&p->kernels[i], what, r);
	free(found);
	return target != NULL;
}

bool isa_print_program(const struct isa_program *what, struct isa_request *r, struct err *e)
{
	struct program_code p;
	bool ok = program_code_read(&p, what->path, e) &&
		(what->kernel ? print_found(&p, what, r, e) : print_table(&p, what, r->arch_asked ? r->arch : NULL, e));
	program_code_free(&p);
	return ok;
}
