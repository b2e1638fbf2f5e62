/* A made-up workbench for tests of the views: one experiment with a previous curve and a curve with a failed, a suspect
 * and a waiting point. No device. */
#ifndef TESTS_TUI_SCREEN_STATE_H
#define TESTS_TUI_SCREEN_STATE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/app.h"
#include "tui/lab/lab.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

/* NULL: not there. */
static inline const struct view *view_find(const char *name)
{
	for (int i = 0; views[i]; i++)
		if (!strcmp(views[i]->name, name))
			return views[i];
	return NULL;
}

static inline struct param made_param(
	const char *id, const char *unit, double low, double high, double step, enum param_step_kind kind, double value)
{
	struct param p = {.low = low,
		.high = high,
		.step = step,
		.kind = kind,
		.value = value,
		.soft = value,
		.sweep_low = low,
		.sweep_high = high};
	snprintf(p.id, sizeof p.id, "%s", id);
	snprintf(p.unit, sizeof p.unit, "%s", unit);
	snprintf(p.help, sizeof p.help, "what %s is about", id);
	return p;
}

static inline void made_experiment(struct experiment *x)
{
	memset(x, 0, sizeof *x);
	strcpy(x->id, "made-range");
	strcpy(x->chapter, "memory");
	strcpy(x->title, "Made by hand, by range");
	strcpy(x->question, "Where does the first cache end?");
	strcpy(x->source, "nowhere");
	x->params[0] = made_param("rangesize", "B", 1024, 1u << 28, 2, PARAM_STEP_MULTIPLY, 4096);
	x->params[0].sweep = true;
	x->params[1] = made_param("size", "B", 1 << 20, 1u << 30, 2, PARAM_STEP_MULTIPLY, 1u << 30);
	x->params[1].soft = 1 << 26;
	x->params[2] = made_param("variant", "", 0, 1, 1, PARAM_STEP_CHOICE, 0);
	strcpy(x->params[2].choices[0], "published");
	strcpy(x->params[2].choices[1], "compiled");
	x->params[2].choice_count = 2;
	x->param_count = 3;
	x->metrics[0] = (struct metric){.id = "latency", .unit = "cycles", .axis = 0};
	x->metrics[1] = (struct metric){.id = "rate", .unit = "GB/s", .axis = 1};
	x->metric_count = 2;
}

static inline void made_point(struct point *p, double shift)
{
	double x = p->values[0], latency = 240 + shift + (x > 16384 ? 136 : 0) + (x > (1 << 22) ? 300 : 0);
	p->status = POINT_OK;
	p->seconds =
		(struct stats){5, latency / 1.5e9, latency / 1.5e9, latency / 1.5e9, latency / 1.5e9, latency / 1.5e9};
	p->metrics[0] = (struct reading){true, latency};
	p->metrics_low[0] = (struct reading){true, latency - 4};
	p->metrics_high[0] = (struct reading){true, latency + 9};
	p->metrics[1] = p->metrics_low[1] = p->metrics_high[1] = (struct reading){true, 4 * 1.5 / latency * 1000};
	p->clocks.sclk_mhz = (struct reading){true, x > 65536 ? 1536 : 1440};
	p->clocks.mclk_mhz = (struct reading){true, 945};
	p->clocks.temp_c = (struct reading){true, 41};
	strcpy(p->verify, "ok");
	strcpy(p->contract, "ok");
}

static inline void made_curve(struct lab *b, struct measured_curve *c, int points, double shift)
{
	c->count = c->ended = points;
	c->axis = b->axis;
	c->points = xcalloc((size_t)points, sizeof *c->points);
	for (int i = 0; i < points; i++) {
		memcpy(c->points[i].values, b->values, sizeof b->values);
		c->points[i].values[0] = 1024 * exp2(18.0 * i / (points > 1 ? points - 1 : 1));
		made_point(&c->points[i], shift);
	}
}

/* Only the experiment's state and its curves are on the heap; made_free frees them. */
static inline void made_app(struct app *a, struct experiment *x, int points, int w, int h)
{
	memset(a, 0, sizeof *a);
	made_experiment(x);
	strcpy(a->device, "soft:made");
	a->soft = true;
	a->labs = xcalloc(1, sizeof *a->labs);
	a->lab_count = 1;
	a->view = views[0];
	a->canvas = CANVAS_BRAILLE;
	a->focus = FOCUS_PARAMS;
	a->width = w;
	a->height = h;
	lab_init(&a->labs[0], x, true, "");
	made_curve(&a->labs[0], &a->labs[0].curve, points, 0);
	made_curve(&a->labs[0], &a->labs[0].previous, points, 60);
	a->labs[0].curve.device = a->labs[0].previous.device = measured_curve_device_hash(a->device);
	if (points > 6) {
		struct point *p = a->labs[0].curve.points;
		p[3].status = POINT_FAILED;
		strcpy(p[3].text, "GPU memory fault at 0x1000");
		p[5].clocks_moved = true;
		p[6].status = POINT_WAITING;
	}
}

static inline void made_free(struct app *a)
{
	for (int i = 0; i < a->lab_count; i++)
		lab_free(&a->labs[i]);
	free(a->labs);
}

/* The whole screen as text, which the caller frees. */
static inline char *made_screen(struct app *a, int w, int h)
{
	struct grid g = {0};
	app_resize(a, w, h);
	grid_resize(&g, w, h);
	screen_draw(a, &g);
	char *text = grid_dump_text(&g);
	grid_free(&g);
	return text;
}

#endif
