/* Modules that are loaded, used and unloaded one after the other, at the same addresses: modules-hip INDEX... The odd
 * ones have a variable of 64 elements, the others one of 10; each module writes the element of its argument. */
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const char large[] = "__device__ int large[64]; extern \"C\" __global__ void k(int i) { large[i] = 1; }";
static const char small[] = "__device__ int small[10]; extern \"C\" __global__ void k(int i) { small[i] = 1; }";

static std::vector<char> compile(const char *source)
{
	hiprtcProgram program;
	size_t bytes = 0;
	if (hiprtcCreateProgram(&program, source, "module.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS ||
		hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS ||
		hiprtcGetCodeSize(program, &bytes) != HIPRTC_SUCCESS)
		exit(3);
	std::vector<char> code(bytes);
	if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS || hiprtcDestroyProgram(&program) != HIPRTC_SUCCESS)
		exit(3);
	return code;
}

static void run(const std::vector<char> &code, int index)
{
	hipModule_t module;
	hipFunction_t kernel;
	void *arguments[] = {&index};
	if (hipModuleLoadData(&module, code.data()) != hipSuccess ||
		hipModuleGetFunction(&kernel, module, "k") != hipSuccess ||
		hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) != hipSuccess ||
		hipDeviceSynchronize() != hipSuccess || hipModuleUnload(module) != hipSuccess)
		exit(3);
}

int main(int count, char **indices)
{
	const std::vector<char> codes[] = {compile(small), compile(large)};
	void *p;
	if (hipMalloc(&p, 64) != hipSuccess)
		return 3;
	for (int k = 1; k < count; k++)
		run(codes[k % 2], atoi(indices[k]));
	return 0;
}
