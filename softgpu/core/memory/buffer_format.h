/* Typed buffers: what formatted loads make of the bytes in memory, and the reverse for stores. HIP's tex1Dfetch reads
 * textures of linear memory this way. The host's modes must round to nearest and keep denormals. */
#ifndef SOFTGPU_CORE_MEMORY_BUFFER_FORMAT_H
#define SOFTGPU_CORE_MEMORY_BUFFER_FORMAT_H

#include <stdint.h>

enum { BUFFER_ELEMENT_MAX = 16 /* bytes */ };

/* The last dword of a descriptor of gfx11 with the fields of gfx9, which the functions below read. */
uint32_t gfx11_buffer_word3(uint32_t word3);
/* What the functions below read, for the format in an instruction (isa_inst.format): it has no selections; "depending
 * on the number of components in the data-format, this is: X000, XY00, XYZ0, or XYZW" (Vega ISA 8.1.4, RDNA3 ISA 9.3).
 */
uint32_t typed_buffer_word3(unsigned format);
uint32_t gfx11_typed_buffer_word3(unsigned format);
/* Bytes of an element; 0: the format in the descriptor's last dword is invalid. */
unsigned buffer_format_bytes(uint32_t word3);
/* Converts an element to four components of 32 bits and selects them as the descriptor says. */
void buffer_format_decode(uint32_t word3, const void *element, uint32_t out[4]);
/* The same for components with these numbers of bits, whatever the data format in the dword. */
void buffer_format_decode_layout(const uint8_t bits[4], uint32_t word3, const void *element, uint32_t out[4]);
/* What a lane outside of the buffer gets: 0, but 1 where the descriptor selects a constant 1. */
void buffer_format_decode_outside(uint32_t word3, uint32_t out[4]);
/* Converts four components to an element, each in the place that the descriptor selects for it; a component that is
 * not selected is 0. */
void buffer_format_encode(uint32_t word3, const uint32_t in[4], void *element);
/* The same for components with these numbers of bits, in their order. */
void buffer_format_encode_layout(const uint8_t bits[4], unsigned number, const uint32_t component[4], void *element);
/* A component of 16 bits in a register (d16), made of one of 32 bits, and back. */
uint32_t buffer_format_narrow(uint32_t word3, uint32_t component);
uint32_t buffer_format_widen(unsigned number, uint32_t half);
/* The number format of the dword. */
unsigned buffer_format_number(uint32_t word3);

#endif
