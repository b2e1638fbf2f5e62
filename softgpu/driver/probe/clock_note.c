#include "softgpu/driver/probe/clock_note.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/time/host_time.h"

enum { NOTHING, READ, LAUNCHED, DONE };
static _Atomic int state = NOTHING;

/* Goes from one state to the next; false if it is in another. */
static bool advance_state(int from, int to)
{
	int now = from;

	return atomic_compare_exchange_strong(&state, &now, to);
}

void clock_note_read(void)
{
	if (state == DONE || !host_time_has_note() || advance_state(NOTHING, READ))
		return;
	if (advance_state(LAUNCHED, DONE))
		driver_warn("the program reads the host's clock around launches, which shows how long the simulation "
			    "takes; for times of the GPU: wavedeck exec --virtual-clock");
}

void clock_note_launch(void)
{
	advance_state(READ, LAUNCHED);
}
