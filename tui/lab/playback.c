#include "tui/lab/playback.h"

#include <string.h>

#include "gpu/backends/backend.h"
#include "base/host_clock.h"
#include "tui/lab/lab.h"

enum { CLASS_POINT_MS = 500 };

static bool plays_recording(const struct app *a)
{
	return a->replay_speed > 0 && device_can(a->device, DEVICE_RECORDING);
}

bool playback_is_enabled(const struct app *a)
{
	return a->sweeping && (a->sweeping->preset == PRESET_CLASS || plays_recording(a));
}

/* How long the point took when it was recorded: the time since the previous point if the file has it, else the sum of
 * its samples. Limited, so that a pause during recording is not replayed. */
static long long recorded_ms(const struct app *a, const struct point *points, int at)
{
	enum { SHORTEST_MS = 20, LONGEST_MS = 10000 };
	struct reading now = record_get_reading(points[at].record, "at"), before = {true, 0};
	if (at)
		before = record_get_reading(points[at - 1].record, "at");
	double seconds = now.valid && before.valid && now.value >= before.value
		? now.value - before.value
		: points[at].seconds.median * points[at].seconds.count;
	double ms = seconds * 1000;
	ms = ms < SHORTEST_MS ? SHORTEST_MS : ms > LONGEST_MS ? LONGEST_MS : ms;
	return (long long)(ms / a->replay_speed);
}

/* The next point to show; NULL when all measured points are shown. */
static const struct point *next_hidden_point(const struct app *a, int *at)
{
	int count;
	const struct point *points =
		a->sweep && a->sweeping && playback_is_enabled(a) ? sweep_points(a->sweep, &count) : NULL;
	for (int i = 0; points && i < count && i < a->sweeping->curve.count; i++)
		if ((points[i].status == POINT_OK || points[i].status == POINT_FAILED) &&
			a->sweeping->curve.points[i].status < POINT_OK) {
			*at = i;
			return &points[i];
		}
	return NULL;
}

bool playback_has_pending(const struct app *a)
{
	int at;
	return next_hidden_point(a, &at) != NULL;
}

long long playback_next_ms(const struct app *a)
{
	int at, count;
	if (!next_hidden_point(a, &at))
		return 0;
	return a->show_at + (plays_recording(a) && at ? recorded_ms(a, sweep_points(a->sweep, &count), at) : 0);
}

void playback_show_points(struct app *a, bool all)
{
	int at;
	const struct point *p;
	while ((all || now_ms() >= playback_next_ms(a)) && (p = next_hidden_point(a, &at))) {
		measured_curve_set_point(&a->sweeping->curve, at, p);
		a->show_at =
			now_ms() + (plays_recording(a) ? 0 : CLASS_POINT_MS); /* a recorded point has its own delay */
		a->dirty = true;
	}
}
