/* Functions that the semantics in operations.def call: integer functions here; floating-point and packed ones in the
 * included headers.
 *
 * All are pure. Results are those of gfx9 hardware as defined by the AMD "Vega" Instruction Set Architecture Reference
 * Guide (chapter 12). Build with -ffp-contract=off: an unfused multiply-add must stay unfused.
 */
#ifndef SOFTGPU_ISA_SEMANTICS_HELPERS_H
#define SOFTGPU_ISA_SEMANTICS_HELPERS_H

#include "softgpu/isa/semantics_float.h"
#include "softgpu/isa/semantics_matrix.h"
#include "softgpu/isa/semantics_packed.h"

/* --- plain integer --- */
static inline uint32_t umul_hi(uint32_t a, uint32_t b)
{
	return (uint64_t)a * b >> 32;
}

static inline int32_t smul_hi(int32_t a, int32_t b)
{
	return (int64_t)a * b >> 32;
}

static inline int32_t sext_i24(int32_t a)
{
	return (int32_t)((uint32_t)a << 8) >> 8;
}

static inline uint32_t mad_u32_u24(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	uint64_t r = (uint64_t)(a & 0xffffff) * (b & 0xffffff) + c;

	return clamp && r > UINT32_MAX ? UINT32_MAX : (uint32_t)r;
}

static inline int32_t mad_i32_i24(int32_t a, int32_t b, int32_t c, int clamp)
{
	return saturate_i32((int64_t)sext_i24(a) * sext_i24(b) + c, clamp);
}

static inline int32_t add_i32(int32_t a, int32_t b, int clamp)
{
	return saturate_i32((int64_t)a + b, clamp);
}

static inline int32_t sub_i32(int32_t a, int32_t b, int clamp)
{
	return saturate_i32((int64_t)a - b, clamp);
}

static inline uint16_t mad_u16(uint32_t a, uint32_t b, uint32_t c, int clamp)
{
	return clamp_u16((int64_t)((uint64_t)a * b + c), clamp);
}

static inline int16_t mad_i16(int32_t a, int32_t b, int32_t c, int clamp)
{
	return clamp_i16((int64_t)a * b + c, clamp);
}

static inline int32_t med3_i32(int32_t a, int32_t b, int32_t c)
{
	return max_i32(min_i32(a, b), min_i32(max_i32(a, b), c));
}

static inline uint32_t med3_u32(uint32_t a, uint32_t b, uint32_t c)
{
	return max_u32(min_u32(a, b), min_u32(max_u32(a, b), c));
}

/* --- bits --- */
static inline uint32_t bfm_b32(uint32_t width, uint32_t offset)
{
	return ((1u << (width & 31)) - 1) << (offset & 31);
}

/* Bit fields. The offset is less than the operand's width; a field beyond the top bit is cut off; width 0 gives 0. */
static inline uint32_t bfe_u32(uint32_t a, uint32_t offset, uint32_t width)
{
	return a >> offset & (width > 31 ? UINT32_MAX : (1u << (width & 31)) - 1);
}

static inline int32_t bfe_i32(int32_t a, uint32_t offset, uint32_t width)
{
	uint32_t top = offset + width > 32 ? 0 : 32 - offset - width; /* bits above the field */
	int32_t field = (int32_t)((uint32_t)a << (top & 31)) >> ((top + offset) & 31);

	return width ? field : 0;
}

