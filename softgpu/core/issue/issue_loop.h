/* The issue loops, one for each host variant. Private to softgpu/core. */
#ifndef SOFTGPU_CORE_ISSUE_ISSUE_LOOP_H
#define SOFTGPU_CORE_ISSUE_ISSUE_LOOP_H

struct cu;

/* The name of a table of the compiled variant, such as issue_v3. */
#define VARIANT_NAME(name)           VARIANT_JOIN(name, VARIANT)
#define VARIANT_JOIN(name, variant)  VARIANT_PASTE(name, variant)
#define VARIANT_PASTE(name, variant) name##_##variant

/* Runs the CU, whose event is the first in the queue, until its next instruction that other CUs may observe is later
 * than the queue's next event; then updates the CU's event. Compiled for each host variant, host_variant.h. */
typedef void issue_fn(struct cu *cu);
/* [0]: not profiled; [1]: reports every issue and wait (profiler.h). Weak: a build may lack variants (Makefile: PARTS).
 */
#define ISSUE_TABLE(name) extern issue_fn *const name[2] __attribute__((weak, visibility("hidden")))
ISSUE_TABLE(issue_base);
ISSUE_TABLE(issue_v3);
ISSUE_TABLE(issue_v4);

#endif
