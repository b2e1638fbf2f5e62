// Doubles that are read, written, scaled and combined again and again, in arrays of a length that is not a power of
// two:
//   l2_stream read|write|scale|triad THOUSANDS BLOCK       8192 * THOUSANDS + 8161 elements; two blocks a unit
#include "prediction.h"

enum form { READ, WRITE, SCALE, TRIAD };
static const char *const names[] = {"read", "write", "scale", "triad"};
static const unsigned streams[] = {1, 1, 2, 4};
enum { LDS_BYTES = 22016 }; // so that a unit holds two blocks

template <int FORM, int LENGTH>
__global__ void stream(double *a, const double *__restrict__ b, const double *__restrict__ c,
	const double *__restrict__ d, size_t count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	i %= LENGTH;
	if (FORM == WRITE)
		a[i] = 0.23;
	if (FORM == SCALE)
		a[i] = b[i] * 1.2;
	if (FORM == TRIAD)
		a[i] = b[i] * d[i] + c[i];
	if (FORM == READ && b[i] == 123.0)
		a[i] = 1;
}

template <int FORM, int LENGTH> static double measure_rate(unsigned block)
{
	double *array[4];
	for (double *&one : array)
		one = allocate_zeros<double>(LENGTH);
	unsigned passes = (1 << 20) / LENGTH + 1;
	auto launch = [&](unsigned n) {
		size_t count = size_t(n) * LENGTH;
		stream<FORM, LENGTH><<<(count + block - 1) / block, block, LDS_BYTES>>>(
			array[0], array[1], array[2], array[3], count);
	};
	double seconds = time_work(launch, passes);
	return double(passes) * LENGTH * sizeof(double) * streams[FORM] / seconds / 1e9;
}

template <int FORM> static double measure_length(unsigned thousands, unsigned block)
{
	switch (thousands) {
	case 14: return measure_rate<FORM, 8192 * 14 + 8161>(block);
	case 34: return measure_rate<FORM, 8192 * 34 + 8161>(block);
	case 62: return measure_rate<FORM, 8192 * 62 + 8161>(block);
	case 104: return measure_rate<FORM, 8192 * 104 + 8161>(block);
	case 259: return measure_rate<FORM, 8192 * 259 + 8161>(block);
	}
	fprintf(stderr, "no such length\n");
	exit(2);
}

int main(int argc, char **argv)
{
	unsigned form = READ, thousands = atoi(argv[2]), block = atoi(argv[3]);
	while (strcmp(argv[1], names[form]))
		form++;
	double (*const measure[])(unsigned, unsigned) = {
		measure_length<READ>, measure_length<WRITE>, measure_length<SCALE>, measure_length<TRIAD>};
	char text[80];
	snprintf(text, sizeof text, "%s, %u kB in two arrays, 2 blocks of %u a CU", names[form],
		(8192 * thousands + 8161) * 16 / 1024, block);
	print_row("l2-stream", text, "GB/s", measure[form](thousands, block));
}
