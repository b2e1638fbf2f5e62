// An empty kernel: only the creation of waves takes time (Vega64 notes 2.1).
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

extern "C" __global__ void dispatch(int *unused)
{
}
