#include "softgpu/core/fast/atomic_loads.h"

#include <stdbool.h>
#include <string.h>

#include "softgpu/core/fast/kernel_code.h"

enum { REACH = 64 /* instructions between the load and the loop */ };

static bool is_compare_and_swap(const struct code_inst *i)
{
	const char *name = isa_info(i->d.op)->name;

	return strstr(name, "cmpst") || strstr(name, "cmpswap");
}

static bool is_plain_load(const struct code_inst *i)
{
	const struct isa_info *row = isa_info(i->d.op);

	return (row->unit == UNIT_LDS || i->d.enc == ENC_FLAT || i->d.enc == ENC_GLOBAL) && i->effects.write_count &&
		row->src[1] == T__;
}

/* The register with the base of the address: a pair of SGPRs if it has one. */
static unsigned base_of(const struct code_inst *i)
{
	return i->d.enc == ENC_GLOBAL && i->d.flags & FLAG_SADDR ? i->d.src[2] : i->d.src[0];
}

/* A scalar load is of an address that is the same for all lanes. The offset in a VGPR is then zero. */
static bool loads_same_address(const struct code_inst *load, const struct code_inst *swap)
{
	if (load->d.imm != swap->d.imm || base_of(load) != base_of(swap))
		return false;
	if (isa_info(load->d.op)->unit == UNIT_SMEM)
		return load->effects.write_count;
	return is_plain_load(load) && load->d.src[0] == swap->d.src[0];
}

/* Whether the instruction changes the base of the other's address. */
static bool writes_address(const struct code_inst *i, const struct code_inst *of)
{
	for (unsigned n = 0; n < i->effects.write_count; n++)
		if (base_of(of) - (unsigned)i->effects.writes[n].first < i->effects.writes[n].count)
			return true;
	return false;
}

static size_t add_load_before(const struct kernel_code *k, uint32_t swap, uint64_t *pc, size_t count, size_t max)
{
	const struct code_inst *s = &k->inst[swap];

	for (uint32_t n = swap; n-- > 0 && swap - n <= REACH && count < max && !writes_address(&k->inst[n], s);)
		if (loads_same_address(&k->inst[n], s))
			pc[count++] = k->inst[n].pc;
	return count;
}

size_t kernel_find_atomic_loads(struct vm *vm, enum isa_target target, uint64_t entry, uint64_t *pc, size_t max)
{
	struct kernel_code k;
	size_t count = 0;

	if (kernel_code_read(&k, vm, target, entry))
		for (uint32_t n = 0; n < k.count; n++)
			if (is_compare_and_swap(&k.inst[n]))
				count = add_load_before(&k, n, pc, count, max);
	kernel_code_free(&k);
	return count;
}
