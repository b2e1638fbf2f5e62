// Products of rocBLAS, compared with sums in double: library_products sgemm|hgemm|bf16|dgemm N [ELEMENTS]
// Elements are small integers, so that the sums are exact and the library must return them, rounded to the type of the
// result. With ELEMENTS so many of the result are compared, otherwise all. Prints the rate. Ends with 0 if all are
// equal.
#include <hip/hip_runtime.h>
#include <rocblas/rocblas.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check(hipError_t e, int line)
{
	if (e == hipSuccess)
		return;
	printf("line %d: %s\n", line, hipGetErrorString(e));
	exit(1);
}

static void check(rocblas_status s, int line)
{
	if (s == rocblas_status_success)
		return;
	printf("line %d: %s\n", line, rocblas_status_to_string(s));
	exit(1);
}
#define CHECK(call) check((call), __LINE__)

struct bf16 {
	unsigned short bits;
	bf16() = default;
	bf16(double v)
	{
		float f = v;
		unsigned u;
		memcpy(&u, &f, sizeof u);
		bits = (u + 0x7fff + (u >> 16 & 1)) >> 16;
	}
	operator double() const
	{
		unsigned u = unsigned(bits) << 16;
		float f;
		memcpy(&f, &u, sizeof f);
		return f;
	}
};

static void multiply(rocblas_handle h, int n, const float *a, const float *b, float *c)
{
	const float one = 1, zero = 0;
	CHECK(rocblas_sgemm(h, rocblas_operation_none, rocblas_operation_none, n, n, n, &one, a, n, b, n, &zero, c, n));
}

static void multiply(rocblas_handle h, int n, const double *a, const double *b, double *c)
{
	const double one = 1, zero = 0;
	CHECK(rocblas_dgemm(h, rocblas_operation_none, rocblas_operation_none, n, n, n, &one, a, n, b, n, &zero, c, n));
}

static void multiply(rocblas_handle h, int n, const _Float16 *a, const _Float16 *b, _Float16 *c)
{
	const rocblas_half one = {0x3c00}, zero = {0};
	CHECK(rocblas_hgemm(h, rocblas_operation_none, rocblas_operation_none, n, n, n, &one, (const rocblas_half *)a,
		n, (const rocblas_half *)b, n, &zero, (rocblas_half *)c, n));
}

static void multiply(rocblas_handle h, int n, const bf16 *a, const bf16 *b, bf16 *c)
{
	const float one = 1, zero = 0;
	const rocblas_datatype type = rocblas_datatype_bf16_r;
	CHECK(rocblas_gemm_ex(h, rocblas_operation_none, rocblas_operation_none, n, n, n, &one, a, type, n, b, type, n,
		&zero, c, type, n, c, type, n, rocblas_datatype_f32_r, rocblas_gemm_algo_standard, 0, 0));
}

static unsigned random_number()
{
	static unsigned long long state = 1;
	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 33;
}

// -2 to 2
template <class T> static std::vector<T> make_matrix(int n)
{
	std::vector<T> m(size_t(n) * n);
	for (T &e : m)
		e = T(double(int(random_number() % 5) - 2));
	return m;
}

template <class T> static T *upload(const std::vector<T> &m)
{
	T *to;
	CHECK(hipMalloc((void **)&to, m.size() * sizeof(T)));
	CHECK(hipMemcpy(to, m.data(), m.size() * sizeof(T), hipMemcpyHostToDevice));
	return to;
}

// Rows of A as columns, so that sums run over neighbors. Matrices are stored by columns.
template <class T> static std::vector<float> transpose(const std::vector<T> &m, int n)
{
	std::vector<float> out(m.size());
	for (int row = 0; row < n; row++)
		for (int k = 0; k < n; k++)
			out[size_t(row) * n + k] = double(m[size_t(k) * n + row]);
	return out;
}

static double sum_products(const float *row, const float *column, int n)
{
	float sums[8] = {}, sum = 0; // exact: below 2^24
	for (int k = 0; k < n; k += 8)
		for (int i = 0; i < 8; i++)
			sums[i] += row[k + i] * column[k + i];
	for (float s : sums)
		sum += s;
	return sum;
}

template <class T> static int test_products(int n, size_t elements)
{
	const auto a = make_matrix<T>(n), b = make_matrix<T>(n);
	auto c = make_matrix<T>(n);
	T *da = upload(a), *db = upload(b), *dc = upload(c);
	rocblas_handle h;
	hipEvent_t start, end;
	float milliseconds;

	CHECK(rocblas_create_handle(&h));
	CHECK(hipEventCreate(&start));
	CHECK(hipEventCreate(&end));
	multiply(h, n, da, db, dc); // loads its code
	CHECK(hipDeviceSynchronize());
	CHECK(hipEventRecord(start));
	multiply(h, n, da, db, dc);
	CHECK(hipEventRecord(end));
	CHECK(hipEventSynchronize(end));
	CHECK(hipEventElapsedTime(&milliseconds, start, end));
	CHECK(hipMemcpy(c.data(), dc, c.size() * sizeof(T), hipMemcpyDeviceToHost));
	const auto rows = transpose(a, n);
	const std::vector<float> columns(b.begin(), b.end());
	size_t wrong = 0, count = elements ? elements : c.size();
	for (size_t k = 0; k < count; k++) {
		const size_t at = elements ? (size_t(random_number()) << 20 ^ random_number()) % c.size() : k;
		const T expected = T(sum_products(&rows[at % n * n], &columns[at / n * n], n));
		if (double(c[at]) == double(expected))
			continue;
		if (!wrong++)
			printf("row %zu, column %zu: %g instead of %g\n", at % n, at / n, double(c[at]),
				double(expected));
	}
	printf("%d: %zu of %zu elements are wrong; %.4g TFLOP/s\n", n, wrong, count, 2e-9 * n * n * n / milliseconds);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	const int n = atoi(argv[2]);
	const size_t elements = argc > 3 ? atol(argv[3]) : 0;
	if (!strcmp(argv[1], "sgemm"))
		return test_products<float>(n, elements);
	if (!strcmp(argv[1], "hgemm"))
		return test_products<_Float16>(n, elements);
	if (!strcmp(argv[1], "bf16"))
		return test_products<bf16>(n, elements);
	return strcmp(argv[1], "dgemm") ? 2 : test_products<double>(n, elements);
}
