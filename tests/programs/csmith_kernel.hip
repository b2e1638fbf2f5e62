/* Launched with one work-item: runs the program linked with it and stores its checksum. */
extern "C" __attribute__((device)) int csmith_main(void);
extern "C" __attribute__((device)) unsigned csmith_checksum(void);

extern "C" __attribute__((global)) void run(unsigned *out)
{
	csmith_main();
	*out = csmith_checksum();
}
