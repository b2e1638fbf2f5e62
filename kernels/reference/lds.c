/* References for LDS chains of one workgroup. INNER is the kernels' default number of reads per trip. The value of a
 * work-item is constant after the first step that does not change it (LDS is not written), so the loop stops there. */
#include "kernels/reference/references.h"

#include <string.h>

enum { WORDS = 4096, INNER = 100 };

void reference_lds_latency(const struct launch_shape *shape, const int *buf, unsigned mask, unsigned outer, int *out)
{
	int lds[WORDS] = {0};
	uint32_t threads = shape->block[0] < WORDS ? shape->block[0] : WORDS;
	memcpy(lds, buf, threads * sizeof *lds);
	for (uint32_t t = 0; t < threads; t++) {
		unsigned v = t;
		for (uint64_t i = 0; i < (uint64_t)outer * INNER; i++) {
			unsigned next = (unsigned)lds[v % WORDS] & mask;
			if (next == v)
				break;
			v = next;
		}
		out[t] = (int)v;
	}
}

void reference_lds_bank_conflict(
	const struct launch_shape *shape, const int *buf, unsigned stride, unsigned outer, int *out)
{
	for (uint32_t t = 0; t < shape->block[0]; t++) {
		unsigned v = (t * stride) & (WORDS - 1);
		for (uint64_t i = 0; i < (uint64_t)outer * INNER; i++) {
			unsigned next = (((unsigned)buf[v] + t) * stride) & (WORDS - 1);
			if (next == v)
				break;
			v = next;
		}
		out[t] = (int)v;
	}
}

/* Every word of LDS contains its index, so the number of reads does not matter. */
void reference_bank_read(const struct launch_shape *shape, unsigned *out, unsigned stride, unsigned multiplier,
	unsigned add, unsigned outer)
{
	(void)outer;
	for (unsigned t = 0; t < shape->block[0]; t++)
		out[t] = ((t % 64 * multiplier + add) % 64 * stride) % 4096;
}

void reference_lds_store_padding(const struct launch_shape *shape, int *out, int pitch, int outer)
{
	enum { TILE_WORDS = 8 * 136 };
	for (int i = 0; i < TILE_WORDS; i++)
		out[i] = -1;
	for (int t = 0; outer > 0 && t < (int)shape->block[0]; t++)
		out[t % 8 * pitch + t / 8] = t + outer - 1;
}
