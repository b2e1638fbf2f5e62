#include "checks/check_report_junit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/printable_text.h"
#include "checks/check_words.h"
#include "kernels/inspect/readable_name.h"

/* Text of other people: control characters are not allowed in XML. */
static void append_xml(struct buf *out, const char *text)
{
	struct buf clean = {0};
	buf_puts(&clean, "");
	printable_append(&clean, text, strlen(text));
	for (const char *at = clean.data; *at; at++)
		switch (*at) {
		case '&': buf_puts(out, "&amp;"); break;
		case '<': buf_puts(out, "&lt;"); break;
		case '>': buf_puts(out, "&gt;"); break;
		case '"': buf_puts(out, "&quot;"); break;
		default: buf_add(out, at, 1);
		}
	buf_free(&clean);
}

/* --- kernels --- */
static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Readable names, each once, sorted. The caller frees them. */
static char **list_kernel_names(const struct check_findings *r, size_t *count)
{
	const size_t launched = r->journals->kernel_count, places = r->places->count;
	char **list = xcalloc(launched + places + 1, sizeof *list);
	size_t kept = 0;
	for (size_t i = 0; i < launched; i++)
		list[i] = kernel_readable_name(r->journals->kernels[i]);
	for (size_t i = 0; i < places; i++)
		list[launched + i] = xstrdup(r->places->list[i].kernel);
	qsort(list, launched + places, sizeof *list, compare_texts);
	for (size_t i = 0; i < launched + places; i++)
		if (kept && !strcmp(list[kept - 1], list[i]))
			free(list[i]);
		else
			list[kept++] = list[i];
	*count = kept;
	return list;
}

/* --- the document --- */
static void append_failure(struct buf *b, const struct check_findings *r, const struct check_place *p)
{
	struct buf text = {0};
	buf_printf(b, "      <failure type=\"%s\" message=\"", check_kind_name(p->record->kind));
	buf_printf(&text, "%s, ", check_kind_text(p->record->kind));
	count_append_times(&text, p->count);
	append_xml(b, text.data);
	buf_puts(b, "\">");
	buf_clear(&text);
	check_place_append_text(&text, r, p);
	append_xml(b, text.data);
	buf_puts(b, "</failure>\n");
	buf_free(&text);
}

/* Returns whether it failed. */
static bool append_case(struct buf *b, const struct check_findings *r, const char *kernel)
{
	bool failed = false;
	buf_puts(b, "    <testcase classname=\"wavedeck.check\" name=\"");
	append_xml(b, kernel);
	buf_puts(b, "\">\n");
	for (size_t i = 0; i < r->places->count; i++) {
		const struct check_place *p = &r->places->list[i];
		if (p->suppressed || strcmp(p->kernel, kernel))
			continue;
		append_failure(b, r, p);
		failed = true;
	}
	buf_puts(b, "    </testcase>\n");
	return failed;
}

static void append_document(struct buf *b, const struct check_findings *r)
{
	size_t count, failures = 0;
	char **kernels = list_kernel_names(r, &count);
	struct buf cases = {0};
	buf_puts(&cases, "");
	for (size_t i = 0; i < count; i++) {
		failures += append_case(&cases, r, kernels[i]);
		free(kernels[i]);
	}
	free(kernels);
	buf_puts(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
	append_xml(b, r->program[0]);
	buf_printf(b, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n%s  </testsuite>\n</testsuites>\n", count,
		failures, cases.data);
	buf_free(&cases);
}

static void print_xml(FILE *out, const void *ctx)
{
	const struct buf *b = ctx;
	fwrite(b->data, 1, b->len, out);
}

bool check_report_write_junit(const struct check_findings *r, const char *path, struct err *e)
{
	struct buf b = {0};
	append_document(&b, r);
	bool ok = file_write_atomic(path, print_xml, &b, "; name another file with --check-junit", e);
	buf_free(&b);
	return ok;
}
