#include "cli/compare/compare_captures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable_text.h"
#include "captures/capture_archive.h"
#include "captures/capture_description.h"
#include "captures/capture_experiments.h"
#include "cli/cli_support.h"
#include "gpu/protocol/record.h"
#include "sessions/export/csv_line.h"

struct compared_capture {
	const char *file;
	json_t *head;
	struct captured_kernel *kernels; /* the slowest first */
	int count;
};

/* A kernel in one or both; NULL: not in that one. */
struct compared_kernel {
	const struct captured_kernel *before, *after;
};

struct kernel_comparison {
	struct compared_capture before, after;
	struct compared_kernel *kernels;
	int count;
};

/* --- matching --- */
static bool read_compared_capture(struct compared_capture *c, const char *file, struct err *e)
{
	c->file = file;
	if (!capture_archive_read_head(file, &c->head, e) || !capture_check_description(file, c->head, e))
		return false;
	c->kernels = capture_list_kernels(c->head, &c->count);
	return true;
}

/* The slowest with this name: the same kernel may have run on several models. */
static const struct captured_kernel *find_named_kernel(const struct compared_capture *c, const char *name)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->kernels[i].name, name))
			return &c->kernels[i];
	return NULL;
}

static void match_kernels(struct kernel_comparison *c)
{
	c->kernels = xcalloc((size_t)(c->before.count + c->after.count) + 1, sizeof *c->kernels);
	for (int i = 0; i < c->before.count; i++) {
		const struct captured_kernel *k = &c->before.kernels[i];
		if (find_named_kernel(&c->before, k->name) == k)
			c->kernels[c->count++] = (struct compared_kernel){k, find_named_kernel(&c->after, k->name)};
	}
	for (int i = 0; i < c->after.count; i++) {
		const struct captured_kernel *k = &c->after.kernels[i];
		if (find_named_kernel(&c->after, k->name) == k && !find_named_kernel(&c->before, k->name))
			c->kernels[c->count++] = (struct compared_kernel){NULL, k};
	}
}

/* --- figures --- */
static struct reading read_figure(const struct captured_kernel *k, const char *member)
{
	return k ? (struct reading){true, json_number_value(json_object_get(k->launch, member))} : (struct reading){0};
}

/* After to before. */
static struct reading find_ratio(const struct compared_kernel *k, const char *member)
{
	struct reading a = read_figure(k->before, member), b = read_figure(k->after, member);
	return a.valid && b.valid && a.value > 0 ? (struct reading){true, b.value / a.value} : (struct reading){0};
}

static const char *get_compared_name(const struct compared_kernel *k)
{
	return (k->before ? k->before : k->after)->name;
}

/* Of its slowest kernel. */
static const char *get_model(const struct compared_capture *c)
{
	return c->count ? c->kernels[0].model : "";
}

static bool have_other_models(const struct kernel_comparison *c)
{
	for (int i = 0; i < c->count; i++)
		if (c->kernels[i].before && c->kernels[i].after &&
			strcmp(c->kernels[i].before->model, c->kernels[i].after->model))
			return true;
	return strcmp(get_model(&c->before), get_model(&c->after));
}

/* --- table --- */
static void add_cell(struct buf *line, int width, struct reading r, double factor)
{
	char text[40] = "-";
	if (r.valid)
		snprintf(text, sizeof text, "%.4g", r.value * factor);
	buf_printf(line, "%*s  ", width, text);
}

static void print_kernel_row(const struct compared_kernel *k)
{
	struct buf line = {0};
	add_cell(&line, 10, read_figure(k->before, "duration"), 1e6);
	add_cell(&line, 10, read_figure(k->after, "duration"), 1e6);
	add_cell(&line, 7, find_ratio(k, "duration"), 1);
	add_cell(&line, 12, find_ratio(k, "instructions"), 1);
	buf_printf(&line, "%s%s", get_compared_name(k), !k->after ? "; only in A" : !k->before ? "; only in B" : "");
	text_print_line(stdout, &line);
}

