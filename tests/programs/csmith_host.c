/* csmith_host LANES [LEAST MOST]: runs the linked program on the host once for each lane and prints the checksums. With
 * LEAST and MOST, the program calls __sanitizer_cov_trace_pc in every basic block (-fsanitize-coverage=trace-pc). It
 * exits with status 3 after more than MOST blocks and with status 4 after fewer than LEAST. Counting blocks, not time,
 * gives the same answer on every host. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t csmith_run(uint32_t lane);
void __sanitizer_cov_trace_pc(void);

static uint64_t blocks, most = UINT64_MAX;

void __sanitizer_cov_trace_pc(void)
{
	if (++blocks > most)
		_Exit(3);
}

int main(int argc, char **argv)
{
	unsigned lanes = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	uint64_t least = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;

	most = argc > 3 ? strtoull(argv[3], NULL, 0) : UINT64_MAX;
	for (unsigned k = 0; k < lanes; k++)
		printf("%08x%c", csmith_run(k), k % 8 == 7 || k + 1 == lanes ? '\n' : ' ');
	return blocks < least ? 4 : 0;
}
