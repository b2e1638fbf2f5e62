/* The tables of the executors: one function per enum isa_op, and those that combine them (see struct uop). An executor
 * serves the waves of one family and size; it is compiled for each host variant (host_variant.h). */
#ifndef SOFTGPU_CORE_OPS_OPS_H
#define SOFTGPU_CORE_OPS_OPS_H

#include "softgpu/core/state/machine.h"

/* The name of a table of the compiled executor and variant, such as ops_gfx9_v3. */
#define TABLE_NAME(...)      TABLE_PASTE(__VA_ARGS__)
#define TABLE_PASTE(a, b, c) a##_##b##_##c

/* Weak: a build may lack tables (Makefile: PARTS). */
#define OPS_TABLE(name) extern op_fn *const name[OPS_TABLE_SIZE] __attribute__((weak, visibility("hidden")))
#define WAVES(name, ...)                                                      \
	OPS_TABLE(ops_##name##_base); /* any x86-64 */                        \
	OPS_TABLE(ops_##name##_v3);   /* AVX2, FMA, BMI */                    \
	OPS_TABLE(ops_##name##_v4);   /* AVX-512 */                           \
	/* Vector operations for any MODE, slower; other entries are NULL. */ \
	OPS_TABLE(ops_##name##_any_mode);
#include "softgpu/core/state/executors.def"
#undef WAVES

/* The executor of a target's waves. */
enum executor_id executor_of_target(enum isa_target target);
/* The table for any MODE of an executor. */
op_fn *const *ops_for_any_mode(enum executor_id e);

#endif