static void print_compared_capture(char side, const struct compared_capture *c)
{
	struct buf line = {0};
	buf_printf(&line, "%c  %s  %s  %s", side, c->file, get_model(c), record_get_text(c->head, "utc"));
	text_print_line(stdout, &line);
}

static void print_kernel_table(const struct kernel_comparison *c)
{
	print_compared_capture('A', &c->before);
	print_compared_capture('B', &c->after);
	if (have_other_models(c))
		printf("the models differ: part of a ratio may be the GPU's, not the kernel's\n");
	printf("\n%10s  %10s  %7s  %12s  %s\n", "A (us)", "B (us)", "B / A", "instr. B / A",
		"kernel, its slowest launch");
	for (int i = 0; i < c->count; i++)
		print_kernel_row(&c->kernels[i]);
}

/* --- CSV --- */
static void put_line_on_stdout(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stdout);
}

static void print_kernel_csv(const struct kernel_comparison *c)
{
	static const char *const columns[] = {"kernel", "seconds_A", "seconds_B", "seconds_B_ratio", "instructions_A",
		"instructions_B", "instructions_B_ratio"};
	static const char *const members[] = {"duration", "instructions"};
	struct csv_line line = {0};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		csv_add_text(&line, columns[i]);
	csv_end_line(&line, put_line_on_stdout, NULL);
	for (int i = 0; i < c->count; i++) {
		csv_add_text(&line, get_compared_name(&c->kernels[i]));
		for (int m = 0; m < 2; m++) {
			csv_add_number(&line, read_figure(c->kernels[i].before, members[m]));
			csv_add_number(&line, read_figure(c->kernels[i].after, members[m]));
			csv_add_number(&line, find_ratio(&c->kernels[i], members[m]));
		}
		csv_end_line(&line, put_line_on_stdout, NULL);
	}
}

/* --- JSON --- */
static json_t *make_json_side(const struct captured_kernel *k)
{
	if (!k)
		return json_null();
	static const char *const members[] = {"model", "duration", "cycles", "instructions"};
	json_t *side = json_object();
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		json_object_set(side, members[i], json_object_get(k->launch, members[i]));
	return side;
}

static json_t *make_json_ratio(const struct compared_kernel *k, const char *member)
{
	struct reading r = find_ratio(k, member);
	return r.valid ? json_real(r.value) : json_null();
}

static json_t *make_json_capture(char side, const struct compared_capture *c)
{
	return json_pack("{s:o, s:o, s:s, s:s}", "name", json_sprintf("%c", side), "file", json_utf8_string(c->file),
		"model", get_model(c), "utc", record_get_text(c->head, "utc"));
}

static void print_kernel_json(const struct kernel_comparison *c)
{
	json_t *list = json_array();
	for (int i = 0; i < c->count; i++) {
		const struct compared_kernel *k = &c->kernels[i];
		json_array_append_new(list,
			json_pack("{s:s, s:o, s:o, s:o, s:o}", "kernel", get_compared_name(k), "A",
				make_json_side(k->before), "B", make_json_side(k->after), "seconds_ratio",
				make_json_ratio(k, "duration"), "instructions_ratio",
				make_json_ratio(k, "instructions")));
	}
	command_print_json(json_pack("{s:[o, o], s:b, s:o}", "captures", make_json_capture('A', &c->before),
		make_json_capture('B', &c->after), "same_models", (int)!have_other_models(c), "kernels", list));
}

bool compare_captures(const char *before, const char *after, enum export_format format, struct err *e)
{
	struct kernel_comparison c = {0};
	bool ok = read_compared_capture(&c.before, before, e) && read_compared_capture(&c.after, after, e);
	if (ok)
		match_kernels(&c);
	if (ok && format == FORMAT_TABLE)
		print_kernel_table(&c);
	else if (ok && format == FORMAT_CSV)
		print_kernel_csv(&c);
	else if (ok)
		print_kernel_json(&c);
	free(c.kernels);
	free(c.before.kernels);
	free(c.after.kernels);
	json_decref(c.before.head);
	json_decref(c.after.head);
	return ok;
}
