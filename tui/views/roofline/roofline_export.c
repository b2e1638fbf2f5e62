/* The roofline as a picture, its points as CSV and for the clipboard. */
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "plot/chart_svg.h"
#include "sessions/export/csv_line.h"
#include "tui/lab/files/curve_files.h"
#include "tui/views/roofline/roofline_view.h"

enum { WIDTH = 900, HEIGHT = 520 };

static void put_roofline_text(void *file, const char *text)
{
	fputs(text, file);
}

static void print_roofline_csv(FILE *out, const void *ctx)
{
	static const char *const heads[] = {"point", "device", "seconds", "bytes", "flops", "alu_instructions",
		"peak_flops_per_s", "peak_instructions_per_s", "memory_bytes_per_s", "verdict"};
	const struct roofline_view *v = ctx;
	struct csv_line line = {0};
	char verdict[160];
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		csv_add_text(&line, heads[i]);
	csv_end_line(&line, put_roofline_text, out);
	for (int i = 0; i < v->count; i++) {
		const struct roofline_point *p = &v->list[i].at;
		const double numbers[] = {p->seconds, p->bytes, p->operations[ROOFLINE_FLOPS],
			p->operations[ROOFLINE_INSTRUCTIONS], p->peak[ROOFLINE_FLOPS], p->peak[ROOFLINE_INSTRUCTIONS],
			p->bandwidth};
		csv_add_text(&line, v->list[i].name);
		csv_add_text(&line, v->list[i].device);
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
			csv_add_measured(&line, (struct reading){true, numbers[k]});
		csv_add_text(&line, roofline_format_verdict(p, v->unit, verdict, sizeof verdict));
		csv_end_line(&line, put_roofline_text, out);
	}
}

static void print_roofline_svg(FILE *out, const void *ctx)
{
	const struct roofline_view *v = ctx;
	struct roofline_chart c;
	struct buf b = {0};
	roofline_chart_make(v, &c);
	struct plot_frame f = frame_layout(&c.chart, WIDTH, HEIGHT, SVG_TEXT);
	buf_printf(&b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" style=\"font-family:sans-serif;font-size:%dpx\" role=\"img\">\n<title>Roofline</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
		WIDTH, HEIGHT + 20, WIDTH, HEIGHT + 20, SVG_TEXT);
	svg_draw_chart(&b, &c.chart, &f, 10);
	buf_puts(&b, "</svg>\n");
	fputs(b.data, out);
	buf_free(&b);
}

void roofline_export(struct app *a, const char *path)
{
	const struct roofline_view *v = roofline_view_of(a);
	const char *dot = strrchr(path, '.');
	struct err e = {0};
	bool ok, svg = dot && !strcmp(dot, ".svg"), csv = dot && !strcmp(dot, ".csv");
	if (!v->count || (!svg && !csv))
		ok = err_set(&e, ST_REQUEST,
			v->count ? "a roofline is exported as .svg or .csv" : "no point is on the roofline yet");
	else
		ok = file_write_atomic(
			path, svg ? print_roofline_svg : print_roofline_csv, v, "; choose another file", &e);
	export_report(a, path, ok, &e);
}

char *roofline_export_name(const struct app *a)
{
	(void)a;
	return xstrdup("roofline.svg");
}

char *roofline_copy(const struct app *a)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	print_roofline_csv(out, roofline_view_of(a));
	fclose(out);
	return text;
}
