/* rocBLAS through dlopen. Its headers need not be installed; the types are those of rocblas-types.h. */
#include "gpu/backends/rocblas.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/host/package_advice.h"
#include "base/host/shared_library.h"

typedef void *rocblas_handle;
enum { OPERATION_NONE = 111, STATUS_SUCCESS = 0 };

static const struct shared_library library = {"librocblas.so", "5 4 3 0", "rocblas_sgemm"};

static struct {
	int (*create_handle)(rocblas_handle *);
	int (*set_stream)(rocblas_handle, void *stream);
	int (*sgemm)(rocblas_handle, int of_a, int of_b, int m, int n, int k, const float *alpha, const float *a,
		int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
	const char *(*status_to_string)(int status);
	int (*get_version_string)(char *text, size_t size);
} rocblas;
static rocblas_handle handle; /* until the process ends */
static char description[64];

static bool check_status(int status, const char *what, struct err *e)
{
	return status == STATUS_SUCCESS ||
		err_set(e, ST_FAILED, "rocBLAS: %s: %s", what, rocblas.status_to_string(status));
}

static bool resolve(void *lib, struct err *e)
{
	static const struct library_function functions[] = {
		{"rocblas_create_handle", &rocblas.create_handle},
		{"rocblas_set_stream", &rocblas.set_stream},
		{"rocblas_sgemm", &rocblas.sgemm},
		{"rocblas_status_to_string", &rocblas.status_to_string},
		{"rocblas_get_version_string", &rocblas.get_version_string},
	};
	const char *missing = shared_library_find(lib, functions, sizeof functions / sizeof *functions);
	return !missing ||
		err_set(e, ST_FAILED, "librocblas.so does not provide %s; install rocBLAS of ROCm 5 or later", missing);
}

static bool load(struct err *e)
{
	char why[200], command[200], version[40] = "";
	void *lib = shared_library_open(&library, RTLD_NOW, why, sizeof why);
	if (!lib && *why)
		return err_set(e, ST_FAILED, "cannot load rocBLAS: %s", why);
	if (!lib) {
		package_install_command("rocblas", 0, command, sizeof command);
		return err_set(e, ST_FAILED, "rocBLAS not found (librocblas.so); install it: %s", command);
	}
	if (!resolve(lib, e))
		return false;
	rocblas.get_version_string(version, sizeof version);
	for (size_t n = sizeof version; n--;)
		if (version[n] == '.' && !version[n + 1])
			version[n] = 0; /* the text ends with a dot where the commit is not known */
	snprintf(description, sizeof description, "rocBLAS %s", version);
	return check_status(rocblas.create_handle(&handle), "cannot open the device", e);
}

const char *rocblas_description(void)
{
	return description;
}

bool call_rocblas_sgemm(void *stream, void **args, struct err *e)
{
	const float *a = *(const float **)args[0], *b = *(const float **)args[1];
	float *c = *(float **)args[2];
	int n = *(int *)args[3];
	if (!handle && !load(e))
		return false;
	/* The library takes matrices by columns: by rows, the product B A of the transposed matrices is A B. */
	return check_status(rocblas.set_stream(handle, stream), "cannot set the stream", e) &&
		check_status(rocblas.sgemm(handle, OPERATION_NONE, OPERATION_NONE, n, n, n, args[4], b, n, a, n,
				     args[5], c, n),
			"sgemm", e);
}
