/* Private to softgpu/isa: which modifiers an operation supports. Unsupported bits: where LLVM rejects them, these
 * return false; where LLVM ignores them, they are cleared. */
#ifndef SOFTGPU_ISA_MODIFIER_RULES_H
#define SOFTGPU_ISA_MODIFIER_RULES_H

#include "softgpu/isa/family.h"

/* neg and abs of all sources. `op_sel`: the family's form of the operation has op_sel. */
bool isa_fit_signs(const struct isa_info *row, struct isa_inst *in, bool op_sel);
/* These, clamp and omod, in VOP3. */
bool isa_fit_modifiers(const struct isa_info *row, struct isa_inst *in, bool op_sel);
/* VOP3P. */
bool isa_fit_packed(const struct isa_info *row, struct isa_inst *in);

/* Whether source i has neg and abs although it is not a float. */
bool isa_has_sign(const struct isa_info *row, int i);

#endif
