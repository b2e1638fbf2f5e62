#include "softgpu/core/fast/kernel_code.h"

#include <stdlib.h>

#include "softgpu/core/softgpu.h"

enum { INST_BYTES_MAX = 12 };

/* The way through a mapping; addresses are offsets in it. */
struct code_walk {
	const uint8_t *host;
	uint32_t bytes;
	enum isa_target target;
	uint8_t *seen;  /* by dword: an instruction begins there */
	uint32_t count; /* of these */
	uint32_t *todo; /* branch targets */
	uint32_t todo_count, todo_room;
};

static bool decode_at(const struct code_walk *k, uint32_t at, struct isa_inst *d)
{
	uint32_t left = at < k->bytes ? k->bytes - at : 0;

	return isa_decode(k->host + at, left < INST_BYTES_MAX ? left : INST_BYTES_MAX, k->target, d) != 0;
}

bool isa_is_conditional_branch(unsigned op)
{
	return op >= OP_s_cbranch_scc0 && op <= OP_s_cbranch_execnz;
}

static bool is_branch(unsigned op)
{
	return op == OP_s_branch || isa_is_conditional_branch(op);
}

/* Jumps to where registers say. */
static bool is_indirect(unsigned op)
{
	return isa_info(op)->unit == UNIT_BRANCH && op != OP_s_getpc_b64 && !is_branch(op);
}

/* Nothing executes after it in line. */
static bool ends_line(unsigned op)
{
	return op == OP_s_branch || op == OP_s_endpgm || op == OP_s_endpgm_saved || op == OP_s_endpgm_ordered_ps_done;
}

static bool add_target(struct code_walk *k, int64_t target)
{
	if (target < 0 || target >= k->bytes)
		return false;
	if (k->todo_count == k->todo_room) {
		const uint32_t room = k->todo_room ? 2 * k->todo_room : 64;
		uint32_t *more = realloc(k->todo, room * sizeof *more);

		if (!more)
			return false;
		k->todo = more;
		k->todo_room = room;
	}
	k->todo[k->todo_count++] = (uint32_t)target;
	return true;
}

/* Marks the instructions in line from `at` on. False if the code is not known. */
static bool visit_line(struct code_walk *k, uint32_t at)
{
	struct isa_inst d;

	for (; at < k->bytes && !k->seen[at / 4]; at += d.size) {
		if (!decode_at(k, at, &d) || is_indirect(d.op))
			return false;
		k->seen[at / 4] = 1;
		k->count++;
		if (is_branch(d.op) && !add_target(k, (int64_t)at + d.size + (int64_t)d.imm * 4))
			return false;
		if (ends_line(d.op))
			return true;
	}
	return at < k->bytes;
}

static bool visit_code(struct code_walk *k, uint32_t entry)
{
	if (!add_target(k, entry))
		return false;
	while (k->todo_count)
		if (!visit_line(k, k->todo[--k->todo_count]))
			return false;
	return true;
}

/* --- instructions --- */
static uint32_t find_code_inst(const struct kernel_code *k, uint64_t pc)
{
	uint32_t low = 0, high = k->count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (k->inst[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < k->count && k->inst[low].pc == pc ? low : NO_INSTRUCTION;
}

static bool read_instructions(struct kernel_code *out, const struct code_walk *k, uint64_t va)
{
	out->inst = calloc(k->count, sizeof *out->inst);
	if (!out->inst)
		return false;
	for (uint32_t at = 0; out->count < k->count; at += 4) {
		struct code_inst *i = &out->inst[out->count];
		if (!k->seen[at / 4])
			continue;
		decode_at(k, at, &i->d);
		isa_effects(&i->d, &i->effects);
		i->pc = va + at;
		out->count++;
	}
	return true;
}

static void link_instructions(struct kernel_code *k)
{
	for (uint32_t n = 0; n < k->count; n++) {
		struct code_inst *i = &k->inst[n];
		const uint64_t after = i->pc + i->d.size;
		i->next = ends_line(i->d.op) ? NO_INSTRUCTION : find_code_inst(k, after);
		i->to = is_branch(i->d.op) ? find_code_inst(k, after + (int64_t)i->d.imm * 4) : NO_INSTRUCTION;
	}
}

bool kernel_code_read(struct kernel_code *k, struct vm *vm, enum isa_target target, uint64_t entry)
{
	const struct vm_region *r = vm_find(vm, entry, 4, VM_READ | VM_EXEC);

	*k = (struct kernel_code){0};
	if (!r || r->size > UINT32_MAX)
		return false;
	struct code_walk walk = {.host = r->host, .bytes = (uint32_t)r->size, .target = target};
	walk.seen = calloc(r->size / 4 + 1, 1);
	const bool known =
		walk.seen && visit_code(&walk, (uint32_t)(entry - r->va)) && read_instructions(k, &walk, r->va);
	link_instructions(k);
	free(walk.seen);
	free(walk.todo);
	return known;
}

void kernel_code_free(struct kernel_code *k)
{
	free(k->inst);
	*k = (struct kernel_code){0};
}
