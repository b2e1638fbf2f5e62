/* What a loader makes of a code object for AMD GPUs: its segments as they lie in memory, relocated. Layout: LLVM "User
 * Guide for AMDGPU Backend", section "Code Object". */
#ifndef BASE_ELF_ELF_IMAGE_H
#define BASE_ELF_ELF_IMAGE_H

#include "base/elf/elf_file.h"

/* Bytes from address 0 to the end of the segments. 0: there are none, or one lies outside of the file or is larger than
 * 256 MiB. */
uint64_t elf_image_size(const struct elf_file *f);
/* Fills `to`, of `size` bytes, at least elf_image_size(): segments, zeros between them, and relocations for the GPU's
 * address `va` of the image. Relocations outside of it are ignored. */
void elf_image_load(const struct elf_file *f, uint8_t *to, uint64_t size, uint64_t va);

#endif
