/* Registers read and written, for instructions as the assembler encodes them (gfx900, llvm-mc 15). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "softgpu/isa/register_effects.h"

struct example {
	uint32_t words[2];
	const char *text, *reads, *writes;
};

static const struct example examples[] = {
	{{0xd2850002, 0x00000d01}, "v_mul_lo_u32 v2, v1, s6", "v1 s6 exec", "v2"},
	{{0x680404c1}, "v_add_u32_e32 v2, -1, v2", "v2 exec", "v2"},
	{{0xd28f0002, 0x00020482}, "v_lshlrev_b64 v[2:3], 2, v[2:3]", "v[2:3] exec", "v[2:3]"},
	{{0x32040408}, "v_add_co_u32_e32 v2, vcc, s8, v2", "s8 v2 exec", "vcc v2"},
	{{0x38060704}, "v_addc_co_u32_e32 v3, vcc, v4, v3, vcc", "v4 v3 vcc exec", "vcc v3"},
	{{0xdc508000, 0x017f0002}, "global_load_dword v1, v[2:3], off", "v[2:3] exec", "v1"},
	{{0xdc708000, 0x00020302}, "global_store_dword v2, v3, s[2:3]", "v2 v3 s[2:3] exec", ""},
	{{0x81068106}, "s_add_i32 s6, s6, 1", "s6", "s6 scc"},
	{{0xbf070b06}, "s_cmp_lg_u32 s6, s11", "s6 s11", "scc"},
	{{0xbf85fff0}, "s_cbranch_scc1 65520", "scc", ""},
	{{0x82030403}, "s_addc_u32 s3, s3, s4", "s3 s4 scc", "s3 scc"},
	{{0xd1c10005, 0x04120b03}, "v_mad_f32 v5, v3, v5, v4", "v3 v5 v4 exec", "v5"},
	{{0x2c020702}, "v_mac_f32_e32 v1, v2, v3", "v2 v3 v1 exec", "v1"},
	{{0xbe82206a}, "s_and_saveexec_b64 s[2:3], vcc", "vcc exec", "s[2:3] scc exec"},
	{{0x7d980400}, "v_cmp_gt_u32_e32 vcc, s0, v2", "s0 v2 exec", "vcc"},
	{{0xc0060003, 0x00000000}, "s_load_dwordx2 s[0:1], s[6:7], 0x0", "s[6:7]", "s[0:1]"},
	{{0xd86c0000, 0x01000002}, "ds_read_b32 v1, v2", "v2 exec", "v1"},
	{{0xd81a0000, 0x00000102}, "ds_write_b32 v2, v1", "v2 v1 exec", ""},
	{{0xbf8c0f70}, "s_waitcnt vmcnt(0)", "", ""},
	{{0x7e020502}, "v_readfirstlane_b32 s1, v2", "v2 exec", "s1"},
	{{0x00020702}, "v_cndmask_b32_e32 v1, v2, v3, vcc", "v2 v3 vcc exec", "v1"},
	{{0xd1e20004, 0x040a0501}, "v_div_fmas_f32 v4, v1, v2, v2", "v1 v2 vcc exec", "v4"},
	{{0xb7028000}, "s_addk_i32 s2, 0x8000", "s2", "s2 scc"},
};

static char *spans_text(const struct isa_span *list, unsigned count, char *out, size_t size)
{
	char name[32];
	size_t n = 0;
	*out = 0;
	for (unsigned i = 0; i < count; i++)
		n += (size_t)snprintf(
			out + n, size - n, "%s%s", i ? " " : "", isa_span_text(list[i], name, sizeof name));
	return out;
}

static void instructions_read_and_write_what_they_say(void **state)
{
	(void)state;
	char text[128], reads[128], writes[128];
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		const struct example *x = &examples[i];
		struct isa_inst in;
		struct isa_effects e;
		assert_true(isa_decode(x->words, sizeof x->words, ISA_GFX900, &in));
		isa_print(&in, 0, text, sizeof text);
		assert_string_equal(text, x->text);
		isa_effects(&in, &e);
		spans_text(e.reads, e.read_count, reads, sizeof reads);
		spans_text(e.writes, e.write_count, writes, sizeof writes);
		if (strcmp(reads, x->reads) || strcmp(writes, x->writes))
			fail_msg("%s: reads '%s' (not '%s'), writes '%s' (not '%s')", text, reads, x->reads, writes,
				x->writes);
	}
}

/* Whatever the row: inside the register file, and a compare writes a mask, a scalar compare scc. */
static void every_row_stays_inside(void **state)
{
	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct isa_info *row = isa_info(op);
		struct isa_inst in = {.op = (uint16_t)op,
			.enc = row->enc,
			.size = 4,
			.dst = row->dst == T_MASK ? ISA_VCC : ISA_VGPR0,
			.dst2 = ISA_NONE,
			.src = {ISA_VGPR0, ISA_VGPR0, ISA_VGPR0},
			.data = ISA_NONE};
		struct isa_effects e;
		isa_effects(&in, &e);
		bool scc = false;
		for (unsigned i = 0; i < e.write_count; i++) {
			assert_true(
				(unsigned)e.writes[i].first + e.writes[i].count <= ISA_REGISTERS && e.writes[i].count);
			scc |= e.writes[i].first == ISA_SCC;
		}
		if (!strncmp(row->name, "s_cmp", 5) && !scc)
			fail_msg("%s does not write scc", row->name);
		if (row->unit == UNIT_VALU && !strncmp(row->name, "v_", 2) && scc)
			fail_msg("%s writes scc", row->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_read_and_write_what_they_say),
		cmocka_unit_test(every_row_stays_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
