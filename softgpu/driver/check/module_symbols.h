/* The exported function that contains an address, found without the loader's lock: a hook may run under locks of the
 * runtime, which other threads take while the loader loads a library for them. (dladdr takes that lock.) */
#ifndef SOFTGPU_DRIVER_CHECK_MODULE_SYMBOLS_H
#define SOFTGPU_DRIVER_CHECK_MODULE_SYMBOLS_H

/* Valid while the module is loaded. NULL: no exported function is there. */
const char *module_function_at(const void *address);

#endif
