/* softgpu/probe.h as found at run time: on a real device nothing is there and every call says so. Any thread. */
#ifndef GPU_SOFTGPU_LINK_SOFTPROBE_H
#define GPU_SOFTGPU_LINK_SOFTPROBE_H

#include <jansson.h>
#include <stdbool.h>

#include "softgpu/probe.h"

bool softprobe_is_present(void);
void softprobe_stop(void); /* ends the running dispatch */
bool softprobe_progress(struct softgpu_progress *out);
bool softprobe_last_launch(struct softgpu_launch *out);
bool softprobe_counter(const char *name, double *out); /* of the last finished launch */
json_t *softprobe_counter_units(void);                 /* {"SQ_WAVES":"waves",...}: all it has; NULL on a real device */
bool softprobe_enable_profiling(unsigned what); /* SOFTGPU_PROFILE_... of the launches from the next one on, 0 nothing;
                                       false where that cannot be */
/* true: what the program submits waits until false; then the queues work side by side in virtual time, until they have
 * ended it all. */
void softprobe_overlap_queues(bool on);
/* Of the last finished launch, NULL when nobody looked; gpu/protocol/record.h says what is in it. */
json_t *softprobe_profile(void);
/* softgpu/probe.h's functions of the same names; nothing is seen where they are not there. */
void softprobe_follow_wave(const struct softgpu_follow *what);
void softprobe_set_window(const struct softgpu_window *what);
const struct softgpu_trace *softprobe_trace(void);
uint64_t softprobe_timeline_grain(void);
size_t softprobe_waves_by_cu(uint32_t *out, size_t max);
size_t softprobe_timeline(struct softgpu_span *out, size_t max, uint64_t *dropped);
size_t softprobe_cache_sets(struct softgpu_set *out, size_t max);
json_t *softprobe_stall_reasons(void);  /* ["VALU",...] in their order; NULL when nobody looked */
json_t *softprobe_instructions(void);   /* [[offset,"text",times issued],...] */
uint64_t softprobe_memory_budget(void); /* bytes of host memory that its buffers may take; 0 on a real device */
json_t *softprobe_constants(void);      /* {"l1_bytes":16384,...}; NULL on a real device */

#endif
