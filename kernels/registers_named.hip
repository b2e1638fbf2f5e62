// The source's form of registers.s: the register is named in an asm text without a clobber. The assembler's verdict is the same, but the compiler's
// allocation knows nothing of the register, so the hardware does not grant it; the scalar one may even be one that the compiler uses. S0 2.3, 2.4.
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
