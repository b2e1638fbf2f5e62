/* HIP's header, as compilers of CUDA find it. hip_on_cuda.inc, which comes before each source, has its contents. */
#ifndef KERNELS_ON_CUDA_HIP_HIP_RUNTIME_H
#define KERNELS_ON_CUDA_HIP_HIP_RUNTIME_H
#endif
