/* The executor's tables: a function per enum isa_op, and at OP_COUNT the one for modifiers, SDWA and DPP (inst.plain is
 * then the operation itself). One for each host level, host_variant.h. */
#ifndef SOFTGPU_CORE_EXEC_OPS_H
#define SOFTGPU_CORE_EXEC_OPS_H

#include "softgpu/core/exec/machine.h"

/* The name of a table of the level that is compiled: ops_v3. */
#define VARIANT_NAME(name)         VARIANT_JOIN(name, LEVEL)
#define VARIANT_JOIN(name, level)  VARIANT_PASTE(name, level)
#define VARIANT_PASTE(name, level) name##_##level

extern op_fn *const ops_base[OP_COUNT + 1];     /* any x86-64 */
extern op_fn *const ops_v3[OP_COUNT + 1];       /* x86-64-v3: AVX2, FMA, BMI */
extern op_fn *const ops_v4[OP_COUNT + 1];       /* x86-64-v4: AVX-512 */
extern op_fn *const ops_any_mode[OP_COUNT + 1]; /* vector operations for any MODE, slowly; the others are NULL */

#endif
