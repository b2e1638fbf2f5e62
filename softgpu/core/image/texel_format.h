/* Formats of texels: from memory to four components, and back. The host's modes must round to nearest and keep
 * denormals. */
#ifndef SOFTGPU_CORE_IMAGE_TEXEL_FORMAT_H
#define SOFTGPU_CORE_IMAGE_TEXEL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXEL_MAX_BYTES = 16 };

/* DATA_FORMAT and NUM_FORMAT of the descriptor. 0 bytes: the format is unknown. */
uint8_t texel_format_bytes(unsigned data, unsigned number);
bool texel_format_is_integer(unsigned number);
/* Whether components are in [0, 1], as references for comparisons are then. */
bool texel_format_is_unorm(unsigned number);
/* x, y, z, w as 32-bit integers or floats. Missing components are 0, a missing w is 1. */
void texel_decode(unsigned data, unsigned number, const void *texel, uint32_t out[4]);
void texel_encode(unsigned data, unsigned number, const uint32_t component[4], void *texel);

#endif
