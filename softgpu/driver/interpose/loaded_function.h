/* Finds functions of the libraries that the process has loaded, also of those that were loaded with RTLD_LOCAL: by
 * plug-ins, Python's ctypes, OpenCL's loader. RTLD_NEXT and RTLD_DEFAULT do not see these. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_LOADED_FUNCTION_H
#define SOFTGPU_DRIVER_INTERPOSE_LOADED_FUNCTION_H

/* The function that code at `caller` would call if this library were not there: one of the global scope, or else one
 * of the caller's library and of those that it needs. After that, and with a NULL caller, one of any library. Its
 * library stays loaded. NULL if there is none. */
void *loaded_function_find(const char *name, const void *caller);

/* The last result of a call site. There may be several copies of a library, for several callers. */
struct loaded_function {
	const void *caller;
	void *function;
};
/* The same, found once for each caller in a row. */
void *loaded_function_get(struct loaded_function *last, const char *name, const void *caller);
/* The same, for a hook; ends the program with one line if there is none. */
void *loaded_function_require(struct loaded_function *last, const char *name, const void *caller);

#endif
