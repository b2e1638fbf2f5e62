// A private array with variable indices is in scratch. Workgroup g, work-item t writes the sum of what it has put into
// its own array: 64 * (256 * g + t) + 2016.
#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global))

KERNEL void sum_of_array(unsigned *out, unsigned step)
{
	unsigned local[64], item = 256 * __builtin_amdgcn_workgroup_id_x() + __builtin_amdgcn_workitem_id_x(), sum = 0;

	for (unsigned i = 0; i < 64; i++)
		local[i * step % 64] = item + i;
	for (unsigned i = 0; i < 64; i++)
		sum += local[(i + item) % 64];
	out[item] = sum;
}

// Element item % 64 of a private array says where it writes. An even step leaves elements without a value.
KERNEL void mark_element(unsigned *out, unsigned step)
{
	unsigned local[64];

	for (unsigned i = 0; i < 64; i++)
		local[i * step % 64] = i;
	out[local[__builtin_amdgcn_workitem_id_x() % 64] % 64] = 1;
}
