/* How the lanes of an access lie to each other, whatever the address of the first. Instructions keep it: accesses
 * mostly lie as the ones before did, and what follows from it need not be found again. */
#ifndef SOFTGPU_CORE_LANES_H
#define SOFTGPU_CORE_LANES_H

#include "softgpu/core/machine.h"

/* How the elements of neighbouring lanes lie: all the same, or each behind the one before. */
enum lanes_shape { LANES_ANYHOW, LANES_SAME, LANES_IN_LINE };
/* And how all lanes do: by sixteens, or in sixteens of which each is in line and at the same place. */
enum lanes_whole { WHOLE_ANYHOW, WHOLE_SAME, WHOLE_IN_LINE, WHOLE_REPEATS };
enum { EIGHTS = LANES / 8 };

struct lanes {
	uint32_t relative[LANES]; /* addresses, less that of the first lane in exec */
	uint64_t exec;            /* the lanes that this is about; others' addresses say nothing. 0: nothing is known */
	uint64_t heads;           /* those of exec that are not within a line's length of the one before */
	uint32_t low, reach;      /* the lowest address, relative as above, and from there to the highest */
	uint8_t shape[EIGHTS]; /* enum lanes_shape; this and the next are of use where all of the lanes are in exec */
	uint8_t whole;         /* enum lanes_whole */
} __attribute__((aligned(64)));

/* From the addresses of the lanes in e, one or more, elements of so many bytes. */
void lanes_learn(struct lanes *k, const uint32_t *at, uint64_t e, uint32_t bytes);

#endif
