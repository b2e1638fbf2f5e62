/* Bundles of device code: entries, targets, several in a section, compressed and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/elf/offload_bundle.h"

static uint8_t section[3 * 4096];

static size_t append(size_t at, const void *data, size_t size)
{
	memcpy(section + at, data, size);
	return at + size;
}

/* The code of each entry has 16 bytes. Returns the end. */
static size_t write_bundle(size_t start, const char *const *ids)
{
	uint64_t count = 0, entry[3] = {64, 16, 0};
	size_t at = append(start, "__CLANG_OFFLOAD_BUNDLE__", 24) + 8;

	for (; ids[count]; count++) {
		entry[0] = 1024 + 16 * count;
		entry[2] = strlen(ids[count]);
		at = append(append(at, entry, sizeof entry), ids[count], entry[2]);
	}
	append(start + 24, &count, 8);
	return start + 1024 + 16 * count;
}

static void entries_have_targets(void **state)
{
	static const char *const ids[] = {"host-x86_64-unknown-linux--",
		"hipv4-amdgcn-amd-amdhsa--gfx908:sramecc+:xnack-", "hip-amdgcn-amd-amdhsa-gfx803",
		"hip-spirv64-amd-amdhsa--amdgcnspirv", NULL};
	static const char *const targets[] = {"", "gfx908:sramecc+:xnack-", "gfx803", "amdgcnspirv"};
	struct offload_cursor at = {0};
	struct offload_entry e;

	(void)state;
	size_t end = write_bundle(0, ids);
	assert_int_equal(offload_format_of(section, end), OFFLOAD_BUNDLE);
	for (unsigned i = 0; i < 4; i++) {
		assert_true(offload_next_entry(section, end, &at, &e));
		assert_string_equal(e.id, ids[i]);
		assert_string_equal(offload_target_of(&e), targets[i]);
		assert_ptr_equal(e.code, section + 1024 + 16 * i);
		assert_int_equal(e.size, 16);
	}
	assert_false(offload_next_entry(section, end, &at, &e));
	assert_false(at.damaged);
}

static void a_section_has_several(void **state)
{
	static const char *const ids[] = {"hip-amdgcn-amd-amdhsa--gfx900", NULL};
	struct offload_bundle b;
	size_t at = 0, size;

	(void)state;
	memset(section, 0, sizeof section);
	write_bundle(0, ids);
	write_bundle(4096, ids);
	size = append(8192, "CCOB", 4) + 100;
	for (unsigned i = 0; i < 3; i++) {
		assert_true(offload_next_bundle(section, size, &at, &b));
		assert_ptr_equal(b.data, section + 4096 * i);
		assert_int_equal(b.format, i < 2 ? OFFLOAD_BUNDLE : OFFLOAD_COMPRESSED);
	}
	assert_false(offload_next_bundle(section, size, &at, &b));
	memset(section, 0, sizeof section);
	at = 0;
	assert_false(offload_next_bundle(section, sizeof section, &at, &b));
}

/* Every length, in a block of its own, so that the address sanitizer sees what is read. */
static void a_bundle_that_is_cut_has_fewer_entries(void **state)
{
	static const char *const ids[] = {"host-x86_64-unknown-linux--", "hip-amdgcn-amd-amdhsa--gfx900", NULL};
	size_t end = write_bundle(0, ids);

	(void)state;
	for (size_t size = 0; size < end; size++) {
		uint8_t *copy = malloc(size ? size : 1);
		struct offload_cursor entries = {0};
		struct offload_entry e;
		struct offload_bundle b;
		size_t at = 0;

		memcpy(copy, section, size);
		while (offload_next_entry(copy, size, &entries, &e))
			assert_true(entries.index < 2);
		assert_true(entries.damaged);
		while (offload_next_bundle(copy, size, &at, &b))
			assert_true(b.size <= size);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_have_targets),
		cmocka_unit_test(a_section_has_several),
		cmocka_unit_test(a_bundle_that_is_cut_has_fewer_entries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
