#include "tui/lab/earlier_curves.h"

#include <string.h>

#include "tui/lab/lab.h"
#include "gpu/protocol/point_record.h"

static void keep_earlier_curve(struct lab *b, struct measured_curve *c)
{
	if (!c->count || c->ended < c->count) {
		measured_curve_free(c);
		return;
	}
	measured_curve_free(&b->earlier[EARLIER_CURVES_MAX - 1]);
	memmove(&b->earlier[1], &b->earlier[0], (EARLIER_CURVES_MAX - 1) * sizeof b->earlier[0]);
	b->earlier[0] = *c;
	*c = (struct measured_curve){0};
}

void lab_retire_curve(struct lab *b)
{
	if (b->curve.ended * 2 < b->curve.count || !b->curve.count)
		return;
	keep_earlier_curve(b, &b->previous);
	measured_curve_move(&b->previous, &b->curve);
}

static bool curve_fits_settings(
	const struct lab *b, const struct measured_curve *c, uint64_t device, bool soft, bool profile)
{
	struct sampling was = sampling_from_header(c->header);
	bool fits = c->device == device && sampling_is_same(&was, &b->sampling) && lab_curve_is_complete(b, c, soft);
	for (int i = 0; fits && profile && i < c->count; i++)
		fits = c->points[i].status != POINT_OK || point_get_profile(c->points[i].record);
	return fits;
}

bool lab_recall_curve(struct lab *b, const char *device, bool soft, bool profile)
{
	struct measured_curve found = {0};
	uint64_t hash = measured_curve_device_hash(device);
	if (curve_fits_settings(b, &b->curve, hash, soft, profile))
		return true;
	if (curve_fits_settings(b, &b->previous, hash, soft, profile))
		measured_curve_move(&found, &b->previous);
	for (int i = 0; !found.count && i < EARLIER_CURVES_MAX; i++)
		if (curve_fits_settings(b, &b->earlier[i], hash, soft, profile)) {
			measured_curve_move(&found, &b->earlier[i]);
			memmove(&b->earlier[i], &b->earlier[i + 1],
				(size_t)(EARLIER_CURVES_MAX - 1 - i) * sizeof b->earlier[0]);
			b->earlier[EARLIER_CURVES_MAX - 1] = (struct measured_curve){0};
		}
	if (!found.count)
		return false;
	lab_retire_curve(b);
	measured_curve_move(&b->curve, &found);
	lab_move_cursor(b, 0);
	return true;
}

void lab_forget_earlier_curves(struct lab *b)
{
	for (int i = 0; i < EARLIER_CURVES_MAX; i++)
		measured_curve_free(&b->earlier[i]);
}
