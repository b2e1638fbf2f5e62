/* What is known about an instruction from its name. Names: CUDA Binary Utilities, instruction set reference. */
#include <stdlib.h>
#include <string.h>

#include "kernels/inspect/sass/sass_text.h"

const char *sass_opcode(const char *text, size_t *length)
{
	if (*text == '@')
		text += strcspn(text, " ");
	text += strspn(text, " ");
	*length = strcspn(text, " .");
	return text;
}

static bool is_one_of(const char *opcode, size_t length, const char *const *names)
{
	for (; *names; names++)
		if (strlen(*names) == length && !strncmp(*names, opcode, length))
			return true;
	return false;
}

bool sass_branch_target(const char *text, uint64_t *offset)
{
	static const char *const branches[] = {"BRA", "JMP", "BRX", "JMX", NULL};
	size_t n;
	const char *opcode = sass_opcode(text, &n), *to = strstr(opcode, " 0x");
	for (const char *next = to; next; next = strstr(next + 1, " 0x")) /* operands before it: a predicate */
		to = next;
	if (!to || !is_one_of(opcode, n, branches))
		return false;
	*offset = strtoull(to + 1, NULL, 16);
	return true;
}

/* Uniform instructions begin with U, and have registers of the warp. */
unsigned sass_unit(const char *text)
{
	static const char *const global[] = {"LDG", "LD", "LDL", "STG", "ST", "STL", "ATOM", "ATOMG", "RED", "REDG",
		"LDGSTS", "TEX", "TLD", "SULD", "SUST", NULL};
	static const char *const shared[] = {"LDS", "STS", "ATOMS", "LDSM", "STSM", NULL};
	static const char *const constant[] = {"LDC", "ULDC", "LDCU", NULL};
	static const char *const control[] = {"BRA", "JMP", "BRX", "JMX", "CALL", "RET", "EXIT", NULL};
	static const char *const others[] = {"NOP", "BAR", "BSSY", "BSYNC", "WARPSYNC", "DEPBAR", "MEMBAR", "ERRBAR",
		"YIELD", "CCTL", "BREAK", "NANOSLEEP", NULL};
	size_t n;
	const char *opcode = sass_opcode(text, &n);
	if (is_one_of(opcode, n, global))
		return UNIT_VMEM;
	if (is_one_of(opcode, n, shared))
		return UNIT_LDS;
	if (is_one_of(opcode, n, constant))
		return UNIT_SMEM;
	if (is_one_of(opcode, n, control))
		return UNIT_BRANCH;
	if (is_one_of(opcode, n, others))
		return 0;
	return *opcode == 'U' ? UNIT_SALU : UNIT_VALU;
}

/* `opcode` as sass_opcode returns it, with its modifiers up to a space. */
static bool has_modifier(const char *opcode, const char *name, size_t length)
{
	const char *end = opcode + strcspn(opcode, " "), *at = memchr(opcode, '.', (size_t)(end - opcode));
	for (; at; at = memchr(at + 1, '.', (size_t)(end - at - 1)))
		if (strcspn(at + 1, ". ") == length && !strncmp(at + 1, name, length))
			return true;
	return false;
}

bool sass_match_instruction(const char *text, const char *wanted)
{
	size_t n, length;
	const char *opcode = sass_opcode(text, &n), *want = sass_opcode(wanted, &length);
	if (n != length || strncmp(opcode, want, n))
		return false;
	for (want += length; *want == '.'; want += length) {
		length = 1 + strcspn(want + 1, ". ");
		if (!has_modifier(opcode, want + 1, length - 1))
			return false;
	}
	return true;
}

/* A product of zeros is a move, unless a carry is added. */
static bool is_move(const char *opcode)
{
	return has_modifier(opcode, "MOV", 3) || (strstr(opcode, ", RZ, RZ, ") && !has_modifier(opcode, "X", 1));
}

bool sass_adds_integers(const char *text)
{
	static const char *const names[] = {
		"IADD3", "IADD", "VIADD", "IMAD", "LEA", "SHF", "UIADD3", "UIADD", "UIMAD", "ULEA", "USHF", NULL};
	size_t n;
	const char *opcode = sass_opcode(text, &n);
	return is_one_of(opcode, n, names) && !is_move(opcode);
}

bool sass_adds_wide(const char *text)
{
	size_t n;
	const char *opcode = sass_opcode(text, &n);
	return sass_adds_integers(text) &&
		(has_modifier(opcode, "WIDE", 4) || has_modifier(opcode, "64", 2) || has_modifier(opcode, "X", 1));
}

/* Memory accesses and multiply-adds. IMAD.MOV and IMAD.SHL are moves and shifts. */
static bool is_work(const char *text)
{
	static const char *const products[] = {"FFMA", "DFMA", "HFMA2", "HMMA", "DMMA", "IMMA", "IMAD", NULL};
	unsigned unit = sass_unit(text);
	size_t n;
	const char *opcode = sass_opcode(text, &n);
	return unit == UNIT_VMEM || unit == UNIT_LDS ||
		(is_one_of(opcode, n, products) && strncmp(opcode, "IMAD.MOV", 8) && strncmp(opcode, "IMAD.SHL", 8));
}

static bool branch_target(const struct kernel_line *l, uint64_t *va)
{
	return sass_branch_target(l->text, va);
}

const struct listed_isa listed_sass = {"SASS", sass_unit, branch_target, is_work};
