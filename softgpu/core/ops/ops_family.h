/* The tables of the family whose executor is compiled, and what only that family has. */
#ifndef SOFTGPU_CORE_OPS_OPS_FAMILY_H
#define SOFTGPU_CORE_OPS_OPS_FAMILY_H

#if GFX11
#include "softgpu/core/ops/ops_gfx11.h"
#include "softgpu/core/ops/ops_matrix.h"
#define FAMILY_OPERATIONS "softgpu/isa/operations.def" /* it executes operations of gfx9 too */
#define FAMILY_TABLE      "softgpu/isa/gfx11/gfx11.def"
#pragma GCC diagnostic ignored "-Wunused-function"
#else
#define FAMILY_OPERATIONS "softgpu/isa/gfx9/gfx9.def"
#define FAMILY_TABLE      "softgpu/isa/gfx9/gfx9.def"
#endif

#endif
