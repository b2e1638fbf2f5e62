/* One kernel for each function in math.def, for the type TYPE (float, double or _Float16): out[i] = f(x[i], y[i], z[i]). */
#define DEVICE extern "C" __attribute__((device))
#define PASTE2(id, suffix) __ocml_##id##_##suffix
#define PASTE(id, suffix) PASTE2(id, suffix)
#define NAME(id) PASTE(id, SUFFIX)
#define PRIVATE(type) __attribute__((address_space(5))) type

#define KERNEL(id, expression) \
extern "C" __attribute__((global)) void id(const TYPE *from_x, const TYPE *from_y, const TYPE *from_z, TYPE *out, unsigned n) \
{ \
	unsigned i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x(); \
	if (i >= n) \
		return; \
	TYPE x = from_x[i], y = from_y[i], z = from_z[i], value; \
	int whole; \
	(void)x, (void)y, (void)z, (void)value, (void)whole; \
	out[i] = (TYPE)(expression); \
}

/* Signatures: parameters of the function, and where its result is returned. */
#define CALL_T(id, f)      DEVICE TYPE NAME(f)(TYPE); KERNEL(id, NAME(f)(x))
#define CALL_TT(id, f)     DEVICE TYPE NAME(f)(TYPE, TYPE); KERNEL(id, NAME(f)(x, y))
#define CALL_TTT(id, f)    DEVICE TYPE NAME(f)(TYPE, TYPE, TYPE); KERNEL(id, NAME(f)(x, y, z))
#define CALL_TTTT(id, f)   DEVICE TYPE NAME(f)(TYPE, TYPE, TYPE, TYPE); KERNEL(id, NAME(f)(x, y, z, x))
#define CALL_TI(id, f)     DEVICE TYPE NAME(f)(TYPE, int); KERNEL(id, NAME(f)(x, (int)y))
#define CALL_INT(id, f)    DEVICE int NAME(f)(TYPE); KERNEL(id, NAME(f)(x))
#define CALL_PT(id, f)     DEVICE TYPE NAME(f)(TYPE, PRIVATE(TYPE) *); KERNEL(id, NAME(f)(x, (PRIVATE(TYPE) *)&value))
#define CALL_PT2(id, f)    KERNEL(id, (NAME(f)(x, (PRIVATE(TYPE) *)&value), value))
#define CALL_PI(id, f)     DEVICE TYPE NAME(f)(TYPE, PRIVATE(int) *); KERNEL(id, NAME(f)(x, (PRIVATE(int) *)&whole))
#define CALL_PI2(id, f)    KERNEL(id, (NAME(f)(x, (PRIVATE(int) *)&whole), whole))
#define CALL_TTPI(id, f)   DEVICE TYPE NAME(f)(TYPE, TYPE, PRIVATE(int) *); KERNEL(id, NAME(f)(x, y, (PRIVATE(int) *)&whole))
#define CALL_TTPI2(id, f)  KERNEL(id, (NAME(f)(x, y, (PRIVATE(int) *)&whole), whole & 7))
#define CALL_OPERATOR(id, expression) KERNEL(id, expression)

#define MATH(id, call, f, arguments, limit32, limit64, limit16, reference) CALL_##call(id, f)
#include "math.def"
