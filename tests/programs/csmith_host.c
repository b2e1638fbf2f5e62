/* csmith_host LANES [LEAST MOST]: runs the program linked with it on the host, as it is in each of so many lanes, and
 * prints the checksums. With LEAST and MOST the program has a call of __sanitizer_cov_trace_pc in every basic block
 * (-fsanitize-coverage=trace-pc); one that runs more of them than MOST ends with status 3, fewer than LEAST with status
 * 4: what is too long or next to nothing is so on every host. */
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
