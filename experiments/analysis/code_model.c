#include "experiments/analysis/code_model.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/analysis/listed/code_model_objdump.h"
#include "experiments/analysis/listed/code_model_sass.h"
#include "experiments/analysis/dual_issue.h"
#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "base/vendor/vendor_words.h"
#include "gpu/softgpu-link/model_issue_costs.h"
#include "gpu/protocol/record.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/inspect/source_map.h"

/* --- requests --- */
static char *kernel_file_path(const char *file)
{
	return *file == '/' ? xstrdup(file) : path_kernels(file);
}

static long long file_change_time(const char *file)
{
	struct stat st;
	char *path = kernel_file_path(file);
	bool there = !stat(path, &st);
	free(path);
	return there ? st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec : 0;
}

static unsigned job_block_size(const json_t *job)
{
	double threads = 1;
	for (size_t i = 0; i < 3; i++)
		threads *= json_number_value(json_array_get(json_object_get(job, "block"), i));
	return (unsigned)threads;
}

bool code_request_build(struct experiment *x, const double *values, bool soft, const char *device, const char *arch,
	struct code_request *out, struct err *e)
{
	*out = (struct code_request){0};
	json_t *job = experiment_build_job(x, values, soft, arch, false, e);
	const json_t *kernel = json_object_get(job, "kernel");
	if (!job)
		return false;
	if (!kernel) {
		json_decref(job);
		return err_set(e, ST_REQUEST,
			x->work == WORK_PROGRAM ? "%s runs a program; `wavedeck isa ./PROGRAM` shows its code"
						: "%s launches no kernel, so it has no code to show",
			x->id);
	}
	const char *file = record_get_text(kernel, "file"), *source = record_get_text(kernel, "source");
	*out = (struct code_request){xstrdup(device), xstrdup(arch), xstrdup(file),
		xstrdup(record_get_text(kernel, "defines")), xstrdup(record_get_text(kernel, "entry")),
		*source ? xstrdup(source) : NULL, job_block_size(job),
		(unsigned)json_integer_value(json_object_get(job, "dynamic_lds")),
		json_deep_copy(json_object_get(job, "contract")), file_change_time(*source ? source : file)};
	json_decref(job);
	return true;
}

void code_request_free(struct code_request *r)
{
	free(r->device);
	free(r->arch);
	free(r->file);
	free(r->defines);
	free(r->entry);
	free(r->source);
	json_decref(r->contract);
	*r = (struct code_request){0};
}

static char *dup_or_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

void code_request_copy(struct code_request *to, const struct code_request *from)
{
	*to = (struct code_request){dup_or_null(from->device), dup_or_null(from->arch), dup_or_null(from->file),
		dup_or_null(from->defines), dup_or_null(from->entry), dup_or_null(from->source), from->block,
		from->dynamic_lds, from->contract ? json_deep_copy(from->contract) : NULL, from->changed};
}

