/* The checksum of a csmith program, part of csmith.h. CSMITH_OWN is `static`, or empty where the program is a
 * structure. Bitwise CRC-32 with the polynomial of csmith's runtime (IEEE 802.3, reflected). */
CSMITH_OWN uint32_t crc32_context = 0xffffffff;
CSMITH_OWN uint32_t csmith_result = 0;

CSMITH_OWN inline void crc32_gentab(void) {}

CSMITH_OWN void crc32_byte(uint8_t b)
{
	crc32_context ^= b;
	for (int k = 0; k < 8; k++)
		crc32_context = crc32_context >> 1 ^ (crc32_context & 1 ? 0xedb88320 : 0);
}

CSMITH_OWN void transparent_crc(uint64_t value, const char *name, int flag)
{
	(void)name, (void)flag;
	for (int k = 0; k < 64; k += 8)
		crc32_byte(value >> k);
}

CSMITH_OWN void transparent_crc_bytes(const volatile void *p, int n, const char *name, int flag)
{
	(void)name, (void)flag;
	for (int k = 0; k < n; k++)
		crc32_byte(((const volatile uint8_t *)p)[k]);
}

CSMITH_OWN inline void platform_main_begin(void) {}

CSMITH_OWN void platform_main_end(uint32_t crc, int flag)
{
	(void)flag;
	csmith_result = crc;
}
