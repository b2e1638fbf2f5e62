#include "softgpu/core/jit/jit_compile.h"

#include <string.h>

#include "softgpu/core/jit/jit_match.h"

/* A VGPR is eight host registers, all lanes in flight. Two are held: one where the results go, and one that was written
 * before or is read often, unless its registers are needed for what lies between. What is held and was written goes to
 * memory when another takes its place. */
enum {
	PARTS = 8,
	HELD = 2,
	PART_BYTES = VGPR_BYTES / PARTS,
	HORIZON = 32 /* ops from here on that decide what is held */,
	SOON = 6,
	BEHIND = 1 << 20,
	NEVER_READ = BEHIND + 1
};

/* --- a compilation --- */
struct held {
	int vgpr;
	bool written;
};

struct compile {
	struct x86_emitter *e;
	struct jit_pool *pool;
	struct jit_op op[JIT_OPS_MAX * JIT_BLOCK_MAX];
	unsigned count, now; /* ops, and the one at hand */
	struct jit_sgprs sgprs;
	struct jit_sgprs masks;  /* those written so far */
	uint8_t base[MAX_VGPRS]; /* the general register that points amid a VGPR; RDI, which points to the first, where
	                            there is none */
	struct held held[HELD];
	bool no_pool;
	/* of the op at hand, and of the part of its lanes */
	unsigned to, part;      /* held[to] becomes its destination */
	bool may_take;          /* the other's registers are free */
	bool to_taken, too_few; /* the destination's register holds something between; there were not enough */
	int to_read;            /* the last step that reads what the destination's register holds; -1 none */
	unsigned taken;
	struct x86_operand value[JIT_SOURCE_COUNT];
};

/* The first op from n on that reads the VGPR; BEHIND when it is not a near one, NEVER_READ when it is written before.
 */
static int next_read(const struct compile *c, unsigned n, int vgpr)
{
	for (unsigned k = n; k < c->count && k < n + HORIZON; k++) {
		if (jit_op_reads(&c->op[k], vgpr))
			return k;
		if (c->op[k].dst == vgpr)
			return NEVER_READ;
	}
	return BEHIND;
}

/* --- operands --- */
static struct x86_operand ymm(unsigned number)
{
	return (struct x86_operand){.kind = X86_OPERAND_YMM, .number = number};
}

static bool same(struct x86_operand h, unsigned reg)
{
	return x86_operand_is_ymm(h) && h.number == reg;
}

static unsigned held_ymm(unsigned slot, unsigned part)
{
	return slot * PARTS + part;
}

static struct x86_operand in_memory(const struct compile *c, int vgpr, unsigned part)
{
	if (c->base[vgpr] != RDI)
		return (struct x86_operand){.kind = X86_OPERAND_MEMORY,
			.number = c->base[vgpr],
			.offset = (int)part * PART_BYTES - VGPR_BYTES / 2};
	return (struct x86_operand){
		.kind = X86_OPERAND_MEMORY, .number = RDI, .offset = vgpr * VGPR_BYTES + (int)part * PART_BYTES};
}

static struct x86_operand vgpr_host(const struct compile *c, int vgpr)
{
	for (unsigned k = 0; k < HELD; k++)
		if (c->held[k].vgpr == vgpr)
			return ymm(held_ymm(k, c->part));
	return in_memory(c, vgpr, c->part);
}

static struct x86_operand pooled(struct compile *c, const uint32_t *v)
{
	struct jit_pool *p = c->pool;
	uint32_t k = 0;

	while (k < p->count && memcmp(p->entry[k], v, sizeof *p->entry))
		k++;
	if (k == JIT_POOL_ENTRIES) {
		c->no_pool = true;
		k = 0;
	} else if (k == p->count) {
		memcpy(p->entry[p->count++], v, sizeof *p->entry);
	}
	return (struct x86_operand){.kind = X86_OPERAND_ADDRESS, .address = (const uint8_t *)p->entry[k]};
}

static struct x86_operand constant(struct compile *c, uint32_t v)
{
	return pooled(c, (const uint32_t[8]){v, v, v, v, v, v, v, v});
}

