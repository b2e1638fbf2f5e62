/* Names of kernels as in the source. */
#ifndef KERNELS_INSPECT_READABLE_NAME_H
#define KERNELS_INSPECT_READABLE_NAME_H

/* "void copy<int>(int*)" for "_Z4copyIiEvPT_". The symbol itself if it is not mangled, or is longer than libiberty
 * reads (1,024 characters), and if the name is longer than 4,000 characters. The caller frees it. */
char *kernel_readable_name(const char *symbol);

#endif
