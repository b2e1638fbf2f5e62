#include "sessions/export/svg_picture.h"

#include <stdlib.h>
#include <string.h>

#include "plot/chart_svg.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "sessions/export/session_chart.h"
#include "sessions/export/session_heatmap.h"
#include "sessions/export/provenance_facts.h"
#include "sessions/export/session_table.h"
#include "sessions/export/side_charts.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { CHART_HEIGHT = 440, SIDE_CHART_HEIGHT = 260, MARGIN = 12, LINE = 16, FAULTS_MAX = 6 };

/* --- lines of text --- */

struct page {
	struct buf *out;
	double y;
};

/* Breaks the text into lines; SVG does not. The width of a character is an estimate. */
static void append_paragraph(struct page *p, const char *class, int size, const char *text)
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

static void append_heading(struct page *p, const struct session_output *o)
{
	struct session_table t;
	const char *title = header_get_title(o->header), *device = device_get_name(header_get_device(o->header));
	char *text =
		xasprintf("%s%s%s", *title ? title : record_get_experiment(o->header), *device ? "  -  " : "", device);
	append_paragraph(p, "title", 18, text);
	append_paragraph(p, "question", SVG_TEXT, record_get_text(o->header, "question"));
	session_table_make(o, false, &t);
	append_paragraph(p, "fixed", SVG_TEXT, t.fixed);
	session_table_free(&t);
	free(text);
	p->y += LINE / 2;
}

static void append_faults(struct page *p, const struct session_output *o, const struct session_chart *s)
{
	char note[400];
	const size_t *list;
	size_t count = session_chart_suspects(s, &list);
	for (size_t i = 0; i < count && i < FAULTS_MAX; i++) {
		point_describe_fault(point_list_get(o->points, list[i]), note, sizeof note);
		char *text = xasprintf("! point %zu: %s", list[i] + 1,
			*note ? note : "clock moved by more than 2 % during the measurement");
		append_paragraph(p, "fault", 11, text);
		free(text);
	}
	if (count > FAULTS_MAX) {
		char *text = xasprintf("! %zu more points are not trusted", count - FAULTS_MAX);
		append_paragraph(p, "fault", 11, text);
		free(text);
	}
}

static void append_picture_notes(struct page *p, const struct session_output *o)
{
	for (size_t i = 0; session_output_note(o, i); i++) {
		char *text = xasprintf("note: %s", session_output_note(o, i));
		append_paragraph(p, "note", SVG_TEXT, text);
		free(text);
	}
}

static void append_metadata(struct page *p, const struct session_output *o)
{
	static const char *const shown[] = {
		"experiment", "device", "versions", "kernel", "source", "published", "time", "program"};
	struct provenance_facts f;
	provenance_facts_make(o, &f);
	p->y += LINE / 2;
	append_picture_notes(p, o);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		char *text = xasprintf("%s: %s", shown[i], provenance_facts_find(&f, shown[i]));
		if (*provenance_facts_find(&f, shown[i]))
			append_paragraph(p, "fact", 11, text);
		free(text);
	}
	provenance_facts_free(&f);
}

/* --- the picture --- */

static void append_side_chart(struct page *p, const struct side_chart *side)
{
	struct plot_frame f = frame_layout(&side->chart, PICTURE_WIDTH, SIDE_CHART_HEIGHT, SVG_TEXT);
	append_paragraph(p, "side-title", 14, side->title);
	p->y += LINE / 2;
	buf_puts(p->out, "<g class=\"side\">\n");
	svg_draw_chart(p->out, &side->chart, &f, p->y);
	p->y += SIDE_CHART_HEIGHT;
	p->y += svg_draw_legend(p->out, &side->chart, f.left, p->y, f.width) + LINE / 2;
	buf_puts(p->out, "</g>\n");
}

static void append_side_charts(struct page *p, const struct session_output *o, const struct session_chart *s)
{
	struct side_chart list[SIDE_CHARTS_MAX];
	size_t n = side_charts_make(s, o->points, list);
	for (size_t i = 0; i < n; i++) {
		append_side_chart(p, &list[i]);
		side_chart_free(&list[i]);
	}
}

static void append_chart(struct page *p, const struct session_output *o, struct session_chart *s)
{
	const struct chart *c = session_chart_of(s);
	struct plot_frame f = frame_layout(c, PICTURE_WIDTH, CHART_HEIGHT, SVG_TEXT);
	struct chart_strip strips[CLOCK_STRIPS_MAX];
	size_t n = session_chart_strips(s, strips);
	svg_draw_chart(p->out, c, &f, p->y);
	p->y += CHART_HEIGHT;
	buf_puts(p->out, "<g class=\"strips\">\n");
	p->y += svg_draw_strips(p->out, c, &f, strips, n, p->y);
	buf_puts(p->out, "</g>\n");
	p->y += LINE / 2;
	p->y += svg_draw_legend(p->out, c, f.left, p->y, f.width) + LINE / 2;
	append_side_charts(p, o, s);
}

static void append_heatmap(struct page *p, const struct session_output *o)
{
	struct heatmap h;
	if (session_heatmap_make(o->header, o->points, -1, &h))
		p->y += svg_draw_heatmap(p->out, &h, p->y, PICTURE_WIDTH);
	heatmap_free(&h);
}

static void append_svg_start(struct buf *out, double height, const char *title)
{
	buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" style=\"font-family:sans-serif;font-size:%dpx\" role=\"img\">\n<title>",
		PICTURE_WIDTH, height, PICTURE_WIDTH, height, SVG_TEXT);
	svg_append_escaped(out, title);
	buf_puts(out, "</title>\n");
}

static void append_heatmap_picture(struct buf *out, const struct heatmap *h)
{
	struct buf inner = {0};
	append_svg_start(out, svg_draw_heatmap(&inner, h, 0, PICTURE_WIDTH), h->label);
	buf_add(out, inner.data, inner.len);
	buf_puts(out, "</svg>\n");
	buf_free(&inner);
}

bool svg_append_heatmaps(struct buf *out, const struct session_output *o)
{
	struct session_columns c;
	struct heatmap list[COLUMNS_MAX];
	int metrics[COLUMNS_MAX];
	size_t count = 0;
	columns_read(o->header, &c);
	for (int i = 0; i < c.metric_count; i++)
		if (!c.metrics[i].line && c.metrics[i].axis >= 0 && c.metrics[i].axis <= 1)
			metrics[count++] = i;
	if (!count || !session_heatmaps_make(o->header, o->points, metrics, count, list))
		return false;
	for (size_t k = 0; k < count; k++) {
		append_heatmap_picture(out, &list[k]);
		heatmap_free(&list[k]);
	}
	return true;
}

bool svg_append_picture(struct buf *out, const struct session_output *o, bool with_text)
{
	struct session_chart *s = session_chart_new(o->header, o->points, o->extras);
	if (!s)
		return false;
	struct buf inner = {0};
	struct page p = {&inner, 0};
	buf_puts(&inner, "");
	if (with_text)
		append_heading(&p, o);
	append_chart(&p, o, s);
	if (with_text) {
		append_heatmap(&p, o);
		append_faults(&p, o, s);
		append_metadata(&p, o);
	}
	append_svg_start(out, p.y + MARGIN, session_chart_of(s)->title);
	if (with_text)
		buf_puts(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	buf_add(out, inner.data, inner.len);
	buf_puts(out, "</svg>\n");
	buf_free(&inner);
	session_chart_free(s);
	return true;
}