/* The lanes of a mask that the streak has written, by its place. */
static struct x86_operand in_mask(const struct compile *c, unsigned place)
{
	return (struct x86_operand){.kind = X86_OPERAND_MEMORY,
		.number = RSP,
		.offset = (int)((c->sgprs.count + place * PARTS + c->part) * PART_BYTES)};
}

/* A register that step n, or -1 what comes before all, may write: the destination's own once nobody reads any more what
 * it holds. */
static unsigned take(struct compile *c, int n)
{
	if (!c->to_taken && n >= c->to_read) {
		c->to_taken = true;
		return held_ymm(c->to, c->part);
	}
	if (c->may_take && c->taken < PARTS)
		return held_ymm(!c->to, c->taken++);
	c->too_few = true;
	return 0;
}

/* --- steps --- */
static void load(struct compile *c, unsigned to, struct x86_operand from)
{
	if (!same(from, to))
		x86_emit_load(c->e, to, from);
}

/* The operand in a register: `may` if it has to get one and that does no harm. */
static unsigned in_register(struct compile *c, struct x86_operand h, unsigned may, bool harms, int n)
{
	if (x86_operand_is_ymm(h))
		return h.number;
	if (harms)
		may = take(c, n - 1);
	x86_emit_load(c->e, may, h);
	return may;
}

static void two(struct compile *c, enum x86_op op, unsigned to, struct x86_operand x, struct x86_operand y, int n)
{
	if (!x86_operand_is_ymm(x) && x86_operand_is_ymm(y) && x86_op_commutes(op)) {
		struct x86_operand z = x;
		x = y;
		y = z;
	}
	x86_emit_vex(c->e, op, to, in_register(c, x, to, same(y, to), n), y);
}

static void shift(
	struct compile *c, enum jit_action what, unsigned to, struct x86_operand x, struct x86_operand count, int n)
{
	static const struct {
		enum x86_emit_shift by;
		enum x86_op each;
	} way[] = {[SHL - SHL] = {X86_SHIFT_LEFT, X86_SHLV},
		[SHR - SHL] = {X86_SHIFT_RIGHT, X86_SHRV},
		[SAR - SHL] = {X86_SHIFT_SIGNED, X86_SARV}};

	if (count.kind == X86_OPERAND_ADDRESS) {
		x86_emit_shift(c->e, way[what - SHL].by, to, in_register(c, x, to, false, n), *count.address & 31);
		return;
	}
	unsigned low = same(x, to) || !x86_operand_is_ymm(x) ? take(c, n - 1) : to;
	two(c, X86_AND, low, count, constant(c, 31), n);
	x86_emit_vex(c->e, way[what - SHL].each, to, in_register(c, x, to, false, n), ymm(low));
}

/* to = a * b + z: of the three operands one is where the result goes, and one may be in memory. */
static void multiply_add(
	struct compile *c, unsigned to, struct x86_operand a, struct x86_operand b, struct x86_operand z, int n)
{
	if (same(b, to) || (!x86_operand_is_ymm(a) && x86_operand_is_ymm(b))) {
		struct x86_operand swap = a;
		a = b;
		b = swap;
	}
	if (same(a, to) && !same(z, to)) {
		if (x86_operand_is_ymm(z)) {
			x86_emit_vex(c->e, X86_FMA132, to, z.number, b);
			return;
		}
		x86_emit_vex(c->e, X86_FMA213, to, in_register(c, b, 0, true, n), z);
		return;
	}
	if (x86_operand_is_ymm(z) && !same(z, to) && !x86_operand_is_ymm(a)) {
		load(c, to, a);
		x86_emit_vex(c->e, X86_FMA132, to, z.number, b);
		return;
	}
	unsigned first = in_register(c, a, 0, true, n);
	load(c, to, z);
	x86_emit_vex(c->e, X86_FMA231, to, first, b);
}

