/* Unpacks bundles that clang compressed (--offload-compress), versions 1 to 3. Layout: LLVM documentation, "Clang
 * Offload Bundler", section "Compression and Decompression". */
#ifndef BASE_ELF_OFFLOAD_UNPACK_H
#define BASE_ELF_OFFLOAD_UNPACK_H

#include "base/elf/offload_bundle.h"

/* The bundle inside of a compressed one, of at most `limit` bytes; the caller frees it. *size gets its bytes, *packed
 * those of the compressed one with its header. NULL: *why is the reason, a constant string. */
uint8_t *offload_unpack(const struct offload_bundle *b, size_t limit, size_t *size, size_t *packed, const char **why);

#endif
