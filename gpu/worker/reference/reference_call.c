/* Calls C references through libffi. */
#include "gpu/worker/reference/reference_call.h"

#include <ffi.h>

#include "gpu/protocol/job_record.h"

/* By kind and log2 of the size in bytes. */
static ffi_type *const scalars[3][4] = {
	[ELEMENT_SIGNED] = {&ffi_type_sint8, &ffi_type_sint16, &ffi_type_sint32, &ffi_type_sint64},
	[ELEMENT_UNSIGNED] = {&ffi_type_uint8, &ffi_type_uint16, &ffi_type_uint32, &ffi_type_uint64},
	[ELEMENT_FLOAT] = {NULL, NULL, &ffi_type_float, &ffi_type_double},
};

static ffi_type *type_of(const struct arg_type *t)
{
	if (t->pointer)
		return &ffi_type_pointer;
	if (t->type->size != t->type->part)
		return NULL; /* a vector by value: the C ABI of such structures differs from the kernel argument */
	return scalars[t->type->kind][__builtin_ctzl(t->type->size)];
}

bool reference_call(const struct reference *r, const struct launch_shape *shape, const struct arg_type *types,
	void **args, size_t count, struct err *e)
{
	ffi_type *formal[KERNEL_ARGS_MAX + 1] = {&ffi_type_pointer};
	void *actual[KERNEL_ARGS_MAX + 1] = {&shape};
	ffi_cif cif;
	if (count > KERNEL_ARGS_MAX)
		return err_set(e, ST_REQUEST, "%zu arguments; at most %d are supported", count, KERNEL_ARGS_MAX);
	for (size_t i = 0; i < count; i++) {
		formal[i + 1] = type_of(&types[i]);
		actual[i + 1] = args[i];
		if (!formal[i + 1])
			return err_set(e, ST_REQUEST,
				"argument %zu: a %s by value cannot be passed to the reference; use a buffer", i + 1,
				types[i].type->name);
	}
	size_t first = r->without_shape ? 1 : 0;
	if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)(count + 1 - first), &ffi_type_void, formal + first) !=
		FFI_OK)
		return err_set(e, ST_FAILED, "libffi rejects the signature of the reference %s", r->name);
	ffi_call(&cif, r->call, NULL, actual + first);
	return true;
}
