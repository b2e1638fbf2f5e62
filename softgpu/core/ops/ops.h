/* The tables of the executor: one function per enum isa_op, and at OP_COUNT the wrapper for modifiers, SDWA and DPP
 * (see struct uop). One table for each host variant, host_variant.h. */
#ifndef SOFTGPU_CORE_OPS_OPS_H
#define SOFTGPU_CORE_OPS_OPS_H

#include "softgpu/core/exec/machine.h"

/* The name of a table of the compiled variant, such as ops_v3. */
#define VARIANT_NAME(name)           VARIANT_JOIN(name, VARIANT)
#define VARIANT_JOIN(name, variant)  VARIANT_PASTE(name, variant)
#define VARIANT_PASTE(name, variant) name##_##variant

extern op_fn *const ops_base[OP_COUNT + 1];     /* any x86-64 */
extern op_fn *const ops_v3[OP_COUNT + 1];       /* x86-64-v3: AVX2, FMA, BMI */
extern op_fn *const ops_v4[OP_COUNT + 1];       /* x86-64-v4: AVX-512 */
extern op_fn *const ops_any_mode[OP_COUNT + 1]; /* vector operations for any MODE, slower; other entries are NULL */

#endif
