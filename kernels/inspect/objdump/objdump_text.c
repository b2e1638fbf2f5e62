#include "kernels/inspect/objdump/objdump_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { WORD = 4, WORDS_MAX = 5 /* of an instruction */ };

static bool begins_with(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* --- lines --- */
/* The words of an encoding, "BFA10001 FA000004"; returns how many. */
static unsigned read_words(const char *s, uint32_t words[WORDS_MAX])
{
	unsigned n = 0;
	for (char *end; n < WORDS_MAX; s = end) {
		words[n] = (uint32_t)strtoul(s, &end, 16);
		if (end - s != 2 * WORD + 1) /* with the space before it */
			break;
		n++;
	}
	return n;
}

/* "s_nop 0   // 000000001F00: BF800000", and for a branch "<kernel+0x40>" after it. */
static void read_instruction(struct objdump_code *c, const struct kernel_info *k, const char *s, size_t n)
{
	const char *comment = strstr(s, "// ");
	char *after;
	uint32_t words[WORDS_MAX];
	if (!comment || comment >= s + n)
		return;
	uint64_t va = strtoull(comment + 3, &after, 16);
	if (*after != ':' || va < k->code_va || va - k->code_va >= k->code_bytes)
		return;
	unsigned count = read_words(after + 1, words);
	uint64_t at = va - k->code_va;
	if (!count || at + (size_t)count * WORD > k->code_bytes || (c->count && va <= c->lines[c->count - 1].va))
		return;
	for (n = (size_t)(comment - s); n && (s[n - 1] == ' ' || s[n - 1] == '\t');)
		n--;
	struct kernel_line *l = &c->lines[c->count++];
	*l = (struct kernel_line){.va = va, .inst = {.op = OP_INVALID, .size = (uint8_t)(count * WORD)}};
	snprintf(l->text, sizeof l->text, "%.*s", (int)n, s);
	memcpy(c->code + at, words, (size_t)count * WORD);
}

/* What fills the instruction fetches after the end. */
static bool is_padding(const char *text)
{
	return begins_with(text, "s_code_end") || begins_with(text, "s_nop") || begins_with(text, ".long") ||
		begins_with(text, "<unknown>");
}

bool objdump_read_listing(const char *text, const struct kernel_info *k, struct objdump_code *out)
{
	*out = (struct objdump_code){
		.lines = xcalloc(k->code_bytes / WORD + 1, sizeof *out->lines), .code = xcalloc(k->code_bytes + 1, 1)};
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		s += strspn(s, " \t");
		read_instruction(out, k, s, strcspn(s, "\n"));
	}
	while (out->count && is_padding(out->lines[out->count - 1].text))
		out->count--;
	if (!out->count) {
		free(out->lines);
		free(out->code);
		return false;
	}
	listed_find_hot_loop(out->lines, out->count, &listed_amdgcn, &out->loop_start, &out->loop_end);
	return true;
}

/* --- instructions --- */
static unsigned unit_of(const char *text)
{
	static const struct {
		const char *begin;
		unsigned unit;
	} units[] = {
		{"v_", UNIT_VALU},
		{"global_", UNIT_FLAT},
		{"flat_", UNIT_FLAT},
		{"scratch_", UNIT_FLAT},
		{"buffer_", UNIT_VMEM},
		{"tbuffer_", UNIT_VMEM},
		{"image_", UNIT_VMEM},
		{"ds_", UNIT_LDS},
		{"s_load_", UNIT_SMEM},
		{"s_buffer_", UNIT_SMEM},
		{"s_store_", UNIT_SMEM},
		{"s_scratch_", UNIT_SMEM},
		{"s_atomic_", UNIT_SMEM},
		{"s_atc_", UNIT_SMEM},
		{"s_dcache_", UNIT_SMEM},
		{"s_memtime", UNIT_SMEM},
		{"s_memrealtime", UNIT_SMEM},
		{"s_branch", UNIT_BRANCH},
		{"s_cbranch_", UNIT_BRANCH},
		{"s_setpc", UNIT_BRANCH},
		{"s_swappc", UNIT_BRANCH},
		{"s_call", UNIT_BRANCH},
		{"s_subvector_loop", UNIT_BRANCH},
		{"s_wait", 0},
		{"s_nop", 0},
		{"s_endpgm", 0},
		{"s_barrier", 0},
		{"s_clause", 0},
		{"s_delay_alu", 0},
		{"s_inst_prefetch", 0},
		{"s_set_inst_prefetch", 0},
		{"s_sleep", 0},
		{"s_setprio", 0},
		{"s_sethalt", 0},
		{"s_sendmsg", 0},
		{"s_icache_inv", 0},
		{"s_gl1_inv", 0},
		{"s_code_end", 0},
		{"s_trap", 0},
		{"s_ttrace", 0},
		{"s_", UNIT_SALU},
	};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (begins_with(text, units[i].begin))
			return units[i].unit;
	return 0;
}

/* "s_cbranch_scc0 65530": words from the next instruction on, 16 bits with a sign. */
static bool branch_target(const struct kernel_line *l, uint64_t *va)
{
	if (!begins_with(l->text, "s_branch ") && !begins_with(l->text, "s_cbranch_"))
		return false;
	const char *operand = l->text + strcspn(l->text, " ");
	char *end;
	unsigned long words = strtoul(operand, &end, 0);
	if (end == operand || *end || words > UINT16_MAX)
		return false;
	*va = l->va + l->inst.size + (uint64_t)((int64_t)(int16_t)words * WORD);
	return true;
}

static bool is_work(const char *text)
{
	static const char *const products[] = {"_fma", "_mad_", "_mac_", "_dot", "_mfma", "_wmma", NULL};
	const unsigned unit = unit_of(text);
	if (unit == UNIT_SMEM || unit == UNIT_VMEM || unit == UNIT_FLAT || unit == UNIT_LDS)
		return true;
	for (const char *const *p = products; *p; p++)
		if (strstr(text, *p))
			return true;
	return false;
}

const struct listed_isa listed_amdgcn = {"its code", unit_of, branch_target, is_work};
