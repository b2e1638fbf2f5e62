/* What a program of csmith's includes, for a host and for a GPU alike: the checksum, and csmith's own safe arithmetic
 * (safe_math.h of Debian's libcsmith-dev). Nothing here needs a C library; main becomes csmith_main, and
 * csmith_checksum says what it came to. */
#ifndef TESTS_PROGRAMS_CSMITH_H
#define TESTS_PROGRAMS_CSMITH_H

#include <float.h>
#include <limits.h>
#include <stdint.h>

#define STATIC static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#define fabsf __builtin_fabsf
#define ldexpf __builtin_ldexpf
#include <csmith/safe_math.h>

#define main csmith_main
#define printf(...) ((void)0)
#define strcmp(a, b) 1 /* csmith compares argv[1] with it */
#define INT_BIT (sizeof(int) * CHAR_BIT)
#define _CSMITH_BITFIELD(x) ((x) > INT_BIT ? (x) % INT_BIT : (x))

/* Built-in functions of --builtins: defined for 0, too, and none of one machine alone. */
static inline int clz32(uint32_t x)
{
	return x ? __builtin_clz(x) : 32;
}

static inline int clz64(uint64_t x)
{
	return x ? __builtin_clzll(x) : 64;
}

static inline int ctz32(uint32_t x)
{
	return x ? __builtin_ctz(x) : 32;
}

static inline int ctz64(uint64_t x)
{
	return x ? __builtin_ctzll(x) : 64;
}

#define __builtin_clz clz32
#define __builtin_clzl clz64
#define __builtin_clzll clz64
#define __builtin_ctz ctz32
#define __builtin_ctzl ctz64
#define __builtin_ctzll ctz64
#define __builtin_ia32_crc32qi(crc, byte) ((uint32_t)(crc) ^ (uint8_t)(byte))

/* CRC-32 bit by bit: the polynomial csmith's runtime has (IEEE 802.3, reflected). */
static uint32_t crc32_context = 0xffffffff;
static uint32_t csmith_result;
#ifdef CSMITH_TRACE
enum { CSMITH_VALUES = 4096 };
uint64_t csmith_value[CSMITH_VALUES];
const char *csmith_name[CSMITH_VALUES];
uint32_t csmith_values;
#endif

static inline void crc32_gentab(void)
{
}

static void crc32_byte(uint8_t b)
{
	crc32_context ^= b;
	for (int k = 0; k < 8; k++)
		crc32_context = crc32_context >> 1 ^ (crc32_context & 1 ? 0xedb88320 : 0);
}

static void transparent_crc(uint64_t value, const char *name, int flag)
{
	(void)name, (void)flag;
	for (int k = 0; k < 64; k += 8)
		crc32_byte(value >> k);
#ifdef CSMITH_TRACE
	csmith_value[csmith_values] = value;
	csmith_name[csmith_values++] = name;
#endif
}

static void transparent_crc_bytes(const void *p, int n, const char *name, int flag)
{
	(void)name, (void)flag;
	for (int k = 0; k < n; k++)
		crc32_byte(((const uint8_t *)p)[k]);
}

static inline void platform_main_begin(void)
{
}

static void platform_main_end(uint32_t crc, int flag)
{
	(void)flag;
	csmith_result = crc;
}

uint32_t csmith_checksum(void)
{
	return csmith_result;
}

#endif
