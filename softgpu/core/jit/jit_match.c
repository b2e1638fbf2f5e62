/* Selects the instructions that can be compiled, and splits them into ops. */
#include "softgpu/core/jit/jit_match.h"

/* --- the table --- */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces" /* the sources in a row have no braces */
static const struct jit_step steps[OP_COUNT][JIT_STEPS_MAX] = {
#define JIT_OP(name, ...) [OP_##name] = {__VA_ARGS__},
#include "softgpu/core/jit/jit_ops.def"
#undef JIT_OP
};
static const struct jit_step high_steps[OP_COUNT][JIT_STEPS_MAX] = {
#define JIT_OP(name, ...)
#define JIT_OP_HIGH(name, ...) [OP_##name] = {__VA_ARGS__},
#include "softgpu/core/jit/jit_ops.def"
#undef JIT_OP
};
#pragma GCC diagnostic pop

static bool steps_read(const struct jit_step *s, enum jit_source from)
{
	for (unsigned n = 0; n < JIT_STEPS_MAX && s[n].what; n++)
		for (unsigned k = 0; k < 3; k++)
			if (s[n].from[k] == from)
				return true;
	return false;
}

/* Whether it writes a lane mask, the SGPR pair dst2. */
static bool writes_mask(const struct uop *i)
{
	for (unsigned n = 0; n < JIT_STEPS_MAX && steps[i->d.op][n].what; n++)
		if (steps[i->d.op][n].to == OUT)
			return true;
	return false;
}

/* --- ops --- */
static bool is_dual(const struct uop *i)
{
	return i->d.enc == ENC_VOPD && i->d.dual.op;
}

static struct jit_op op_of(const struct uop *i)
{
	return (struct jit_op){i, steps[i->d.op], i->d.dst - ISA_VGPR0, JIT_NONE};
}

/* The operations of VOPD, so that neither reads what the one before it writes. */
static unsigned split_dual(const struct uop *i, struct jit_op ops[JIT_OPS_MAX])
{
	const struct jit_op first = op_of(i), second = op_of(i->dual);
	const bool swapped = jit_op_reads(&second, first.dst);

	ops[swapped] = first;
	ops[!swapped] = second;
	return 2;
}

unsigned jit_split_ops(const struct uop *i, struct jit_op ops[JIT_OPS_MAX])
{
	const struct jit_step *upper = high_steps[i->d.op];
	const int dst = i->d.dst - ISA_VGPR0;
	unsigned n = 0;

	if (is_dual(i))
		return split_dual(i, ops);
	if (upper->what)
		ops[n++] =
			(struct jit_op){i, upper, dst + 1, steps_read(upper, HIGH) ? source_vgpr(i, 1) + 1 : JIT_NONE};
	ops[n++] = op_of(i);
	return n;
}

bool jit_op_reads(const struct jit_op *o, int vgpr)
{
	for (unsigned k = 0; k < o->i->sources; k++)
		if (source_vgpr(o->i, k) == vgpr)
			return true;
	return o->high == vgpr || (o->dst == vgpr && steps_read(o->steps, D));
}

/* --- what can be compiled --- */
/* A 64-bit shift is supported if all lanes shift by the same constant below 32, and if the upper half of the
 * destination, which is written first, is not the lower half of the source. */
static bool supports_shift64(const struct uop *i)
{
	const uint32_t amount = source_is_vgpr(i, 0) || source_is_sgpr(i, 0) ? 0 : *(const uint32_t *)i->src[0];

	return amount > 0 && amount < 32 && source_is_vgpr(i, 1) && i->d.dst - ISA_VGPR0 + 1 != source_vgpr(i, 1);
}

