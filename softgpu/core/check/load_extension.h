/* What loads make of undefined bits: how an element becomes a dword of a register. */
#ifndef SOFTGPU_CORE_CHECK_LOAD_EXTENSION_H
#define SOFTGPU_CORE_CHECK_LOAD_EXTENSION_H

#include <string.h>

#include "softgpu/core/model_config.h"
#include "softgpu/core/state/uop.h"
#include "softgpu/isa/family.h"

struct load_extension {
	bool half, high, sign; /* into a half of the register, the high one; its sign fills the rest */
	uint32_t stays;        /* bits of the other half that stay: all, or none */
};

static inline struct load_extension find_load_extension(const struct model *m, const struct uop *i)
{
	const char *name = isa_info(i->d.op)->name;

	return (struct load_extension){.half = strstr(name, "d16") != NULL,
		.high = strstr(name, "d16_hi") != NULL,
		.sign = strstr(name, "sbyte") || strstr(name, "sshort") || strstr(name, "_i8") || strstr(name, "_i16"),
		.stays = model_clears_other_half(m) ? 0 : UINT32_MAX};
}

/* The undefined bits of the register that gets an element of so many bytes with these undefined bits, and has `old`
 * undefined bits. */
static inline uint32_t extend_undefined_bits(
	const struct load_extension *x, uint32_t bits, uint32_t bytes, uint32_t old)
{
	if (bytes < 4 && x->sign && bits >> (8 * bytes - 1) & 1)
		bits |= UINT32_MAX << 8 * (bytes - 1);
	if (!x->half)
		return bits;
	old &= x->stays;
	return x->high ? (old & 0xffff) | bits << 16 : (old & 0xffff0000) | (bits & 0xffff);
}

/* The first register with the data of a store. */
static inline unsigned stored_register(const struct uop *i)
{
	return isa_is_buffer(i->d.enc) ? i->d.data : i->d.src[1];
}

#endif
