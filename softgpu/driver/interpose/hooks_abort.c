/* Interposed abort: the runtime ends programs with it after a fault of a kernel. What the program has done so far is
 * reported first. */
#include <stdlib.h>

#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/probe/program_report.h"

EXPORT void abort(void)
{
	program_report_print();
	REAL_FUNCTION(abort)();
	__builtin_unreachable();
}
