/* The tables of the executors: one function per enum isa_op, and those that combine them (see struct uop). An executor
 * serves the waves of one family and size; it is compiled for each host variant (host_variant.h). */
#ifndef SOFTGPU_CORE_OPS_OPS_H
#define SOFTGPU_CORE_OPS_OPS_H

#include "softgpu/core/state/machine.h"

/* The name of a table of the compiled executor and variant, such as ops_gfx9_v3. */
#define TABLE_NAME(...)      TABLE_PASTE(__VA_ARGS__)
#define TABLE_PASTE(a, b, c) a##_##b##_##c

#define WAVES(name, ...)                                                            \
	extern op_fn *const ops_##name##_base[OPS_TABLE_SIZE]; /* any x86-64 */     \
	extern op_fn *const ops_##name##_v3[OPS_TABLE_SIZE];   /* AVX2, FMA, BMI */ \
	extern op_fn *const ops_##name##_v4[OPS_TABLE_SIZE];   /* AVX-512 */        \
	/* Vector operations for any MODE, slower; other entries are NULL. */       \
	extern op_fn *const ops_##name##_any_mode[OPS_TABLE_SIZE];
#include "softgpu/core/state/executors.def"
#undef WAVES

/* The executor of a target's waves. */
enum executor_id executor_of_target(enum isa_target target);
/* The table for any MODE of an executor. */
op_fn *const *ops_for_any_mode(enum executor_id e);

#endif
