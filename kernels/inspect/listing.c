/* Disassembles a kernel and finds its hot loop. */
#include "kernels/inspect/code_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static void decode_listing_line(struct kernel_line *l, const uint8_t *code, size_t avail, enum isa_target target)
{
	if (isa_decode(code, avail, target, &l->inst)) {
		isa_print(&l->inst, l->va, l->text, sizeof l->text);
		return;
	}
	uint32_t word;
	memcpy(&word, code, sizeof word);
	l->inst = (struct isa_inst){.op = OP_INVALID, .size = 4};
	snprintf(l->text, sizeof l->text, ".long 0x%08x", word);
}

static const char *opcode_name(const struct kernel_line *l)
{
	return isa_mnemonic(&l->inst);
}

/* Target of a branch with a 16-bit word offset from the next instruction; false for everything else. */
static bool branch_target(const struct kernel_line *l, const uint8_t *code, uint64_t *target)
{
	const char *name = opcode_name(l);
	int16_t words;
	if (l->inst.op == OP_INVALID || (strncmp(name, "s_branch", 8) && strncmp(name, "s_cbranch_", 10)) ||
		l->inst.size != 4)
		return false;
	memcpy(&words, code, sizeof words);
	*target = l->va + 4 + (uint64_t)((int64_t)words * 4);
	return true;
}

/* Instructions that make a loop hot: memory accesses and multiply-adds. */
static bool is_work(const struct kernel_line *l)
{
	unsigned unit = isa_info(l->inst.op)->unit;
	const char *name = opcode_name(l);
	if (l->inst.op == OP_INVALID)
		return false;
	return unit == UNIT_SMEM || unit == UNIT_VMEM || unit == UNIT_FLAT || unit == UNIT_LDS ||
		strstr(name, "_fma") || strstr(name, "_mad_") || strstr(name, "_mac_") || strstr(name, "_dot");
}

static size_t find_line_at(const struct kernel_line *lines, size_t count, uint64_t va)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (lines[middle].va < va)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && lines[low].va == va ? low : count;
}

struct loop {
	size_t start, end;
	size_t work;
}; /* lines [start, end) */

static bool falls_through(const struct kernel_line *l)
{
	return l->inst.op != OP_INVALID && l->inst.op != OP_s_branch && l->inst.op != OP_s_endpgm;
}

static bool mark_line(bool *reached, size_t i)
{
	bool changed = !reached[i];
	reached[i] = true;
	return changed;
}

/* Whether the branch that ends the lines is reached from the first of them. Otherwise the branch leads back to code
 * that runs once: compilers put the path of zero iterations after the end of the program. */
static bool loop_repeats(const struct kernel_line *lines, size_t count, const uint8_t *code)
{
	bool *reached = xcalloc(count, sizeof *reached), changed = true;
	reached[0] = true;
	while (changed && !reached[count - 1]) {
		changed = false;
		for (size_t i = 0; i + 1 < count; i++) {
			uint64_t target;
			if (!reached[i])
				continue;
			if (falls_through(&lines[i]))
				changed |= mark_line(reached, i + 1);
			if (branch_target(&lines[i], code + (lines[i].va - lines[0].va), &target)) {
				size_t to = find_line_at(lines, count, target);
				changed |= to < count && mark_line(reached, to);
			}
		}
	}
	bool repeats = reached[count - 1];
	free(reached);
	return repeats;
}

/* Of the innermost loops, the one with the most work, then the longest. A loop is innermost if it contains no other
 * backward branch, except one to its own start with no work before it (a `continue`). */
static void find_hot_loop(const struct kernel_line *lines, size_t count, const uint8_t *code, struct loop *best)
{
	struct loop last = {0, 0, 0}; /* the previous loop: one that starts before its end contains or overlaps it */
	*best = (struct loop){0, 0, 0};
	for (size_t i = 0; i < count; i++) {
		uint64_t target;
		if (!branch_target(&lines[i], code + (lines[i].va - lines[0].va), &target) || target > lines[i].va)
			continue;
		struct loop l = {find_line_at(lines, count, target), i + 1, 0};
		if (l.start == count || (l.start < last.end && (l.start != last.start || last.work)) ||
			!loop_repeats(lines + l.start, l.end - l.start, code + (lines[l.start].va - lines[0].va)))
			continue;
		for (size_t j = l.start; j < l.end; j++)
			l.work += is_work(&lines[j]);
		last = l;
		if (best->end == 0 || l.work > best->work ||
			(l.work == best->work && l.end - l.start > best->end - best->start))
			*best = l;
	}
}

struct kernel_line *code_object_disassemble(const struct code_object *o, const struct kernel_info *k, size_t *count,
	size_t *loop_start, size_t *loop_end, struct err *e)
{
	enum isa_target target = isa_target_by_name(k->arch);
	size_t size, n = 0;
	const uint8_t *code = (const uint8_t *)code_object_bytes(o, &size) + k->code_offset;
	if (!target) {
		char known[160] = "";
		for (size_t i = 0, used = 0; isa_target_name(i) && used < sizeof known; i++)
			used += (size_t)snprintf(
				known + used, sizeof known - used, "%s%s", i ? ", " : "", isa_target_name(i));
		err_set(e, ST_REQUEST, "cannot disassemble %s: only %s are supported", k->arch, known);
		return NULL;
	}
	struct kernel_line *lines = xcalloc(k->code_bytes / 4 + 1, sizeof *lines);
	for (size_t at = 0; at + 4 <= k->code_bytes; at += lines[n++].inst.size) {
		lines[n].va = k->code_va + at;
		decode_listing_line(&lines[n], code + at, k->code_bytes - at, target);
	}
	struct loop hot;
	find_hot_loop(lines, n, code, &hot);
	for (size_t i = hot.start; i < hot.end; i++)
		lines[i].in_hot_loop = true;
	*count = n;
	*loop_start = hot.start;
	*loop_end = hot.end;
	return lines;
}

/* The last instruction need not be s_endpgm: a loop may follow it. */
size_t listing_trimmed_count(const struct kernel_line *lines, size_t count)
{
	size_t n = count;
	while (n && (lines[n - 1].inst.op == OP_s_nop || lines[n - 1].inst.op == OP_INVALID))
		n--;
	return n ? n : count;
}