static inline uint64_t bfe_u64(uint64_t a, uint32_t offset, uint32_t width)
{
	return a >> offset & (width > 63 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
}

static inline int64_t bfe_i64(int64_t a, uint32_t offset, uint32_t width)
{
	uint32_t top = offset + width > 64 ? 0 : 64 - offset - width;

	return width ? (int64_t)((uint64_t)a << (top & 63)) >> ((top + offset) & 63) : 0;
}

static inline uint32_t reverse_b32(uint32_t a)
{
	a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
	a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
	a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(a);
}

static inline uint32_t count_bits(uint32_t a)
{
	a -= a >> 1 & 0x55555555;
	a = (a & 0x33333333) + (a >> 2 & 0x33333333);
	a = (a + (a >> 4)) & 0x0f0f0f0f;
	return a * 0x01010101 >> 24;
}

/* Zeros above the highest set bit; -1 if no bit is set. */
static inline int32_t first_bit_high(uint32_t a)
{
	return a ? __builtin_clz(a) : -1;
}

static inline int32_t first_bit_high64(uint64_t a)
{
	return a ? __builtin_clzll(a) : -1;
}

static inline int32_t first_bit_low(uint32_t a)
{
	return a ? __builtin_ctz(a) : -1;
}

/* Bits above the highest bit that differs from the sign; -1 for the values 0 and -1. */
static inline int32_t first_bit_sign(int32_t a)
{
	return first_bit_high(a < 0 ? ~a : a);
}

static inline uint64_t whole_quad_mode(uint64_t a)
{
	a |= a >> 1 & UINT64_C(0x5555555555555555);
	a |= a >> 2 & UINT64_C(0x3333333333333333);
	return (a & UINT64_C(0x1111111111111111)) * 15;
}

/* One bit for each group of 4. */
static inline uint64_t quad_mask(uint64_t a)
{
	uint64_t r = 0;

	for (int i = 0; i < 16; i++)
		r |= (uint64_t)((a >> 4 * i & 15) != 0) << i;
	return r;
}

static inline uint64_t bit_replicate(uint32_t a)
{
	uint64_t r = 0;

	for (int i = 0; i < 32; i++)
		r |= (uint64_t)(a >> i & 1) * 3 << 2 * i;
	return r;
}

/* --- bytes --- */
/* Selectors 0-3 select bytes of b, 4-7 bytes of a, 8-11 the sign of bytes 1, 3, 5, 7; 12 is 0x00, above is 0xff. */
static inline uint32_t perm_b32(uint32_t a, uint32_t b, uint32_t selectors)
{
	uint64_t data = (uint64_t)a << 32 | b;
	uint32_t r = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t s = selectors >> 8 * i & 255;
		uint32_t byte = data >> 8 * (s & 7) & 255;
		uint32_t sign = data >> (16 * (s & 3) + 15) & 1 ? 255 : 0;

		byte = s > 12 ? 255 : s == 12 ? 0 : s > 7 ? sign : byte;
		r |= byte << 8 * i;
	}
	return r;
}

static inline uint32_t sad_u8(uint32_t a, uint32_t b)
{
	uint32_t r = 0;

	for (int i = 0; i < 32; i += 8) {
		int32_t d = (int32_t)(a >> i & 255) - (int32_t)(b >> i & 255);

		r += d < 0 ? -d : d;
	}
	return r;
}

/* Bytes that are 0 in the reference b are skipped. */
static inline uint32_t msad_u8(uint32_t a, uint32_t b)
{
	uint32_t r = 0;

	for (int i = 0; i < 32; i += 8) {
		int32_t d = (int32_t)(a >> i & 255) - (int32_t)(b >> i & 255);

		r += (b >> i & 255) == 0 ? 0 : d < 0 ? -d : d;
	}
	return r;
}

static inline uint32_t sad_u16(uint32_t a, uint32_t b)
{
	int32_t lo = (int32_t)(a & 0xffff) - (int32_t)(b & 0xffff), hi = (int32_t)(a >> 16) - (int32_t)(b >> 16);

	return (lo < 0 ? -lo : lo) + (hi < 0 ? -hi : hi);
}

/* Four sums; the window in a moves by one byte. */
static inline uint64_t qsad_pk_u16_u8(uint64_t a, uint32_t b, uint64_t c, int masked, int clamp)
{
	uint64_t r = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t window = a >> 8 * i;
		uint16_t sum = clamp_u16(
			(masked ? msad_u8(window, b) : sad_u8(window, b)) + (int64_t)(uint16_t)(c >> 16 * i), clamp);

		r |= (uint64_t)sum << 16 * i;
	}
	return r;
}

/* 128-bit operands. */
struct quad {
	uint32_t v[4];
};

static inline struct quad mqsad_u32_u8(uint64_t a, uint32_t b, struct quad c, int clamp)
{
	struct quad r;

	for (int i = 0; i < 4; i++)
		r.v[i] = saturate_u32((uint64_t)msad_u8(a >> 8 * i, b) + c.v[i], clamp);
	return r;
}

/* Each half of the cell is replaced by its half of the data, without the top bit, if that bit is set. */
static inline uint64_t cond_exchange_b32(uint64_t old, uint64_t data)
{
	uint64_t low = data & 0x80000000 ? data & 0x7fffffff : old & 0xffffffff;
	uint64_t high = data >> 63 ? data >> 32 & 0x7fffffff : old >> 32;

	return high << 32 | low;
}

static inline uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t round)
{
	uint32_t r = 0;

	for (int i = 0; i < 32; i += 8)
		r |= ((a >> i & 255) + (b >> i & 255) + (round >> i & 1)) >> 1 << i;
	return r;
}

static inline uint16_t sat_pk_u8_i16(uint32_t a)
{
	return med3_i32((int16_t)a, 0, 255) | med3_i32((int16_t)(a >> 16), 0, 255) << 8;
}

#endif
