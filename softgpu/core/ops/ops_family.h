/* What gfx11 and gfx908 added to the statements and types of operations.def. The Makefile defines FAMILY_ENCODINGS, the
 * codes of the family whose executor is compiled: its table has only the operations that they encode. */
#ifndef SOFTGPU_CORE_OPS_OPS_FAMILY_H
#define SOFTGPU_CORE_OPS_OPS_FAMILY_H

#include "softgpu/core/ops/ops_gfx11.h"
#include "softgpu/core/ops/ops_matrix.h"
#if !GFX11
#include "softgpu/core/ops/ops_mfma.h"
#endif

/* Operations of the other family are not in the table. */
#pragma GCC diagnostic ignored "-Wunused-function"

#endif