static void choose(struct compile *c, unsigned to, struct x86_operand x, struct x86_operand y, unsigned mask, int n)
{
	unsigned otherwise = in_register(c, x, to, same(y, to) || mask == to, n);

	if (y.kind == X86_OPERAND_ADDRESS)
		y = ymm(in_register(c, y, to, otherwise == to || mask == to, n));
	x86_emit_blend(c->e, to, otherwise, y, mask);
}

static void step(struct compile *c, const struct jit_step *s, unsigned to, int n)
{
	struct x86_operand x = c->value[s->from[0]], y = c->value[s->from[1]], z = c->value[s->from[2]];

	switch (s->what) {
	case COPY: load(c, to, x); break;
	case SHL:
	case SHR:
	case SAR: shift(c, s->what, to, x, y, n); break;
	case FMA: multiply_add(c, to, x, y, z, n); break;
	case CHOOSE: choose(c, to, x, y, z.number, n); break;
	default: two(c, jit_action_x86_op(s->what), to, x, y, n);
	}
}

/* --- an instruction, in a part of the lanes --- */
static bool heeds_signs(const struct uop *i, unsigned k)
{
	unsigned type = isa_info(i->d.op)->src[k];

	return type == T_F32 || type == T_B32;
}

static struct x86_operand find_source(struct compile *c, const struct uop *i, unsigned k)
{
	if (source_is_vgpr(i, k))
		return vgpr_host(c, source_vgpr(i, k));
	if (source_is_sgpr(i, k))
		return (struct x86_operand){.kind = X86_OPERAND_MEMORY,
			.number = RSP,
			.offset = (int)jit_sgpr_index(&c->sgprs, i->d.src[k]) * PART_BYTES};
	return constant(c, *(const uint32_t *)i->src[k]);
}

/* What the modifiers make of it. */
static struct x86_operand find_modified(struct compile *c, const struct uop *i, unsigned k, struct x86_operand h)
{
	bool neg = i->d.neg >> k & 1, clear = i->d.abs >> k & 1;

	if (!heeds_signs(i, k) || !(neg | clear))
		return h;
	unsigned to = take(c, -1);
	two(c, neg && clear ? X86_OR : neg ? X86_XOR : X86_AND, to, h, constant(c, neg ? 0x80000000 : 0x7fffffff), 0);
	return ymm(to);
}

/* The lanes' bits of a mask, as all ones or none. */
static struct x86_operand find_carry(struct compile *c, const struct uop *i)
{
	struct x86_operand mask = {
		.kind = X86_OPERAND_MEMORY, .number = RSI, .offset = 4 * i->mask_src + (c->part >= PARTS / 2 ? 4 : 0)};
	unsigned to = take(c, -1), first = c->part % (PARTS / 2) * 8, place = jit_sgpr_index(&c->masks, i->mask_src);
	uint32_t bits[8];

	if (place < c->masks.count) {
		x86_emit_load(c->e, to, in_mask(c, place));
		return ymm(to);
	}
	for (unsigned l = 0; l < 8; l++)
		bits[l] = 1u << (first + l);
	x86_emit_broadcast(c->e, to, mask);
	x86_emit_vex(c->e, X86_AND, to, to, pooled(c, bits));
	x86_emit_vex(c->e, X86_EQUAL, to, to, pooled(c, bits));
	return ymm(to);
}

static void find_values(struct compile *c, const struct jit_op *o)
{
	const struct uop *i = o->i;
	unsigned to = held_ymm(c->to, c->part);
	bool carry = false;

	for (unsigned k = 0; k < i->sources; k++)
		if (isa_info(i->d.op)->src[k] != T_CARRY)
			c->value[A + k] = find_source(c, i, k);
	c->value[D] = vgpr_host(c, o->dst);
	if (o->high != JIT_NONE)
		c->value[HIGH] = vgpr_host(c, o->high);
	c->value[LOW24] = constant(c, 0xffffff);
	c->value[ONES] = constant(c, 0xffffffff);
	c->value[SIGN] = constant(c, 31);
	if (c->value[A].kind == X86_OPERAND_ADDRESS)
		c->value[REST] = constant(c, 32 - *(const uint32_t *)i->src[0]);
	c->to_read = -1;
	for (int n = 0; n < JIT_STEPS_MAX && o->steps[n].what; n++)
		for (unsigned k = 0; k < 3; k++) {
			enum jit_source from = o->steps[n].from[k];
			carry |= from == CARRY;
			if (from != NOTHING && from <= HIGH && same(c->value[from], to))
				c->to_read = n;
		}
	for (unsigned k = 0; k < i->sources; k++)
		c->value[A + k] = find_modified(c, i, k, c->value[A + k]);
	if (carry)
		c->value[CARRY] = find_carry(c, i);
}

