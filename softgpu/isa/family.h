/* Private to softgpu/isa: the families, and facts about operations that all of them use. */
#ifndef SOFTGPU_ISA_FAMILY_H
#define SOFTGPU_ISA_FAMILY_H

#include "softgpu/isa/isa_family.h"

extern const struct isa_family isa_family_gfx9, isa_family_gfx11;

/* The number of a row: the inverse of isa_info. */
unsigned isa_number(const struct isa_info *row);
bool isa_is_float(enum isa_type t);
/* Number of sources, without a carry. */
int isa_source_count(const struct isa_info *row);

#endif
