/* softgpu/probe.h, found at run time. Without the software GPU in this process, every function returns "not available".
 * Any thread. */
#ifndef GPU_SOFTGPU_LINK_SOFTPROBE_H
#define GPU_SOFTGPU_LINK_SOFTPROBE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "softgpu/probe.h"

bool softprobe_is_present(void);
void softprobe_select(unsigned pci_bus); /* the GPU that this process measures */
void softprobe_stop(void);               /* stops the running launch */
bool softprobe_progress(struct softgpu_progress *out);
bool softprobe_last_launch(struct softgpu_launch *out);
bool softprobe_counter(const char *name, double *out); /* of the last finished launch */
json_t *softprobe_counter_units(void);                 /* {"SQ_WAVES":"waves",...}: all counters; NULL on hardware */
/* Profiles SOFTGPU_PROFILE_... for all launches from the next one on; 0: nothing. False if not available. */
bool softprobe_enable_profiling(unsigned what);
/* true: holds all submitted work back until false; then the queues run at the same time in virtual time. */
void softprobe_overlap_queues(bool on);
/* Sleeps until the device has stored a value in a signal since the last call with this *seen, at most `us`. Returns
 * false at once on hardware. */
bool softprobe_wait(uint32_t *seen, double us);
bool softprobe_flush_l2(void);    /* between launches: empties the L2 cache; false if not available */
void softprobe_reset_state(void); /* between launches: the state in which each point starts */
/* "profile" of the last finished launch (docs/protocol.md); NULL if it was not profiled. */
json_t *softprobe_profile(void);
/* The functions of the same names in softgpu/probe.h. */
void softprobe_follow_wave(const struct softgpu_follow *what);
void softprobe_set_window(const struct softgpu_window *what);
const struct softgpu_trace *softprobe_trace(void);
uint64_t softprobe_timeline_grain(void);
size_t softprobe_waves_by_cu(uint32_t *out, size_t max);
size_t softprobe_timeline(struct softgpu_span *out, size_t max, uint64_t *dropped);
size_t softprobe_cache_sets(struct softgpu_set *out, size_t max);
json_t *softprobe_stall_reasons(void);  /* ["VALU",...] in their order; NULL if not profiled */
json_t *softprobe_instructions(void);   /* [[offset,"text",issue count],...] */
uint64_t softprobe_memory_budget(void); /* bytes of host memory that buffers may use; 0 on hardware */
/* The address for kernels that reaches only these bytes; 0 if that is not available. End it with softprobe_unbound. */
uint64_t softprobe_bound(uint64_t va, uint64_t bytes);
void softprobe_unbound(uint64_t address);
/* The first access of a kernel outside of its buffers since the last call. False if there was none. */
bool softprobe_take_out_of_bounds(struct softgpu_out_of_bounds *out);
/* The functions of the same names in softgpu/probe.h. False with an error. */
bool softprobe_open_captured(const char *file, const char *constants, uint32_t *alike, struct err *e);
bool softprobe_run_captured(int caches, struct softgpu_replayed *out);
/* The functions of softgpu/probe.h: false with an error if there are no such checks. What the checks found since then;
 * NULL if no launch was checked. */
bool softprobe_request_checks(const char *list, struct err *e);
json_t *softprobe_check_reports(void);
json_t *softprobe_constants(void); /* {"l1_bytes":16384,...}; NULL on hardware */

#endif
