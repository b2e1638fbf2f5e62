/* What a launch finds of the launches before it: the tags of the caches that outlive a launch (L2, the Infinity Cache,
 * its page translations, instruction caches), GDS, and the number of launches. Each launch resets everything else.
 * Saved between launches and restored on a device with the same model, it makes the next launch take the same cycles.
 */
#ifndef SOFTGPU_CORE_LAUNCH_SAVED_STATE_H
#define SOFTGPU_CORE_LAUNCH_SAVED_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* The caller frees the result; NULL if memory runs out. */
uint8_t *gpu_save_state(const struct gpu *g, size_t *bytes);
/* False if the bytes are not those of a device with this model; then the caches are empty. */
bool gpu_restore_state(struct gpu *g, const uint8_t *state, size_t bytes);

#endif
