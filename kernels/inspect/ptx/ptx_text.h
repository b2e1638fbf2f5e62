/* Finds kernels in a text in PTX, the assembly language that CUDA's driver compiles (PTX ISA, "Kernel and Function
 * Directives"). */
#ifndef KERNELS_INSPECT_PTX_PTX_TEXT_H
#define KERNELS_INSPECT_PTX_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/inspect/code_object.h"

/* Whether the bytes look like PTX: a .version directive comes before anything but comments. */
bool ptx_is_text(const char *data, size_t size);
/* The kernels of a text that ends with a NUL; the caller frees the list and the names in it. 0: none, and *list is
 * NULL. */
size_t ptx_list_kernels(const char *text, struct kernel_info **list);

#endif
