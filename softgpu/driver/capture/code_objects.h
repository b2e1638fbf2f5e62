/* The code objects that the runtime has loaded, as their files were: the loaded image lacks the lines of the source.
 * The runtime's loader lists them for debuggers (LLVM documentation, "User Guide for AMDGPU Backend", "Code Object
 * URI"). */
#ifndef SOFTGPU_DRIVER_CAPTURE_CODE_OBJECTS_H
#define SOFTGPU_DRIVER_CAPTURE_CODE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

/* Finds the list. A thread of the program that opens the device: the device thread must not wait for the lock of the
 * dynamic linker. */
void code_objects_find_list(void);
/* Keeps the code object that was loaded to [base, base + size) as a file of the folder, unless it has it. Writes the
 * file's name, "0123456789abcdef.co"; "" if it is not known. Device thread, before the launch's end is signaled. */
void code_object_keep(uint64_t base, uint64_t size, const char *folder, char *name, size_t name_size);

/* The file's bytes of the code object that was loaded there, which the caller frees; NULL: not known. Any thread. */
uint8_t *code_object_read(uint64_t base, uint64_t size, uint64_t *bytes);

#endif
