#include "sessions/export/export_svg.h"

#include <stdlib.h>
#include <string.h>

#include "plot/chart_svg.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "sessions/export/session_chart.h"
#include "sessions/export/export_table.h"

enum { CHART_HEIGHT = 440, MARGIN = 12, LINE = 16, FAULTS_MAX = 6 };

/* --- facts --- */

static void add_fact(struct provenance_facts *f, char *name, char *value)
{
	f->list = xrealloc(f->list, (size_t)(f->count + 1) * sizeof *f->list);
	f->list[f->count++] = (struct provenance_fact){name, value};
}

/* "# name: value\n" */
static void take_fact(void *ctx, const char *line)
{
	const char *colon = strstr(line, ": ");
	if (colon && !strncmp(line, "# ", 2))
		add_fact(ctx, xasprintf("%.*s", (int)(colon - line - 2), line + 2),
			xasprintf("%.*s", (int)strcspn(colon + 2, "\n"), colon + 2));
}

void provenance_facts_make(const struct session_output *o, struct provenance_facts *out)
{
	char sources[600];
	*out = (struct provenance_facts){0};
	csv_write_provenance(o->header, take_fact, out);
	if (o->published && o->published->row_count)
		add_fact(out, xstrdup("published"),
			xstrdup(overlay_format_sources(o->published, sources, sizeof sources)));
}

void provenance_facts_free(struct provenance_facts *f)
{
	for (int i = 0; i < f->count; i++) {
		free(f->list[i].name);
		free(f->list[i].value);
	}
	free(f->list);
	*f = (struct provenance_facts){0};
}

const char *provenance_facts_find(const struct provenance_facts *f, const char *name)
{
	for (int i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].name, name))
			return f->list[i].value;
	return "";
}

/* --- lines of text --- */

struct page {
	struct buf *out;
	double y;
};

/* As many lines as the text needs; a line of this size holds about so many characters. */
static void paragraph(struct page *p, const char *class, int size, const char *text)
{
	const size_t columns = (size_t)((PICTURE_WIDTH - 2 * MARGIN) / (0.55 * size));
	while (*text) {
		size_t n = strlen(text);
		for (size_t i = columns; n > columns && i > columns / 2; i--)
			if (text[i] == ' ')
				n = i;
		n = n > columns ? columns : n;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
		char *line = xasprintf("%.*s", (int)n, text);
		p->y += size + 4;
		buf_printf(p->out, "<text class=\"%s\" x=\"%d\" y=\"%.1f\" style=\"font-size:%dpx\">", class, MARGIN,
			p->y, size);
		svg_append_escaped(p->out, line);
		buf_puts(p->out, "</text>\n");
		free(line);
		text += n + strspn(text + n, " ");
	}
}

static void heading(struct page *p, const struct session_output *o)
{
	struct session_table t;
	const char *title = record_get_text(o->header, "title"),
		   *device = record_get_text(json_object_get(o->header, "device"), "name");
	char *text = xasprintf(
		"%s%s%s", *title ? title : record_get_text(o->header, "experiment"), *device ? "  -  " : "", device);
	paragraph(p, "title", 18, text);
	paragraph(p, "question", SVG_TEXT, record_get_text(o->header, "question"));
	session_table_make(o, &t);
	paragraph(p, "fixed", SVG_TEXT, t.fixed);
	session_table_free(&t);
	free(text);
	p->y += LINE / 2;
}

static void faults(struct page *p, const struct session_output *o)
{
	char note[400];
	size_t seen = 0;
	for (size_t i = 0; i < o->count; i++) {
		if (!o->points[i] ||
			(!point_describe_fault(o->points[i], note, sizeof note) &&
				!json_is_true(json_object_get(o->points[i], "clocks_moved"))))
			continue;
		char *text = xasprintf(
			"! point %zu: %s", i + 1, *note ? note : "clock moved more than 2 % while it was measured");
		if (seen++ < FAULTS_MAX)
			paragraph(p, "fault", 11, text);
		free(text);
	}
	if (seen > FAULTS_MAX) {
		char *text = xasprintf("! %zu more points are not to be trusted", seen - FAULTS_MAX);
		paragraph(p, "fault", 11, text);
		free(text);
	}
}

static void metadata(struct page *p, const struct session_output *o)
{
	static const char *const shown[] = {
		"experiment", "device", "versions", "kernel", "source", "published", "time", "program"};
	struct provenance_facts f;
	provenance_facts_make(o, &f);
	p->y += LINE / 2;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		char *text = xasprintf("%s: %s", shown[i], provenance_facts_find(&f, shown[i]));
		if (*provenance_facts_find(&f, shown[i]))
			paragraph(p, "fact", 11, text);
		free(text);
	}
	provenance_facts_free(&f);
}

/* --- the picture --- */

static void body(struct page *p, const struct session_output *o, struct session_chart *s)
{
	const struct chart *c = session_chart_of(s);
	struct plot_frame f = frame_layout(c, PICTURE_WIDTH, CHART_HEIGHT, SVG_TEXT);
	struct chart_strip strips[CLOCK_STRIPS_MAX];
	size_t n = session_chart_strips(s, o->points, o->count, strips);
	svg_draw_chart(p->out, c, &f, p->y);
	p->y += CHART_HEIGHT;
	buf_puts(p->out, "<g class=\"strips\">\n");
	for (size_t i = 0; i < n; i++, p->y += STRIP_HEIGHT)
		svg_draw_strip(p->out, c, &f, &strips[i], p->y);
	buf_puts(p->out, "</g>\n");
	p->y += LINE / 2;
	p->y += svg_draw_legend(p->out, c, f.left, p->y, f.width) + LINE / 2;
}

bool svg_export_picture(struct buf *out, const struct session_output *o, bool title)
{
	struct session_chart *s = session_chart_new(o->header, o->points, o->count);
	if (!s)
		return false;
	if (o->published)
		session_chart_add_published(s, o->published, o->points, o->count);
	struct buf inner = {0};
	struct page p = {&inner, 0};
	buf_puts(&inner, "");
	if (title)
		heading(&p, o);
	body(&p, o, s);
	if (title) {
		faults(&p, o);
		metadata(&p, o);
	}
	buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" style=\"font-family:sans-serif;font-size:%dpx\" role=\"img\">\n<title>",
		PICTURE_WIDTH, p.y + MARGIN, PICTURE_WIDTH, p.y + MARGIN, SVG_TEXT);
	svg_append_escaped(out, session_chart_of(s)->title);
	buf_puts(out, "</title>\n");
	if (title)
		buf_puts(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	buf_add(out, inner.data, inner.len);
	buf_puts(out, "</svg>\n");
	buf_free(&inner);
	session_chart_free(s);
	return true;
}

/* Nothing to draw is a picture that says so. */
void svg_export(const struct session_output *o)
{
	struct buf b = {0};
	buf_puts(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	if (!svg_export_picture(&b, o, true))
		buf_puts(&b,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"500\" height=\"40\"><text x=\"12\" y=\"24\">this session has no points to draw</text></svg>\n");
	fputs(b.data, o->file);
	buf_free(&b);
}
