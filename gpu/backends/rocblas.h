/* rocBLAS, loaded when a sequence of steps calls it. Only rocblas.c knows its interface. */
#ifndef GPU_BACKENDS_ROCBLAS_H
#define GPU_BACKENDS_ROCBLAS_H

#include "base/err.h"

/* C = alpha A B + beta C of n x n floats by rows, on a HIP stream; args: A, B, C, n, alpha, beta, as kernelParams.
 * Returns when the work is issued; the first call loads the library. */
bool call_rocblas_sgemm(void *stream, void **args, struct err *e);
/* "rocBLAS 2.47.0"; "" before the first call. */
const char *rocblas_description(void);

#endif
