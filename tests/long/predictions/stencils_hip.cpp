// Stencils of double: the Laplacian of a cube, and what an iteration of Jacobi's method on a square is made of.
//   stencils plain|rows EDGE              the cube's Laplacian; a work-item has one point, or 8 in a row of y
//   stencils laplacian|update|norm EDGE   the square's
#include "prediction.h"

enum { BLOCK = 256, ROWS = 8, NORM_BLOCK = 512, NORM_BLOCKS = 256 };

// Factors of the neighbors in x, y and z, and of the point itself.
struct weights {
	double x, y, z, center;
};

static __device__ bool is_inside(int edge, int i, int j, int k)
{
	return i > 0 && i < edge - 1 && j > 0 && j < edge - 1 && k > 0 && k < edge - 1;
}

static __device__ double sum_neighbors(const double *u, size_t at, int edge, weights w)
{
	size_t slice = size_t(edge) * edge;
	return w.center * u[at] + w.x * (u[at - 1] + u[at + 1]) + w.y * (u[at - edge] + u[at + edge]) +
		w.z * (u[at - slice] + u[at + slice]);
}

__global__ __launch_bounds__(BLOCK) void cube_plain(double *f, const double *u, int edge, weights w)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x, j = blockIdx.y, k = blockIdx.z;
	if (!is_inside(edge, i, j, k))
		return;
	size_t at = i + size_t(edge) * (j + size_t(edge) * k);
	f[at] = sum_neighbors(u, at, edge, w);
}

// The compiler keeps what the next row reads as well; the result is not kept in caches.
__global__ __launch_bounds__(BLOCK) void cube_rows(double *f, const double *u, int edge, weights w)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x, k = blockIdx.z;
	double result[ROWS];
	size_t first = i + size_t(edge) * (ROWS * blockIdx.y + size_t(edge) * k);
#pragma unroll
	for (int row = 0; row < ROWS; row++)
		if (is_inside(edge, i, ROWS * blockIdx.y + row, k))
			result[row] = sum_neighbors(u, first + row * edge, edge, w);
#pragma unroll
	for (int row = 0; row < ROWS; row++)
		if (is_inside(edge, i, ROWS * blockIdx.y + row, k))
			__builtin_nontemporal_store(result[row], &f[first + row * edge]);
}

__global__ __launch_bounds__(BLOCK) void square_laplacian(double *f, const double *u, int edge, weights w)
{
	int at = threadIdx.x + blockIdx.x * blockDim.x;
	if (at < edge + 1 || at > (edge - 2) * (edge + 1))
		return;
	__builtin_nontemporal_store(
		(-u[at - 1] + 2 * u[at] - u[at + 1]) * w.x + (-u[at - edge] + 2 * u[at] - u[at + edge]) * w.y, &f[at]);
}

__global__ __launch_bounds__(BLOCK) void square_update(
	const double *right, const double *f, double *residual, double *u, double factor)
{
	int at = threadIdx.x + blockIdx.x * blockDim.x;
	double r = right[at] - f[at];
	residual[at] = r;
	u[at] += r * factor;
}

__global__ __launch_bounds__(NORM_BLOCK) void square_norm(const double *u, double *sums, int count)
{
	__shared__ double partial[NORM_BLOCK];
	int lane = threadIdx.x;
	partial[lane] = 0;
	for (int at = lane + blockIdx.x * NORM_BLOCK; at < count; at += NORM_BLOCK * NORM_BLOCKS)
		partial[lane] += u[at] * u[at];
	for (int offset = NORM_BLOCK / 2; offset > 0; offset /= 2) {
		__syncthreads();
		if (lane < offset)
			partial[lane] += partial[lane + offset];
	}
	if (lane == 0)
		sums[blockIdx.x] = partial[0];
}

static constexpr weights unit_weights = {1, 1, 1, -6};

// Bandwidth of a launch, of the bytes that a perfect cache reads and writes; 1 GB is 10^9 bytes.
template <class F> static void print_bandwidth(const char *form, const char *shape, double bytes, F launch_once)
{
	double seconds = time_work(
		[&](unsigned n) {
			for (unsigned k = 0; k < n; k++)
				launch_once();
		},
		1);
	char text[80];
	snprintf(text, sizeof text, "%s, %s", form, shape);
	print_row("stencils", text, "GB/s", bytes / seconds / 1e9);
}

static void predict_cube(const char *form, int edge)
{
	double cells = double(edge) * edge * edge, inner = double(edge - 2) * (edge - 2) * (edge - 2);
	double *u = allocate_zeros<double>(cells), *f = allocate_zeros<double>(cells);
	bool plain = !strcmp(form, "plain");
	dim3 grid(edge / BLOCK, plain ? edge : edge / ROWS, edge);
	char shape[32];
	snprintf(shape, sizeof shape, "%d^3 points", edge);
	double corners = 8 + 12 * (edge - 2.0); // edges and corners of the cube are not read
	print_bandwidth(form, shape, 8 * (cells - corners + inner),
		[=] { (plain ? cube_plain : cube_rows)<<<grid, BLOCK>>>(f, u, edge, unit_weights); });
}

static void predict_square(const char *form, int edge)
{
	size_t cells = size_t(edge) * edge;
	double *array[4];
	for (double *&one : array)
		one = allocate_zeros<double>(cells);
	unsigned blocks = cells / BLOCK;
	char shape[32];
	snprintf(shape, sizeof shape, "%d^2 points", edge);
	if (!strcmp(form, "laplacian"))
		print_bandwidth(form, shape, 16.0 * cells,
			[&] { square_laplacian<<<blocks, BLOCK>>>(array[0], array[1], edge, unit_weights); });
	else if (!strcmp(form, "update"))
		print_bandwidth(form, shape, 40.0 * cells,
			[&] { square_update<<<blocks, BLOCK>>>(array[0], array[1], array[2], array[3], 0.25); });
	else
		print_bandwidth(form, shape, 8.0 * cells,
			[&] { square_norm<<<NORM_BLOCKS, NORM_BLOCK>>>(array[0], array[1], cells); });
}

int main(int, char **argv)
{
	bool cube = !strcmp(argv[1], "plain") || !strcmp(argv[1], "rows");
	(cube ? predict_cube : predict_square)(argv[1], atoi(argv[2]));
}
