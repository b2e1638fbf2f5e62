/* Typed buffers: what a formatted load makes of the bytes in memory. HIP's tex1Dfetch reads textures of linear memory
 * this way. */
#ifndef SOFTGPU_CORE_MEMORY_BUFFER_FORMAT_H
#define SOFTGPU_CORE_MEMORY_BUFFER_FORMAT_H

#include <stdint.h>

enum { BUFFER_ELEMENT_MAX = 16 /* bytes */ };

/* The last dword of a descriptor of gfx11 with the fields of gfx9, which the functions below read. */
uint32_t gfx11_buffer_word3(uint32_t word3);
/* Bytes of an element; 0: the format in the descriptor's last dword is invalid. */
unsigned buffer_format_bytes(uint32_t word3);
/* Converts an element to four components of 32 bits and selects them as the descriptor says. The host's modes must
 * round to nearest and keep denormals. */
void buffer_format_decode(uint32_t word3, const void *element, uint32_t out[4]);
/* The same for components with these numbers of bits, whatever the data format in the dword. */
void buffer_format_decode_layout(const uint8_t bits[4], uint32_t word3, const void *element, uint32_t out[4]);
/* What a lane outside of the buffer gets: 0, but 1 where the descriptor selects a constant 1. */
void buffer_format_decode_outside(uint32_t word3, uint32_t out[4]);

#endif
