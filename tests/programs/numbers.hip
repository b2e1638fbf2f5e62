typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long uint64_t;
#define UINT64_C(x) x##ul
#define HERE static __attribute__((device)) inline
#define HERE_RECURSIVE static __attribute__((device, noinline))
#include "numbers.h"

#define GLOBAL extern "C" __attribute__((global))
#define INDEX (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())

#define NUMBERS(name) \
GLOBAL void run_##name(const uint64_t *a, const uint64_t *b, uint64_t *out) \
{ \
	out[INDEX] = name(a[INDEX], b[INDEX]); \
}
EACH_NUMBERS(NUMBERS)

/* The same functions called by pointer, a different one in each lane. */
typedef uint64_t (*function)(uint64_t, uint64_t);
#define POINTER(name) name,
static __attribute__((device)) const function table[] = { EACH_NUMBERS(POINTER) };

GLOBAL void run_pointers(const uint64_t *a, const uint64_t *b, uint64_t *out)
{
	out[INDEX] = table[a[INDEX] % (sizeof table / sizeof *table)](a[INDEX], b[INDEX]);
}
