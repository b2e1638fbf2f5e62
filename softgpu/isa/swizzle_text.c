/* Prints the offset of ds_swizzle as llvm-objdump does. */
#include "softgpu/isa/isa_text.h"

static bool is_single_bit(unsigned n)
{
	return n && !(n & (n - 1));
}

/* The source lane is ((lane & keep) | set) ^ flip. */
static void print_bitmask_swizzle(struct isa_text *t, unsigned keep, unsigned set, unsigned flip)
{
	unsigned zero = set ^ flip,
		 ones = (keep | set) ^ flip; /* the source of a lane number of all zeros, of all ones */

	isa_text_append(t, "BITMASK_PERM,\"");
	for (unsigned bit = 16; bit; bit >>= 1)
		isa_text_append(t, "%c",
			(zero & bit) == (ones & bit) ? zero & bit ? '1' : '0'
				: zero & bit         ? 'i'
						     : 'p');
	isa_text_append(t, "\"");
}

void isa_text_swizzle(struct isa_text *t, unsigned imm)
{
	unsigned keep = imm & 31, set = imm >> 5 & 31, flip = imm >> 10 & 31, group = 32 - keep;

	if (!imm)
		return;
	if ((imm & 0xff00) != 0x8000 && imm & 0x8000) {
		isa_text_append(t, " offset:%u", imm);
		return;
	}
	isa_text_append(t, " offset:swizzle(");
	if (imm & 0x8000)
		isa_text_append(t, "QUAD_PERM,%u,%u,%u,%u", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
	else if (keep == 31 && !set && is_single_bit(flip))
		isa_text_append(t, "SWAP,%u", flip);
	else if (keep == 31 && !set && flip && is_single_bit(flip + 1))
		isa_text_append(t, "REVERSE,%u", flip + 1);
	else if (group > 1 && is_single_bit(group) && set < group && !flip)
		isa_text_append(t, "BROADCAST,%u,%u", group, set);
	else
		print_bitmask_swizzle(t, keep, set, flip);
	isa_text_append(t, ")");
}
