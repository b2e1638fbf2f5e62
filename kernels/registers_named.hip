// registers.s as in Vega64 notes 2.3, 2.4: inline asm names the register without a clobber. The assembler accepts the
// same registers, but the compiler does not allocate them; the scalar register may even be in use.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef VGPR
#define VGPR 255
#endif
#ifndef SGPR
#define SGPR 101
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if defined(__AMDGCN__)
extern "C" __global__ void vgpr_limit(void) { asm volatile("v_mov_b32 v" TEXT(VGPR) ", 0"); }
extern "C" __global__ void sgpr_limit(void) { asm volatile("s_mov_b32 s" TEXT(SGPR) ", 0"); }
#endif
