// Matrix products of rocBLAS, one after the other, as its tuning measures them; what each call costs is part of it:
//   products sgemm|hgemm NN|NT|TN M N K
#include "prediction.h"
#include <rocblas/rocblas.h>

static rocblas_operation operation_of(char letter)
{
	return letter == 'T' ? rocblas_operation_transpose : rocblas_operation_none;
}

static void check_product(rocblas_status status)
{
	if (status == rocblas_status_success)
		return;
	fprintf(stderr, "%s\n", rocblas_status_to_string(status));
	exit(1);
}

// Matrices are stored by columns.
struct product {
	rocblas_handle handle;
	rocblas_operation a_op, b_op;
	int m, n, k, a_rows, b_rows;
};

static void multiply(const product &p, const float *a, const float *b, float *c)
{
	const float one = 1, zero = 0;
	check_product(
		rocblas_sgemm(p.handle, p.a_op, p.b_op, p.m, p.n, p.k, &one, a, p.a_rows, b, p.b_rows, &zero, c, p.m));
}

static void multiply(const product &p, const rocblas_half *a, const rocblas_half *b, rocblas_half *c)
{
	const rocblas_half one = {0x3c00}, zero = {0};
	check_product(
		rocblas_hgemm(p.handle, p.a_op, p.b_op, p.m, p.n, p.k, &one, a, p.a_rows, b, p.b_rows, &zero, c, p.m));
}

template <class T> static double seconds_of_product(const product &p)
{
	enum { CALLS = 2 };
	T *a = allocate_zeros<T>(size_t(p.m) * p.k), *b = allocate_zeros<T>(size_t(p.k) * p.n),
	  *c = allocate_zeros<T>(size_t(p.m) * p.n);
	auto launch = [&](unsigned calls) {
		for (unsigned k = 0; k < calls; k++)
			multiply(p, a, b, c);
	};
	return time_work(launch, CALLS) / CALLS;
}

int main(int, char **argv)
{
	const char *ops = argv[2];
	product p = {
		nullptr, operation_of(ops[0]), operation_of(ops[1]), atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), 0, 0};
	p.a_rows = ops[0] == 'T' ? p.k : p.m;
	p.b_rows = ops[1] == 'T' ? p.n : p.k;
	check_product(rocblas_create_handle(&p.handle));
	double seconds = strcmp(argv[1], "hgemm") ? seconds_of_product<float>(p) : seconds_of_product<rocblas_half>(p);
	char text[80];
	snprintf(text, sizeof text, "%s %s, M=%d N=%d K=%d", argv[1], ops, p.m, p.n, p.k);
	print_row("rocblas", text, "GFLOP/s", 2.0 * p.m * p.n * p.k / seconds / 1e9);
}
