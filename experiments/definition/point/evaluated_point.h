/* The parts of a point's setup. Private to experiments/definition. */
#ifndef EXPERIMENTS_DEFINITION_EVALUATED_POINT_H
#define EXPERIMENTS_DEFINITION_EVALUATED_POINT_H

#include "experiments/definition/definition.h"
#include "experiments/definition/point/delegated_point.h"
#include "experiments/definition/point/point_setup.h"

/* What a definition's functions returned, or their error. */
struct evaluated {
	bool ok;
	struct err why;
	struct evaluation v; /* owns `steps` */
};

/* The point of another experiment that a point measures. */
struct measured_setup {
	bool found;
	struct err why;
	struct delegated_point point;
	struct evaluated functions;
};

struct point_setup {
	struct experiment *x;
	double values[PARAMS_MAX];
	bool soft;
	char arch[DEVICE_ARCH];
	struct evaluated own;
	struct measured_setup *measured; /* owned; NULL: the point is the experiment's own */
};

#endif
