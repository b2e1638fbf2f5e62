/* The address stage of gfx9's vector L1: how many cycles an access takes, and which lines it requests when.
 *
 * Sixteen lanes are four quads of four. Each cycle, each quad sends one request: a dword of each of its lanes together
 * if they are contiguous or the same, else those of one lane. Wider elements take a cycle for each quad, whose four
 * lanes send theirs together. The tags have `l1_tag_banks` banks, by line of 64 bytes, and the data sixteen, by dword;
 * each bank serves one line, or one dword, in a cycle, for all requests of it. A cycle's requests that meet in a bank
 * wait for each other. Stores read no data; one that follows another to the same line, with no other line of the
 * tag bank between them, joins it.
 *
 * The rule explains each row of up to 34 elements in the strides that gpu-benches measured on an MI210, and the widths
 * and patterns of perftest on two Vegas (tests/softgpu/core/test_l1_address.c); AMD documents the sixteen addresses a
 * cycle, the quads and the 64-byte lines (ROCm Compute Profiler: TA, TCP). */
#ifndef SOFTGPU_CORE_MEMORY_L1_ADDRESS_H
#define SOFTGPU_CORE_MEMORY_L1_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/memory/access_lines.h"

/* The bytes of each lane, for lanes of `lanes`. */
struct lane_bytes {
	uint64_t lanes;
	uint64_t at[MAX_LANES];
	uint16_t bytes[MAX_LANES]; /* 0: nothing, as outside of a buffer */
	bool wide;                 /* of elements longer than a dword */
	bool reads;                /* data of L1: not a store */
};

/* Appends the requests of an access or of a part of one. A line that a load requests again is not repeated. */
void l1_address_lanes(unsigned tag_banks, const struct lane_bytes *x, struct access_lines *out);

#endif