static bool is_operation_supported(const struct uop *i)
{
	const struct isa_inst *d = &i->d;

	if (!steps[d->op][0].what || d->clamp || d->omod || d->op_sel)
		return false;
	for (unsigned k = 0; k < i->sources; k++)
		if ((source_is_sgpr(i, k) && d->src[k] >= 128) || (source_is_vgpr(i, k) && d->src[k] >= ISA_AGPR0))
			return false;
	if (high_steps[d->op]->what && !supports_shift64(i))
		return false;
	if (writes_mask(i) && i->dst2 >= ISA_M0) /* EXEC would change the active lanes */
		return false;
	return d->dst >= ISA_VGPR0 && d->dst < ISA_AGPR0;
}

/* Its operations must not each read what the other one writes. */
static bool is_dual_supported(const struct uop *i)
{
	const struct jit_op first = op_of(i), second = op_of(i->dual);

	return is_operation_supported(i->dual) && !high_steps[i->d.op]->what && !high_steps[i->dual->d.op]->what &&
		!(jit_op_reads(&first, second.dst) && jit_op_reads(&second, first.dst));
}

static bool is_supported(const struct executor *x, const struct uop *i)
{
	if (i->kind != UOP_PLAIN || i->unit != UNIT_VALU || !is_operation_supported(i))
		return false;
	if (is_dual(i))
		return is_dual_supported(i);
	return i->fn == x->ops[i->d.op] || (i->fn == x->ops[OPS_MODIFIED] && i->d.form == FORM_PLAIN);
}

unsigned jit_sgpr_index(const struct jit_sgprs *s, unsigned number)
{
	unsigned k = 0;

	while (k < s->count && s->number[k] != number)
		k++;
	return k;
}

void jit_add_sgprs(struct jit_sgprs *s, const struct uop *i)
{
	if (is_dual(i))
		jit_add_sgprs(s, i->dual);
	for (unsigned k = 0; k < i->sources; k++)
		if (source_is_sgpr(i, k) && jit_sgpr_index(s, i->d.src[k]) == s->count)
			s->number[s->count++] = i->d.src[k];
}

/* --- masks --- */
void jit_add_mask(struct jit_sgprs *s, const struct uop *i)
{
	if (writes_mask(i) && jit_sgpr_index(s, i->dst2) == s->count)
		s->number[s->count++] = i->dst2;
}

/* Whether the SGPR pair is one of the masks, or does not overlap any of them. */
static bool is_same_or_disjoint(const struct jit_sgprs *s, unsigned pair)
{
	for (unsigned k = 0; k < s->count; k++)
		if (s->number[k] != pair && s->number[k] + 1u >= pair && s->number[k] <= pair + 1)
			return false;
	return true;
}

/* Whether the instruction may follow instructions that write these masks: a block reads its SGPRs when it begins. Adds
 * the mask that the instruction writes. */
static bool can_follow_masks(struct jit_sgprs *s, const struct uop *i)
{
	for (unsigned n = 0; n < i->sources; n++)
		for (unsigned k = 0; k < s->count; k++)
			if (source_is_sgpr(i, n) && (i->d.src[n] == s->number[k] || i->d.src[n] == s->number[k] + 1u))
				return false;
	if (steps_read(steps[i->d.op], CARRY) && !is_same_or_disjoint(s, i->mask_src))
		return false;
	if (is_dual(i) && !can_follow_masks(s, i->dual))
		return false;
	if (writes_mask(i) && !is_same_or_disjoint(s, i->dst2))
		return false;
	jit_add_mask(s, i);
	return s->count <= JIT_MASKS_MAX;
}

unsigned jit_match(const struct executor *x, const struct uop *i, uint8_t *fp)
{
	struct jit_sgprs sgprs = {.count = 0}, masks = {.count = 0};
	unsigned n = 0;

	for (*fp = FP_NONE; n < JIT_BLOCK_MAX && is_supported(x, i); n++, i += i->words) {
		if (i->fp && *fp && i->fp != *fp)
			break;
		jit_add_sgprs(&sgprs, i);
		if (sgprs.count > JIT_SGPRS_MAX || !can_follow_masks(&masks, i))
			break;
		*fp |= i->fp;
	}
	return n;
}
