/* AMD's words and NVIDIA's: which are replaced, and which texts stay. The pairs are those of the glossary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vendor/vendor_words.h"

static void check(const char *arch, const char *from, const char *to)
{
	char text[200];
	snprintf(text, sizeof text, "%s", from);
	assert_string_equal(vendor_words_apply(arch, text, sizeof text), to);
}

static void texts_for_nvidia_have_its_words(void **state)
{
	(void)state;
	check("sm_90", "LDS bank conflicts, by stride", "Shared memory bank conflicts, by stride");
	check("sm", "cycles of an LDS read", "cycles of a shared memory read");
	check("sm_75", "Waves on each SIMD, in one block per CU",
		"Warps on each SM sub-partition, in one block per SM");
	check("sm_90", "a CU has a VGPR for each work-item", "an SM has a register for each thread");
	check("sm_90", "2 CUs, 8 VGPRs, scratch 4 B", "2 SMs, 8 registers, local memory 4 B");
	check("sm_90", "waves (LDS)", "warps (shared memory)");
}

static void parts_of_words_stay(void **state)
{
	(void)state;
	check("sm_90", "wavelength, microwave, LDS_SIZE, CUDA, wave-front",
		"wavelength, microwave, LDS_SIZE, CUDA, wave-front");
	check("sm_90", "", "");
}

static void texts_about_amds_hardware_stay(void **state)
{
	(void)state;
	check("sm_90", "64 per CU, or 128 per WGP on RDNA", "64 per CU, or 128 per WGP on RDNA");
	check("sm_90", "waves on gfx90a", "waves on gfx90a");
	check("sm_90", "SGPRs of a wave", "SGPRs of a wave");
}

static void texts_for_other_targets_stay(void **state)
{
	(void)state;
	static const char *const targets[] = {"gfx900", "gfx1100", "", "smart", NULL};
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		check(targets[i], "waves of a CU", "waves of a CU");
}

static void units_are_those_of_the_vendor(void **state)
{
	(void)state;
	assert_string_equal(vendor_unit("sm_90", "CUs"), "SMs");
	assert_string_equal(vendor_unit("sm", "waves"), "warps");
	assert_string_equal(vendor_unit("sm_90", "SIMDs"), "SM sub-partitions");
	assert_string_equal(vendor_unit("sm_90", "threads"), "threads");
	assert_string_equal(vendor_unit("sm_90", ""), "");
	assert_string_equal(vendor_unit("gfx900", "CUs"), "CUs");
	assert_string_equal(vendor_unit("", "CUs"), "CUs");
}

static void a_text_keeps_to_its_room(void **state)
{
	(void)state;
	char text[8] = "LDS LDS";
	assert_string_equal(vendor_words_apply("sm_90", text, sizeof text), "Shared ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_for_nvidia_have_its_words),
		cmocka_unit_test(parts_of_words_stay),
		cmocka_unit_test(texts_about_amds_hardware_stay),
		cmocka_unit_test(texts_for_other_targets_stay),
		cmocka_unit_test(units_are_those_of_the_vendor),
		cmocka_unit_test(a_text_keeps_to_its_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
