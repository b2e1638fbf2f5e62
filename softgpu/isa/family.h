/* Private to softgpu/isa: what a family of targets implements, and facts about operations that all families use. */
#ifndef SOFTGPU_ISA_FAMILY_H
#define SOFTGPU_ISA_FAMILY_H

#include "softgpu/isa/isa.h"

/* As the functions in isa.h, for targets of one family. */
unsigned gfx9_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out);
size_t gfx9_print(const struct isa_inst *in, char *out, size_t size);
size_t gfx9_print_unknown(const void *code, size_t avail, char *out, size_t size);

unsigned gfx11_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out);
const char *gfx11_mnemonic(const struct isa_inst *in);
size_t gfx11_print(const struct isa_inst *in, char *out, size_t size);
size_t gfx11_print_unknown(const void *code, size_t avail, char *out, size_t size);

/* The number of a row: the inverse of isa_info. */
unsigned isa_number(const struct isa_info *row);
bool isa_is_float(enum isa_type t);
/* Number of sources, without a carry. */
int isa_source_count(const struct isa_info *row);

#endif
