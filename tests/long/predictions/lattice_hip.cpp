// Lattice Boltzmann in three dimensions, 19 populations a cell in structures of arrays, one step a launch, one cell a
// work-item; a byte of each cell says whether it is a wall:
//   lattice pull|in-place EDGE
#include "prediction.h"

enum { POPULATIONS = 19, BLOCK = 64, STEPS = 2 };

// The directions 2 k - 1 and 2 k are opposite.
static constexpr int direction[POPULATIONS][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1},
	{0, 0, -1}, {1, 1, 0}, {-1, -1, 0}, {1, 0, 1}, {-1, 0, -1}, {0, 1, 1}, {0, -1, -1}, {1, -1, 0}, {-1, 1, 0},
	{1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, 1}};

struct box {
	unsigned edge, cells;
};

static __device__ constexpr float weigh_direction(int i)
{
	return i == 0 ? 1 / 3.f : i < 7 ? 1 / 18.f : 1 / 36.f;
}

// The cell next to cell n in direction i; the box is periodic.
static __device__ unsigned find_neighbor(box b, unsigned n, int i)
{
	unsigned x = n % b.edge, y = n / b.edge % b.edge, z = n / b.edge / b.edge;
	x = (x + b.edge + direction[i][0]) % b.edge;
	y = (y + b.edge + direction[i][1]) % b.edge;
	z = (z + b.edge + direction[i][2]) % b.edge;
	return x + b.edge * (y + b.edge * z);
}

// Relaxes the populations of a cell toward their equilibrium at its density and velocity.
static __device__ void collide(float *f)
{
	float density = 0, u[3] = {};
#pragma unroll
	for (int i = 0; i < POPULATIONS; i++) {
		density += f[i];
		for (int axis = 0; axis < 3; axis++)
			u[axis] += direction[i][axis] * f[i];
	}
	for (int axis = 0; axis < 3; axis++)
		u[axis] /= density;
	float square = 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
#pragma unroll
	for (int i = 0; i < POPULATIONS; i++) {
		float along = 0;
		for (int axis = 0; axis < 3; axis++)
			along += 3 * direction[i][axis] * u[axis];
		float equilibrium = weigh_direction(i) * density * (1 + along + 0.5f * along * along - square);
		f[i] += 0.6f * (equilibrium - f[i]);
	}
}

// Reads from the neighbors in one array, writes the cell in the other.
__global__ void pull(const float *in, float *out, const unsigned char *wall, box b, unsigned)
{
	unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
	if (n >= b.cells || wall[n])
		return;
	float f[POPULATIONS];
#pragma unroll
	for (int i = 0; i < POPULATIONS; i++)
		f[i] = in[i * b.cells + find_neighbor(b, n, i ? (i - 1 ^ 1) + 1 : 0)];
	collide(f);
#pragma unroll
	for (int i = 0; i < POPULATIONS; i++)
		out[i * b.cells + n] = f[i];
}

// One array: half of the populations are at the neighbors, the others here; each pair changes places in each step.
__global__ void step_in_place(const float *, float *data, const unsigned char *wall, box b, unsigned odd)
{
	unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
	if (n >= b.cells || wall[n])
		return;
	float f[POPULATIONS];
	f[0] = data[n];
#pragma unroll
	for (int i = 1; i < POPULATIONS; i += 2) {
		f[i] = data[(odd ? i : i + 1) * b.cells + n];
		f[i + 1] = data[(odd ? i + 1 : i) * b.cells + find_neighbor(b, n, i)];
	}
	collide(f);
	data[n] = f[0];
#pragma unroll
	for (int i = 1; i < POPULATIONS; i += 2) {
		data[(odd ? i + 1 : i) * b.cells + find_neighbor(b, n, i)] = f[i];
		data[(odd ? i : i + 1) * b.cells + n] = f[i + 1];
	}
}

__global__ void fill_weights(float *data, unsigned cells)
{
	unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
	for (int i = 0; n < cells && i < POPULATIONS; i++)
		data[i * cells + n] = weigh_direction(i);
}

int main(int, char **argv)
{
	unsigned edge = atoi(argv[2]);
	box b = {edge, edge * edge * edge};
	unsigned blocks = (b.cells + BLOCK - 1) / BLOCK;
	bool in_place = !strcmp(argv[1], "in-place");
	float *data[2];
	for (float *&one : data) {
		one = allocate_zeros<float>(size_t(POPULATIONS) * b.cells);
		fill_weights<<<blocks, BLOCK>>>(one, b.cells);
	}
	unsigned char *wall = allocate_zeros<unsigned char>(b.cells);
	auto kernel = in_place ? step_in_place : pull;
	auto launch = [&](unsigned n) {
		for (unsigned step = 0; step < n; step++)
			kernel<<<blocks, BLOCK>>>(data[step & 1], data[in_place ? 0 : ~step & 1], wall, b, step & 1);
	};
	double seconds = time_work(launch, STEPS);
	char text[80];
	snprintf(text, sizeof text, "%s, %u^3 cells", argv[1], edge);
	print_row("lattice", text, "MLUP/s", double(b.cells) * STEPS / seconds / 1e6);
}
