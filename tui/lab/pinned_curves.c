#include "tui/lab/pinned_curves.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/toolkit/grid.h"

int lab_find_pin_by_label(const struct lab *b, const char *label)
{
	for (int i = 0; *label && i < b->pin_count; i++)
		if (!strcmp(b->pins[i].label, label))
			return i;
	return -1;
}

bool lab_can_pin(const struct lab *b, const struct measured_curve *c, const char *label)
{
	return c->count && (b->pin_count < PINS_MAX || lab_find_pin_by_label(b, label) >= 0);
}

bool lab_pin_curve(struct lab *b, const struct measured_curve *c, const char *label)
{
	int at = lab_find_pin_by_label(b, label);
	if (!lab_can_pin(b, c, label))
		return false;
	at = at < 0 ? b->pin_count++ : at;
	text_shorten(label, (int)sizeof b->pins[at].label, false, b->pins[at].label, sizeof b->pins[at].label);
	measured_curve_copy(&b->pins[at].curve, c);
	return true;
}

void lab_unpin_curve(struct lab *b, int i)
{
	if (i < 0 || i >= b->pin_count)
		return;
	measured_curve_free(&b->pins[i].curve);
	memmove(&b->pins[i], &b->pins[i + 1], (size_t)(--b->pin_count - i) * sizeof b->pins[0]);
	b->pins[b->pin_count] = (struct pinned_curve){0};
}

static bool curves_share_points(const struct measured_curve *x, const struct measured_curve *y)
{
	bool same = x->count == y->count && x->axis == y->axis;
	for (int i = 0; same && i < x->count; i++)
		same = !memcmp(x->points[i].values, y->points[i].values, sizeof x->points[i].values) &&
			x->points[i].record == y->points[i].record;
	return same;
}

int lab_find_pin_of_curve(const struct lab *b, const struct measured_curve *c)
{
	for (int i = 0; i < b->pin_count; i++)
		if (curves_share_points(&b->pins[i].curve, c))
			return i;
	return -1;
}

/* How its samples were taken otherwise than those of the current curve: then the two do not compare alone in what the
 * label says. */
static void add_sampling_difference(const struct lab *b, const struct measured_curve *c, struct buf *out)
{
	char words[60];
	struct sampling pin = sampling_from_header(c->header), now = sampling_from_header(b->curve.header);
	buf_puts(out, sampling_format_difference(&pin, &now, words, sizeof words));
}

char *lab_format_pin_label(const struct lab *b, int i, char *out, size_t size)
{
	const struct pinned_curve *pin = &b->pins[i];
	struct buf text = {0};
	char value[48];
	add_sampling_difference(b, &pin->curve, &text);
	if (*pin->label)
		buf_printf(&text, "%s%s", text.len ? ", " : "", pin->label);
	for (int k = 0; !*pin->label && b->curve.count && k < b->x->param_count; k++) {
		double v = pin->curve.points[0].values[k];
		if (k == pin->curve.axis || v == b->curve.points[0].values[k])
			continue;
		const struct param *p = &b->x->params[k];
		buf_printf(&text, "%s%s%s%s", text.len ? ", " : "", p->kind == PARAM_STEP_CHOICE ? "" : p->id,
			p->kind == PARAM_STEP_CHOICE ? "" : " ", param_format(p, v, value, sizeof value));
	}
	text_shorten(text.len ? text.data : "pinned", (int)size, false, out, size);
	buf_free(&text);
	return out;
}
