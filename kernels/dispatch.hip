// An empty kernel: what is left is the creation of waves. S0 2.1.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

extern "C" __global__ void dispatch(int *unused)
{
}
