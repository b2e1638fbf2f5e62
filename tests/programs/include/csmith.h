/* The header that csmith programs include, for hosts and GPUs: the checksum, and csmith's safe arithmetic (safe_math.h
 * of Debian's libcsmith-dev). It needs no C library. main becomes csmith_main; csmith_checksum returns the result. */
#ifndef TESTS_PROGRAMS_INCLUDE_CSMITH_H
#define TESTS_PROGRAMS_INCLUDE_CSMITH_H

#include <float.h>
#include <limits.h>
#include <stdint.h>

#define STATIC           static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#define fabs         __builtin_fabs
#define fabsf        __builtin_fabsf
#define ldexpf       __builtin_ldexpf
#define ldexp        __builtin_ldexp
#include <csmith/safe_math.h>

#define main                csmith_main
#define memcpy              __builtin_memcpy
#define printf(...)         ((void)0)
#define strcmp(a, b)        1 /* csmith compares argv[1] with it */
#define INT_BIT             (sizeof(int) * CHAR_BIT)
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

#define __builtin_clz                     clz32
#define __builtin_clzl                    clz64
#define __builtin_clzll                   clz64
#define __builtin_ctz                     ctz32
#define __builtin_ctzl                    ctz64
#define __builtin_ctzll                   ctz64
#define __builtin_ia32_crc32qi(crc, byte) ((uint32_t)(crc) ^ (uint8_t)(byte))

#ifdef CSMITH_LANES /* the program is a structure with its own checksum: csmith_lanes.awk includes it there */
#define CSMITH_OWN
#else
#define CSMITH_OWN static
#include "csmith_checksum.h"

/* What the program came to, as it is in lane `lane`: the same in all of them. */
uint32_t csmith_run(uint32_t lane)
{
	int csmith_main(void);

	(void)lane;
	csmith_main();
	return csmith_result;
}
#endif

#endif