static void compile_part(struct compile *c, const struct jit_op *o, unsigned mask)
{
	const struct jit_step *s = o->steps;
	int own[JIT_SOURCE_COUNT];

	c->taken = 0;
	c->to_taken = false;
	find_values(c, o);
	for (unsigned k = 0; k < JIT_SOURCE_COUNT; k++)
		own[k] = JIT_NONE;
	for (int n = 0; n < JIT_STEPS_MAX && s[n].what; n++) {
		unsigned to = held_ymm(c->to, c->part), x = s[n].to;
		if (x == D)
			c->to_taken = true;
		else
			to = own[x] = own[x] == JIT_NONE ? (int)take(c, n) : own[x];
		step(c, &s[n], to, n);
		c->value[x] = ymm(to);
		if (x == OUT)
			x86_emit_store(c->e, in_mask(c, mask), to);
	}
}

/* --- what is held --- */
static void write_back(struct compile *c, unsigned slot)
{
	for (unsigned k = 0; k < PARTS; k++)
		x86_emit_store(c->e, in_memory(c, c->held[slot].vgpr, k), held_ymm(slot, k));
}

/* Nobody needs what is held there any more, from instruction n on but by memory. */
static void release(struct compile *c, unsigned slot, unsigned n)
{
	struct held *h = &c->held[slot];

	if (h->vgpr != JIT_NONE && h->written && next_read(c, n, h->vgpr) != NEVER_READ)
		write_back(c, slot);
	h->written = false;
}

static void drop(struct compile *c, unsigned slot, unsigned n)
{
	release(c, slot, n);
	c->held[slot].vgpr = JIT_NONE;
}

static int wanted(const struct compile *c, unsigned slot)
{
	const struct held *h = &c->held[slot];

	return h->vgpr == JIT_NONE ? NEVER_READ + 1 : next_read(c, c->now + 1, h->vgpr);
}

/* Where the destination goes: what is held there can still be read meanwhile. */
static void make_room(struct compile *c, int vgpr)
{
	for (c->to = 0; c->to < HELD; c->to++)
		if (c->held[c->to].vgpr == vgpr)
			return;
	c->to = wanted(c, 1) > wanted(c, 0);
	release(c, c->to, c->now + 1);
}

/* A source that near instructions read, too, into the other registers when nothing there is wanted sooner. */
static void hold_source(struct compile *c, const struct jit_op *o)
{
	const struct uop *i = o->i;
	int best = JIT_NONE, soonest = c->now + SOON;

	for (unsigned k = 0; k < i->sources; k++) {
		int v = source_vgpr(i, k), next = v == JIT_NONE ? BEHIND : next_read(c, c->now + 1, v);
		if (v != JIT_NONE && x86_operand_is_ymm(vgpr_host(c, v)))
			return;
		if (next < soonest && v != o->dst) {
			best = v;
			soonest = next;
		}
	}
	if (best == JIT_NONE || wanted(c, !c->to) <= soonest)
		return;
	drop(c, !c->to, c->now);
	for (unsigned k = 0; k < PARTS; k++)
		x86_emit_load(c->e, held_ymm(!c->to, k), in_memory(c, best, k));
	c->held[!c->to].vgpr = best;
}

static bool compile_parts(struct compile *c, const struct jit_op *o, unsigned mask)
{
	c->too_few = false;
	for (c->part = 0; c->part < PARTS && !c->too_few; c->part++)
		compile_part(c, o, mask);
	return !c->too_few;
}

