/* Finds the longest loop-carried dependence chain. */
#include "kernels/inspect/dependence_chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "softgpu/isa/register_effects.h"

/* The dependences of a loop. Instruction i depends on the instructions before[first[i]] .. before[first[i + 1] - 1] of
 * the same iteration; `carried` are the dependences on the previous iteration. */
struct carried {
	unsigned from, to;
};
struct dependences {
	const struct kernel_line *lines;
	const struct issue_costs *costs;
	unsigned count;
	unsigned *first, *before, before_count, before_space;
	struct carried *carried;
	unsigned carried_count, carried_space;
};

enum { NO_WRITER = -1 };

static void note_writes(const struct isa_effects *e, int *writer, int i)
{
	for (unsigned w = 0; w < e->write_count; w++)
		for (unsigned r = e->writes[w].first;
			r < (unsigned)e->writes[w].first + e->writes[w].count && r < ISA_REGISTERS; r++)
			writer[r] = i;
}

static void add_before(struct dependences *n, unsigned i, unsigned writer)
{
	for (unsigned k = n->first[i]; k < n->before_count; k++)
		if (n->before[k] == writer)
			return;
	if (n->before_count == n->before_space)
		n->before = xrealloc(n->before, (n->before_space = 2 * n->before_space + 64) * sizeof *n->before);
	n->before[n->before_count++] = writer;
}

static void add_carried(struct dependences *n, unsigned from, unsigned to)
{
	for (unsigned k = n->carried_count; k && n->carried[k - 1].to == to; k--)
		if (n->carried[k - 1].from == from)
			return;
	if (n->carried_count == n->carried_space)
		n->carried = xrealloc(n->carried, (n->carried_space = 2 * n->carried_space + 64) * sizeof *n->carried);
	n->carried[n->carried_count++] = (struct carried){from, to};
}

/* `last`: the last writer of each register in an iteration; `writer`: the last one so far in this iteration. */
static void note_reads(
	struct dependences *n, const struct isa_effects *e, const int *writer, const int *last, unsigned i)
{
	for (unsigned k = 0; k < e->read_count; k++)
		for (unsigned r = e->reads[k].first;
			r < (unsigned)e->reads[k].first + e->reads[k].count && r < ISA_REGISTERS; r++) {
			if (writer[r] != NO_WRITER)
				add_before(n, i, (unsigned)writer[r]);
			else if (last[r] != NO_WRITER)
				add_carried(n, (unsigned)last[r], i);
		}
}

static void collect_dependences(struct dependences *n)
{
	static const size_t bytes = ISA_REGISTERS * sizeof(int);
	int *last = xmalloc(bytes), *writer = xmalloc(bytes);
	struct isa_effects e;
	memset(last, 0xff, bytes);
	memset(writer, 0xff, bytes);
	for (unsigned i = 0; i < n->count; i++) {
		isa_effects(&n->lines[i].inst, &e);
		note_writes(&e, last, (int)i);
	}
	n->first = xcalloc(n->count + 1, sizeof *n->first);
	for (unsigned i = 0; i < n->count; i++) {
		n->first[i] = n->before_count;
		isa_effects(&n->lines[i].inst, &e);
		note_reads(n, &e, writer, last, i);
		note_writes(&e, writer, (int)i);
	}
	n->first[n->count] = n->before_count;
	free(last);
	free(writer);
}

/* Without known costs, the longest chain is the one with the most instructions. */
static unsigned result_cost(const struct dependences *n, unsigned i)
{
	return n->costs->known ? instruction_result_cycles(n->costs, &n->lines[i].inst) : 1;
}

/* The longest time in cycles from the issue of `to` to each later result of the iteration, 0 if it does not depend on
 * `to`. by[i]: the dependence on the longest path. */
static void longest_paths(const struct dependences *n, unsigned to, unsigned *cycles, unsigned *by)
{
	memset(cycles, 0, n->count * sizeof *cycles);
	cycles[to] = result_cost(n, to);
	for (unsigned i = to + 1; i < n->count; i++)
		for (unsigned k = n->first[i]; k < n->first[i + 1]; k++) {
			unsigned p = n->before[k], through = cycles[p] ? cycles[p] + result_cost(n, i) : 0;
			if (through > cycles[i]) {
				cycles[i] = through;
				by[i] = p;
			}
		}
}

static void mark_chain(
	const struct dependences *n, struct carried back, const unsigned *by, struct dependence_chain *out, bool *on)
{
	memset(on, 0, n->count * sizeof *on);
	memset(out->units, 0, sizeof out->units);
	out->length = 0;
	for (unsigned i = back.from;; i = by[i]) {
		on[i] = true;
		out->length++;
		out->units[isa_info(n->lines[i].inst.op)->unit]++;
		if (i == back.to)
			return;
	}
}

/* Of two equally long chains, the vector one is chosen: the scalar one is usually the loop counter. */
static bool scalar_at(const struct dependences *n, unsigned i)
{
	return isa_info(n->lines[i].inst.op)->unit == UNIT_SALU;
}
static bool is_scalar(const struct dependence_chain *c)
{
	return c->units[UNIT_SALU] == c->length;
}

static void find_longest_chain(const struct dependences *n, struct dependence_chain *out, bool *on)
{
	unsigned *cycles = xcalloc(n->count, sizeof *cycles), *by = xcalloc(n->count, sizeof *by);
	for (unsigned k = 0; k < n->carried_count; k++) {
		struct carried back = n->carried[k];
		if (!k || n->carried[k - 1].to != back.to)
			longest_paths(n, back.to, cycles, by);
		unsigned all = cycles[back.from];
		bool longer = all > out->cycles, equal = all && all == out->cycles;
		out->alike = longer ? 0 : out->alike + equal;
		if (longer || (equal && is_scalar(out) && !scalar_at(n, back.from))) {
			out->cycles = all;
			mark_chain(n, back, by, out, on);
		}
	}
	free(cycles);
	free(by);
}

struct dependence_chain dependence_chain_find(
	const struct kernel_line *lines, size_t start, size_t end, const struct issue_costs *costs, bool *on)
{
	struct dependences n = {.lines = lines + start, .costs = costs, .count = (unsigned)(end - start)};
	struct dependence_chain out = {0};
	if (end <= start)
		return out;
	collect_dependences(&n);
	find_longest_chain(&n, &out, on + start);
	free(n.first);
	free(n.before);
	free(n.carried);
	return out;
}
