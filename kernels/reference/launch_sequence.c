/* Reference for kernels/launch_sequence.hip: the whole sequence of launches, which is exact for a scale of 1/4. */
#include "kernels/reference/references.h"

void reference_scale_matrix(const struct launch_shape *shape, double *a, double *b, double s, unsigned side,
	unsigned back, unsigned launches)
{
	(void)shape, (void)back;
	for (uint64_t i = 0; i < (uint64_t)side * side; i++)
		for (unsigned k = 0; k < launches; k++)
			*(k % 2 ? b + i : a + i) = s * (k % 2 ? a[i] : b[i]);
}
