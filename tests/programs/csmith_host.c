/* Runs the program linked with it on the host and prints its checksum. */
#include <stdint.h>
#include <stdio.h>

int csmith_main(void);
uint32_t csmith_checksum(void);

int main(void)
{
	csmith_main();
	printf("%08x\n", csmith_checksum());
	return 0;
}
