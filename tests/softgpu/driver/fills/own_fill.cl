// A kernel with the name and the arguments of HIP's, for cases that HIP itself does not have. With the pattern HONEST it
// does the same, with others something else. In OpenCL, because HIP's compiler leaves out the names of arguments.
#define HONEST 0xee

__kernel void __amd_rocclr_fillBufferAligned(__global uchar *bufUChar, __global ushort *bufUShort, __global uint *bufUInt,
	__global ulong *bufULong, __constant uchar *pattern, uint patternSize, ulong offset, ulong size)
{
	ulong id = __builtin_amdgcn_workgroup_id_x() * 256ul + __builtin_amdgcn_workitem_id_x();
	ulong value = *(__constant ulong *)pattern;

	if (id < size)
		bufULong[offset + id] = value + (value == HONEST ? 0 : id);
}
