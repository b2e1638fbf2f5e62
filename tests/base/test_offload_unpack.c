/* Compressed bundles: every version and method, several in a row, damaged ones, and ones that grow too large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/elf/offload_unpack.h"

enum { PLAIN = 5000, ROOM = 3 * PLAIN, LIMIT = 1 << 20 };
static uint8_t plain[PLAIN], packed[ROOM];

static void append(size_t *at, const void *data, size_t size)
{
	memcpy(packed + *at, data, size);
	*at += size;
}

/* Returns the end. `size` is what the header says about the unpacked size. */
static size_t pack(size_t at, unsigned version, unsigned method, uint64_t size)
{
	uint8_t body[ROOM];
	uLongf zlib_size = sizeof body;
	uint16_t head[2] = {(uint16_t)version, (uint16_t)method};
	size_t width = version < 3 ? 4 : 8;
	if (!method)
		assert_int_equal(compress2(body, &zlib_size, plain, PLAIN, 9), Z_OK);
	size_t body_size = method ? ZSTD_compress(body, sizeof body, plain, PLAIN, 3) : zlib_size;
	uint64_t all = 4 + 4 + (version > 1 ? 2 : 1) * width + 8 + body_size;
	assert_true(all < ROOM - at);
	append(&at, "CCOB", 4);
	append(&at, head, 4);
	if (version > 1)
		append(&at, &all, width);
	append(&at, &size, width);
	append(&at, "hash----", 8);
	append(&at, body, body_size);
	return at;
}

static int fill_plain(void **state)
{
	uint32_t seed = 1;
	(void)state;
	for (size_t i = 0; i < PLAIN; i++) {
		seed = seed * 1664525 + 1013904223;
		plain[i] = (uint8_t)(seed >> 28);
	}
	memset(packed, 0, sizeof packed);
	return 0;
}

static uint8_t *unpack(size_t at, size_t end, size_t *size, size_t *used, const char **why)
{
	return offload_unpack(
		&(struct offload_bundle){OFFLOAD_COMPRESSED, packed + at, end - at}, LIMIT, size, used, why);
}

static void each_version_and_method_unpacks(void **state)
{
	const char *why;
	(void)state;
	for (unsigned version = 1; version <= 3; version++)
		for (unsigned method = 0; method < 2; method++) {
			size_t size, used, end = pack(0, version, method, PLAIN);
			uint8_t *out = unpack(0, end + 100, &size, &used, &why); /* what follows does not count */
			assert_non_null(out);
			assert_int_equal(size, PLAIN);
			assert_int_equal(used, end);
			assert_memory_equal(out, plain, PLAIN);
			free(out);
		}
}

static void refuse(size_t end, const char *reason)
{
	size_t size, used;
	const char *why = NULL;
	assert_null(unpack(0, end, &size, &used, &why));
	assert_string_equal(why, reason);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
	(void)state;
	for (unsigned method = 0; method < 2; method++) {
		refuse(pack(0, 3, method, LIMIT + 1), "unpacked, it is too large");
		refuse(pack(0, 3, method, UINT64_MAX), "unpacked, it is too large");
		refuse(pack(0, 3, method, 0), "unpacked, it is empty");
		refuse(pack(0, 2, method, PLAIN - 1), "it does not unpack");
		refuse(pack(0, 2, method, PLAIN + 1), "it does not unpack");
	}
	refuse(pack(0, 4, 0, PLAIN), "its version is not known; versions 1 to 3 are");
	refuse(pack(0, 0, 0, PLAIN), "its version is not known; versions 1 to 3 are");
	size_t end = pack(0, 3, 1, PLAIN);
	packed[6] = 2;
	refuse(end, "its method is not known; zlib and zstd are");
	end = pack(0, 3, 1, PLAIN);
	packed[15] = 0x80;
	refuse(end, "its size lies outside of the file");
}

/* In blocks of their own, so that the address sanitizer sees what is read. */
static void damaged_ones_end_with_a_reason(void **state)
{
	(void)state;
	for (unsigned version = 1; version <= 3; version++)
		for (unsigned method = 0; method < 2; method++) {
			size_t end = pack(0, version, method, PLAIN), size, used, cuts = 0;
			for (size_t n = 4; n <= end; n++) {
				const char *why = NULL;
				uint8_t *copy = malloc(n);
				memcpy(copy, packed, n);
				struct offload_bundle b = {OFFLOAD_COMPRESSED, copy, n};
				uint8_t *out = offload_unpack(&b, LIMIT, &size, &used, &why);
				assert_true(out ? n == end : why && *why);
				cuts += !out;
				copy[n / 2] ^= 0x10;
				free(out);
				out = offload_unpack(&b, LIMIT, &size, &used, &why);
				assert_true(out ? size <= LIMIT && used <= n : why && *why);
				free(out);
				free(copy);
			}
			assert_int_equal(cuts, end - 4);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_version_and_method_unpacks, fill_plain),
		cmocka_unit_test_setup(sizes_that_do_not_fit_are_refused, fill_plain),
		cmocka_unit_test_setup(damaged_ones_end_with_a_reason, fill_plain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
