#include "gpu/softgpu-link/exact_time.h"

#include <math.h>

double launch_exact_seconds(double event, double exact, bool *agree)
{
	*agree = fabs(exact - event) <= 1e-6 + 1e-3 * event;
	return *agree ? exact : event;
}