static bool are_texts_equal(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

bool code_request_equals(const struct code_request *a, const struct code_request *b)
{
	return are_texts_equal(a->device, b->device) && are_texts_equal(a->arch, b->arch) &&
		are_texts_equal(a->file, b->file) && are_texts_equal(a->defines, b->defines) &&
		are_texts_equal(a->entry, b->entry) && are_texts_equal(a->source, b->source) && a->block == b->block &&
		a->dynamic_lds == b->dynamic_lds && a->changed == b->changed &&
		(a->contract == b->contract || json_equal(a->contract, b->contract));
}

/* --- parts --- */
const char *code_request_source(const struct code_request *r)
{
	size_t length = r->file ? strlen(r->file) : 0;
	bool is_object = length > 3 && !strcmp(r->file + length - 3, ".co");
	return r->source ? r->source : is_object ? NULL : r->file;
}

static void read_source_lines(struct code_model *m, const char *file)
{
	char *path = kernel_file_path(file);
	struct buf text = {0};
	const char *why;
	char *rest = input_file_read(path, KERNEL_SOURCE_MAX, &text, &why) ? text.data : NULL;
	for (char *line; (line = strsep(&rest, "\n"));) {
		if (!rest && !*line) /* after the last newline */
			break;
		m->source = xrealloc(m->source, (size_t)(m->source_count + 1) * sizeof *m->source);
		line[strcspn(line, "\r")] = 0;
		m->source[m->source_count++] = xstrdup(line);
	}
	buf_free(&text);
	free(path);
}

static void check_contract(struct code_model *m)
{
	size_t i;
	json_t *one;
	json_array_foreach(m->request.contract, i, one)
	{
		const json_t *count = json_object_get(one, "count");
		struct isa_contract c = {record_get_text(one, "isa"), record_get_text(one, "instruction"),
			record_get_text(one, "where"), count ? (int)json_integer_value(count) : -1};
		if (m->contract_count == CODE_CONTRACTS || !contract_applies_to(&c, m->info.arch))
			continue;
		int found = contract_count_matches(&c, m->lines, m->count);
		m->contract[m->contract_count++] = (struct code_contract){c, found, contract_is_met(&c, found)};
	}
}

/* Of lines that no tool but ours decodes, nothing more is known. */
static void analyze_text(struct code_model *m)
{
	m->on_chain = xcalloc(m->count, sizeof *m->on_chain);
	code_find_bank_conflicts(m);
	check_contract(m);
}

static void analyze_lines(struct code_model *m, const struct code_object *o)
{
	size_t size, bytes;
	const uint8_t *all = (const uint8_t *)code_object_bytes(o, &size) + m->info.code_offset;
	m->count = listing_trimmed_count(m->lines, m->count);
	if (!m->count)
		return;
	const struct kernel_line *last = &m->lines[m->count - 1];
	bytes = last->va + last->inst.size - m->lines[0].va;
	m->code = xmalloc(bytes);
	memcpy(m->code, all, bytes);
	m->on_chain = xcalloc(m->count, sizeof *m->on_chain);
	m->source_line = xcalloc(m->count, sizeof *m->source_line);
	m->chain = dependence_chain_find(m->lines, m->loop_start, m->loop_end, &m->costs, m->on_chain);
	m->mapped = code_request_source(&m->request) &&
		source_map_build(o, code_request_source(&m->request), m->lines, m->count, m->source_line);
	code_find_bank_conflicts(m);
	check_contract(m);
}

void code_model_name_tools(struct code_model *m, const char *tools)
{
	size_t n = strlen(m->where);
	bool inside = n && m->where[n - 1] == ')';
	char *where = xasprintf("%.*s%s%s)", (int)(inside ? n - 1 : n), m->where, inside ? "; " : " (", tools);
	free(m->where);
	m->where = where;
}

struct code_model *code_model_from_object(
	const struct code_object *o, const struct kernel_info *k, const struct code_request *r, const char *where)
{
	struct code_model *m = xcalloc(1, sizeof *m);
	struct err e = {0};
	code_request_copy(&m->request, r);
	m->info = *k;
	m->where = xstrdup(where);
	if (vendor_is_nvidia(k->arch))
		code_model_read_sass(m, o);
	if (__builtin_add_overflow(m->info.lds_bytes, r->dynamic_lds, &m->info.lds_bytes))
		m->info.lds_bytes = UINT_MAX;
	m->request.block = r->block ? r->block : m->info.wave_size;
	kernel_compute_occupancy(&m->info, m->request.block);
	m->limit_count = kernel_list_limits(&m->info, m->request.block, m->limits);
	issue_costs_from_model(r->device && device_can(r->device, DEVICE_TUNABLE) ? device_rest(r->device) : NULL,
		m->info.arch, &m->costs, m->costs_of);
	if (code_request_source(r))
		read_source_lines(m, code_request_source(r));
	if (!vendor_is_nvidia(k->arch) && !isa_target_by_name(k->arch))
		code_model_read_objdump(m, o);
	if (m->listed) {
		if (m->lines)
			analyze_text(m);
		return m;
	}
	m->lines = code_object_disassemble(o, k, &m->count, &m->loop_start, &m->loop_end, &e);
	if (m->lines)
		analyze_lines(m, o);
	else
		snprintf(m->why_no_lines, sizeof m->why_no_lines, "%s", e.text);
	return m;
}

static struct code_model *load_built_kernel(const struct code_request *r, const struct kernel_build *b, struct err *e)
{
	struct code_object *o = code_object_open(b->path, e);
	const struct kernel_info *k = o ? code_object_find_kernel_of(o, r->file, r->entry, e) : NULL;
	if (!k) {
		code_object_close(o);
		return NULL;
	}
	bool defined = r->defines && *r->defines;
	char *where = xasprintf(
		"%s%s%s (%s)", path_basename(r->file), defined ? " " : "", defined ? r->defines : "", b->compiler);
	struct code_model *m = code_model_from_object(o, k, r, where);
	m->object = o;
	free(where);
	return m;
}

struct code_model *code_model_load(const struct code_request *r, struct err *e)
{
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){r->file, r->defines, NULL}, r->arch, &b, e))
		return NULL;
	struct code_model *m = load_built_kernel(r, &b, e);
	if (m)
		snprintf(m->warning, sizeof m->warning, "%s", b.warning);
	kernel_build_free(&b);
	return m;
}

void code_model_free(struct code_model *m)
{
	if (!m)
		return;
	for (int i = 0; i < m->source_count; i++)
		free(m->source[i]);
	free(m->source);
	free(m->source_line);
	free(m->on_chain);
	free(m->bank_cycles);
	free(m->code);
	free(m->lines);
	free(m->where);
	if (m->object)
		code_object_close(m->object);
	code_request_free(&m->request);
	free(m);
}