static void compile_op(struct compile *c, const struct jit_op *o)
{
	const unsigned mask = jit_sgpr_index(&c->masks, o->i->dst2);

	make_room(c, o->dst);
	const struct x86_emitter before = *c->e;
	const struct held other = c->held[!c->to];

	c->part = 0;
	hold_source(c, o);
	c->may_take = c->held[!c->to].vgpr == JIT_NONE;
	if (!compile_parts(c, o, mask)) {
		*c->e = before;
		c->held[!c->to] = other;
		drop(c, !c->to, c->now);
		c->may_take = true;
		compile_parts(c, o, mask);
	}
	c->held[c->to] = (struct held){.vgpr = o->dst, .written = true};
	jit_add_mask(&c->masks, o->i);
}

/* --- the function --- */
/* The VGPRs met most often get a register each that points amid them: offsets of one byte. RAX carries masks. */
static void choose_bases(struct compile *c)
{
	static const uint8_t spare[] = {RCX, RDX, R8, R9, R10, R11};
	unsigned met[MAX_VGPRS] = {0};

	memset(c->base, RDI, sizeof c->base);
	for (unsigned n = 0; n < c->count; n++) {
		met[c->op[n].dst]++;
		for (unsigned k = 0; k < c->op[n].i->sources; k++)
			if (source_is_vgpr(c->op[n].i, k))
				met[source_vgpr(c->op[n].i, k)]++;
	}
	for (unsigned k = 0; k < sizeof spare; k++) {
		unsigned most = 0;
		for (unsigned v = 1; v < MAX_VGPRS; v++)
			most = met[v] > met[most] ? v : most;
		if (met[most] < 2)
			return;
		c->base[most] = spare[k];
		met[most] = 0;
		x86_emit_lea(c->e, spare[k], RDI, most * VGPR_BYTES + VGPR_BYTES / 2);
	}
}

/* The stack holds the SGPRs that are read, spread, and behind them the masks that are written; the bytes of both. */
static uint32_t enter(struct compile *c)
{
	struct jit_sgprs masks = {.count = 0};

	for (unsigned n = 0; n < c->count; n++) {
		jit_add_sgprs(&c->sgprs, c->op[n].i);
		jit_add_mask(&masks, c->op[n].i);
	}
	const uint32_t bytes = (c->sgprs.count + masks.count * PARTS) * PART_BYTES;
	if (bytes)
		x86_emit_prologue(c->e, bytes);
	for (unsigned k = 0; k < c->sgprs.count; k++) {
		x86_emit_broadcast(c->e, 0,
			(struct x86_operand){
				.kind = X86_OPERAND_MEMORY, .number = RSI, .offset = 4 * c->sgprs.number[k]});
		x86_emit_store(c->e,
			(struct x86_operand){.kind = X86_OPERAND_MEMORY, .number = RSP, .offset = (int)k * PART_BYTES},
			0);
	}
	return bytes;
}

/* Masks become bits of their SGPRs. */
static void pack_masks(struct compile *c)
{
	for (unsigned k = 0; k < c->masks.count; k++)
		for (c->part = 0; c->part < PARTS; c->part++) {
			x86_emit_load(c->e, 0, in_mask(c, k));
			x86_emit_store_signs(c->e,
				(struct x86_operand){.kind = X86_OPERAND_MEMORY,
					.number = RSI,
					.offset = 4 * c->masks.number[k] + (int)c->part},
				0);
		}
}

bool jit_compile(struct x86_emitter *e, struct jit_pool *p, const struct uop *i, unsigned count)
{
	struct compile c = {.e = e, .pool = p, .held = {{.vgpr = JIT_NONE}, {.vgpr = JIT_NONE}}};

	for (; count--; i += i->words)
		c.count += jit_split_ops(i, c.op + c.count);
	const bool stack = enter(&c);
	choose_bases(&c);
	for (c.now = 0; c.now < c.count; c.now++)
		compile_op(&c, &c.op[c.now]);
	for (unsigned k = 0; k < HELD; k++)
		drop(&c, k, c.count);
	pack_masks(&c);
	if (stack)
		x86_emit_epilogue(e);
	x86_emit_return(e);
	return !c.no_pool;
}
