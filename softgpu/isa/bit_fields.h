/* Private to softgpu/isa: fields of machine words. */
#ifndef SOFTGPU_ISA_BIT_FIELDS_H
#define SOFTGPU_ISA_BIT_FIELDS_H

#include <stdint.h>

static inline uint32_t extract_bits(uint32_t word, unsigned high, unsigned low)
{
	return word >> low & (UINT32_MAX >> (31 - high + low));
}

static inline int32_t sign_extend(uint32_t v, unsigned width)
{
	return (int32_t)(v << (32 - width)) >> (32 - width);
}

#endif
