/* VOPD: two operations of one instruction. Both read their sources before either writes. */
#ifndef SOFTGPU_CORE_OPS_OPS_DUAL_H
#define SOFTGPU_CORE_OPS_OPS_DUAL_H

#include "softgpu/core/ops/ops_modifiers.h"

static bool reads_vgpr(const struct isa_inst *d, unsigned number)
{
	return d->src[0] == number || d->src[1] == number || d->src[2] == number;
}

/* The first operation runs with its destination saved, so that the second one reads the old value. The destinations
 * differ: one is even, the other odd (RDNA3 ISA 7.6). */
static void op_dual(struct wave *w, const struct uop *i)
{
	const struct uop *second = i->dual;
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst), old[LANES], result[LANES];

	if (!reads_vgpr(&second->d, i->d.dst)) {
		OPERATION(i)(w, i);
		OPERATION(second)(w, second);
		return;
	}
	memcpy(old, d, sizeof old);
	OPERATION(i)(w, i);
	memcpy(result, d, sizeof result);
	memcpy(d, old, sizeof old);
	OPERATION(second)(w, second);
	memcpy(d, result, sizeof result);
}

#endif
