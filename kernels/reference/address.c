/* Address arithmetic, and scalar instructions beside vector ones. */
#include "kernels/reference/references.h"

void reference_coissue(const struct launch_shape *shape, unsigned *out, unsigned trips, unsigned adds)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++)
		out[i] = trips * adds;
}
