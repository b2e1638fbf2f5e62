/* The clocks, temperature and power of a curve's points, and how many rows they take below the plot. */
#ifndef TUI_LAB_PLOT_CLOCK_READINGS_H
#define TUI_LAB_PLOT_CLOCK_READINGS_H

#include "plot/reading_span.h"
#include "tui/lab/app.h"

enum { CLOCK_READINGS = 4 };
struct clock_reading {
	const char *name, *unit;
	struct reading (*of)(const struct clocks *);
	bool marks;       /* a point during which the clock moved is marked */
	bool shared_unit; /* only the name says which reading it is */
};
extern const struct clock_reading clock_readings[CLOCK_READINGS];

struct reading_span clock_reading_span(const struct measured_curve *c, const struct clock_reading *of);
/* Whether the reading has a strip. Those of a software GPU are modeled, and have one only where clocks moved. */
bool clock_reading_moves(const struct app *a, const struct measured_curve *c, const struct clock_reading *of);
bool clocks_moved_anywhere(const struct measured_curve *c); /* during a point */
/* One line while no reading moves; else, in a frame, a row for each that does and one for the others. */
int clock_pane_rows(const struct app *a);

#endif
