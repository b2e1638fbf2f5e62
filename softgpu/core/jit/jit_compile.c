#include "softgpu/core/jit/jit_compile.h"

#include <string.h>

#include "softgpu/core/jit/jit_match.h"

/* A VGPR occupies 8 host registers (4 in wave32), one for 8 lanes each. Two VGPRs are cached in the 16 registers: the
 * destination of the current op, and one that was written before or is read often, unless its registers are needed for
 * temporaries. A cached VGPR that was written is stored when another one replaces it. */
enum {
	PARTS_MAX = 8,
	PART_LANES = 8,
	PART_BYTES = 4 * PART_LANES,
	PARTS_OF_MASK_DWORD = 4,
	CACHED = 2,
	HORIZON = 32 /* later ops that are considered when choosing what to cache */,
	NEAR = 6,
	FAR = 1 << 20,
	NEVER_READ = FAR + 1
};

/* --- a compilation --- */
struct cached {
	int vgpr;
	bool written;
};

struct compile {
	struct x86_emitter *e;
	struct jit_pool *pool;
	unsigned parts; /* of a VGPR */
	int vgpr_bytes;
	struct jit_op op[JIT_OPS_MAX * JIT_BLOCK_MAX];
	unsigned count, now; /* number of ops, and the current one */
	struct jit_sgprs sgprs;
	struct jit_sgprs masks;  /* masks written so far */
	uint8_t base[MAX_VGPRS]; /* the general register that points into a VGPR; RDI points to VGPR 0 */
	struct cached cached[CACHED];
	bool no_pool;
	/* of the current op and the current part of its lanes: */
	unsigned to, part;                     /* cached[to] becomes its destination */
	bool may_use_other;                    /* the registers of the other cached VGPR are free for temporaries */
	bool to_overwritten, out_of_registers; /* the destination register holds a temporary; too few registers */
	int to_read; /* last step that reads the old value in the destination register; -1: none */
	unsigned others_used;
	struct x86_operand value[JIT_SOURCE_COUNT];
};

/* The first op from n on that reads the VGPR. FAR: not within HORIZON; NEVER_READ: it is written first. */
static int next_read(const struct compile *c, unsigned n, int vgpr)
{
	for (unsigned k = n; k < c->count && k < n + HORIZON; k++) {
		if (jit_op_reads(&c->op[k], vgpr))
			return k;
		if (c->op[k].dst == vgpr)
			return NEVER_READ;
	}
	return FAR;
}

/* --- operands --- */
static struct x86_operand ymm_operand(unsigned number)
{
	return (struct x86_operand){.kind = X86_OPERAND_YMM, .number = number};
}

static bool is_register(struct x86_operand h, unsigned reg)
{
	return x86_operand_is_ymm(h) && h.number == reg;
}

static unsigned cached_ymm(unsigned slot, unsigned part)
{
	return slot * PARTS_MAX + part;
}

static struct x86_operand vgpr_in_memory(const struct compile *c, int vgpr, unsigned part)
{
	if (c->base[vgpr] != RDI)
		return (struct x86_operand){.kind = X86_OPERAND_MEMORY,
			.number = c->base[vgpr],
			.offset = (int)part * PART_BYTES - c->vgpr_bytes / 2};
	return (struct x86_operand){
		.kind = X86_OPERAND_MEMORY, .number = RDI, .offset = vgpr * c->vgpr_bytes + (int)part * PART_BYTES};
}

static struct x86_operand vgpr_operand(const struct compile *c, int vgpr)
{
	for (unsigned k = 0; k < CACHED; k++)
		if (c->cached[k].vgpr == vgpr)
			return ymm_operand(cached_ymm(k, c->part));
	return vgpr_in_memory(c, vgpr, c->part);
}

static struct x86_operand pool_constant(struct compile *c, const uint32_t *v)
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

static struct x86_operand splat_constant(struct compile *c, uint32_t v)
{
	return pool_constant(c, (const uint32_t[8]){v, v, v, v, v, v, v, v});
}

/* A mask that the block has written, by its index. It is stored as all ones or zeros per lane. */
static struct x86_operand mask_on_stack(const struct compile *c, unsigned index)
{
	return (struct x86_operand){.kind = X86_OPERAND_MEMORY,
		.number = RSP,
		.offset = (int)((c->sgprs.count + index * c->parts + c->part) * PART_BYTES)};
}

/* A register that step n (-1: before all steps) may overwrite: the destination register once its old value is no longer
 * read, else one of the other cached VGPR. */
static unsigned take_register(struct compile *c, int n)
{
	if (!c->to_overwritten && n >= c->to_read) {
		c->to_overwritten = true;
		return cached_ymm(c->to, c->part);
	}
	if (c->may_use_other && c->others_used < c->parts)
		return cached_ymm(!c->to, c->others_used++);
	c->out_of_registers = true;
	return 0;
}

/* --- steps --- */
static void emit_copy(struct compile *c, unsigned to, struct x86_operand from)
{
	if (!is_register(from, to))
		x86_emit_load(c->e, to, from);
}

/* Returns a register with the operand. Loads it if necessary, into `preferred` unless that conflicts. */
static unsigned require_register(struct compile *c, struct x86_operand h, unsigned preferred, bool conflicts, int n)
{
	if (x86_operand_is_ymm(h))
		return h.number;
	if (conflicts)
		preferred = take_register(c, n - 1);
	x86_emit_load(c->e, preferred, h);
	return preferred;
}

static void emit_binary(
	struct compile *c, enum x86_op op, unsigned to, struct x86_operand x, struct x86_operand y, int n)
{
	if (!x86_operand_is_ymm(x) && x86_operand_is_ymm(y) && x86_op_commutes(op)) {
		struct x86_operand z = x;
		x = y;
		y = z;
	}
	x86_emit_vex(c->e, op, to, require_register(c, x, to, is_register(y, to), n), y);
}

static void emit_shift_step(
	struct compile *c, enum jit_action what, unsigned to, struct x86_operand x, struct x86_operand count, int n)
{
	static const struct {
		enum x86_emit_shift by;
		enum x86_op each;
	} shifts[] = {[SHL - SHL] = {X86_SHIFT_LEFT, X86_SHLV},
		[SHR - SHL] = {X86_SHIFT_RIGHT, X86_SHRV},
		[SAR - SHL] = {X86_SHIFT_SIGNED, X86_SARV}};

	if (count.kind == X86_OPERAND_ADDRESS) {
		x86_emit_shift(
			c->e, shifts[what - SHL].by, to, require_register(c, x, to, false, n), *count.address & 31);
		return;
	}
	unsigned low = is_register(x, to) || !x86_operand_is_ymm(x) ? take_register(c, n - 1) : to;
	emit_binary(c, X86_AND, low, count, splat_constant(c, 31), n);
	x86_emit_vex(c->e, shifts[what - SHL].each, to, require_register(c, x, to, false, n), ymm_operand(low));
}

/* to = a * b + z. The x86 instructions overwrite one of the three operands; one other may be in memory. Of several NaNs
 * the first is the result, in the order a, b, z, which is the order of the formula of each form. */
static void emit_fma(
	struct compile *c, unsigned to, struct x86_operand a, struct x86_operand b, struct x86_operand z, int n)
{
	if (is_register(b, to) && !is_register(z, to)) {
		x86_emit_vex(c->e, X86_FMA213, to, require_register(c, a, 0, true, n), z); /* to = a * to + z */
		return;
	}
	if (!is_register(z, to) && (is_register(a, to) || (x86_operand_is_ymm(z) && !x86_operand_is_ymm(a)))) {
		const unsigned addend = require_register(c, z, 0, true, n);
		emit_copy(c, to, a);
		x86_emit_vex(c->e, X86_FMA132, to, addend, b); /* to = to * b + addend */
		return;
	}
	unsigned first = require_register(c, a, 0, true, n);
	emit_copy(c, to, z);
	x86_emit_vex(c->e, X86_FMA231, to, first, b); /* to = first * b + to */
}

static void emit_select(
	struct compile *c, unsigned to, struct x86_operand x, struct x86_operand y, unsigned mask, int n)
{
	unsigned if_zero = require_register(c, x, to, is_register(y, to) || mask == to, n);

	if (y.kind == X86_OPERAND_ADDRESS)
		y = ymm_operand(require_register(c, y, to, if_zero == to || mask == to, n));
	x86_emit_blend(c->e, to, if_zero, y, mask);
}

static void emit_step(struct compile *c, const struct jit_step *s, unsigned to, int n)
{
	struct x86_operand x = c->value[s->from[0]], y = c->value[s->from[1]], z = c->value[s->from[2]];

	switch (s->what) {
	case COPY: emit_copy(c, to, x); break;
	case SHL:
	case SHR:
	case SAR: emit_shift_step(c, s->what, to, x, y, n); break;
	case FMA: emit_fma(c, to, x, y, z, n); break;
	case CHOOSE: emit_select(c, to, x, y, z.number, n); break;
	default: emit_binary(c, jit_action_x86_op(s->what), to, x, y, n);
	}
}

/* --- an op, for one part of the lanes --- */
static bool applies_signs(const struct uop *i, unsigned k)
{
	unsigned type = isa_info(i->d.op)->src[k];

	return type == T_F32 || type == T_B32;
}

static struct x86_operand source_operand(struct compile *c, const struct uop *i, unsigned k)
{
	if (source_is_vgpr(i, k))
		return vgpr_operand(c, source_vgpr(i, k));
	if (source_is_sgpr(i, k))
		return (struct x86_operand){.kind = X86_OPERAND_MEMORY,
			.number = RSP,
			.offset = (int)jit_sgpr_index(&c->sgprs, i->d.src[k]) * PART_BYTES};
	return splat_constant(c, *(const uint32_t *)i->src[k]);
}

/* Applies neg and abs of source k to its operand h. */
static struct x86_operand apply_source_modifiers(
	struct compile *c, const struct uop *i, unsigned k, struct x86_operand h)
{
	bool neg = i->d.neg >> k & 1, clear = i->d.abs >> k & 1;

	if (!applies_signs(i, k) || !(neg | clear))
		return h;
	unsigned to = take_register(c, -1);
	emit_binary(c,
		neg && clear  ? X86_OR
			: neg ? X86_XOR
			      : X86_AND,
		to, h, splat_constant(c, neg ? 0x80000000 : 0x7fffffff), 0);
	return ymm_operand(to);
}

/* The carry-in mask, as all ones or zeros per lane. */
static struct x86_operand expand_carry_mask(struct compile *c, const struct uop *i)
{
	struct x86_operand mask = {.kind = X86_OPERAND_MEMORY,
		.number = RSI,
		.offset = 4 * i->mask_src + (c->part / PARTS_OF_MASK_DWORD * 4)};
	unsigned to = take_register(c, -1), first = c->part % PARTS_OF_MASK_DWORD * PART_LANES,
		 index = jit_sgpr_index(&c->masks, i->mask_src);
	uint32_t bits[8];

	if (index < c->masks.count) {
		x86_emit_load(c->e, to, mask_on_stack(c, index));
		return ymm_operand(to);
	}
	for (unsigned l = 0; l < 8; l++)
		bits[l] = 1u << (first + l);
	x86_emit_broadcast(c->e, to, mask);
	x86_emit_vex(c->e, X86_AND, to, to, pool_constant(c, bits));
	x86_emit_vex(c->e, X86_EQUAL, to, to, pool_constant(c, bits));
	return ymm_operand(to);
}

static void prepare_values(struct compile *c, const struct jit_op *o)
{
	const struct uop *i = o->i;
	unsigned to = cached_ymm(c->to, c->part);
	bool carry = false;

	for (unsigned k = 0; k < i->sources; k++)
		if (isa_info(i->d.op)->src[k] != T_CARRY)
			c->value[A + k] = source_operand(c, i, k);
	c->value[D] = vgpr_operand(c, o->dst);
	if (o->high != JIT_NONE)
		c->value[HIGH] = vgpr_operand(c, o->high);
	c->value[LOW24] = splat_constant(c, 0xffffff);
	c->value[ONES] = splat_constant(c, 0xffffffff);
	c->value[SIGN] = splat_constant(c, 31);
	if (c->value[A].kind == X86_OPERAND_ADDRESS)
		c->value[REST] = splat_constant(c, 32 - *(const uint32_t *)i->src[0]);
	c->to_read = -1;
	for (int n = 0; n < JIT_STEPS_MAX && o->steps[n].what; n++)
		for (unsigned k = 0; k < 3; k++) {
			enum jit_source from = o->steps[n].from[k];
			carry |= from == CARRY;
			if (from != NOTHING && from <= HIGH && is_register(c->value[from], to))
				c->to_read = n;
		}
	for (unsigned k = 0; k < i->sources; k++)
		c->value[A + k] = apply_source_modifiers(c, i, k, c->value[A + k]);
	if (carry)
		c->value[CARRY] = expand_carry_mask(c, i);
}

static void compile_part(struct compile *c, const struct jit_op *o, unsigned mask)
{
	const struct jit_step *s = o->steps;
	int temporary[JIT_SOURCE_COUNT];

	c->others_used = 0;
	c->to_overwritten = false;
	prepare_values(c, o);
	for (unsigned k = 0; k < JIT_SOURCE_COUNT; k++)
		temporary[k] = JIT_NONE;
	for (int n = 0; n < JIT_STEPS_MAX && s[n].what; n++) {
		unsigned to = cached_ymm(c->to, c->part), x = s[n].to;
		if (x == D)
			c->to_overwritten = true;
		else
			to = temporary[x] = temporary[x] == JIT_NONE ? (int)take_register(c, n) : temporary[x];
		emit_step(c, &s[n], to, n);
		c->value[x] = ymm_operand(to);
		if (x == OUT)
			x86_emit_store(c->e, mask_on_stack(c, mask), to);
	}
}

/* --- cached VGPRs --- */
static void store_cached(struct compile *c, unsigned slot)
{
	for (unsigned k = 0; k < c->parts; k++)
		x86_emit_store(c->e, vgpr_in_memory(c, c->cached[slot].vgpr, k), cached_ymm(slot, k));
}

/* Stores a cached VGPR if an op from n on may read it from memory. */
static void flush_cached(struct compile *c, unsigned slot, unsigned n)
{
	struct cached *h = &c->cached[slot];

	if (h->vgpr != JIT_NONE && h->written && next_read(c, n, h->vgpr) != NEVER_READ)
		store_cached(c, slot);
	h->written = false;
}

static void evict_cached(struct compile *c, unsigned slot, unsigned n)
{
	flush_cached(c, slot, n);
	c->cached[slot].vgpr = JIT_NONE;
}

static int next_use(const struct compile *c, unsigned slot)
{
	const struct cached *h = &c->cached[slot];

	return h->vgpr == JIT_NONE ? NEVER_READ + 1 : next_read(c, c->now + 1, h->vgpr);
}

/* Selects the registers of the destination. The current op can still read their old contents. */
static void assign_destination(struct compile *c, int vgpr)
{
	for (c->to = 0; c->to < CACHED; c->to++)
		if (c->cached[c->to].vgpr == vgpr)
			return;
	c->to = next_use(c, 1) > next_use(c, 0);
	flush_cached(c, c->to, c->now + 1);
}

/* Caches a source that soon-following ops also read, unless the other cached VGPR is used sooner. */
static void cache_source(struct compile *c, const struct jit_op *o)
{
	const struct uop *i = o->i;
	int best = JIT_NONE, soonest = c->now + NEAR;

	for (unsigned k = 0; k < i->sources; k++) {
		int v = source_vgpr(i, k), next = v == JIT_NONE ? FAR : next_read(c, c->now + 1, v);
		if (v != JIT_NONE && x86_operand_is_ymm(vgpr_operand(c, v)))
			return;
		if (next < soonest && v != o->dst) {
			best = v;
			soonest = next;
		}
	}
	if (best == JIT_NONE || next_use(c, !c->to) <= soonest)
		return;
	evict_cached(c, !c->to, c->now);
	for (unsigned k = 0; k < c->parts; k++)
		x86_emit_load(c->e, cached_ymm(!c->to, k), vgpr_in_memory(c, best, k));
	c->cached[!c->to].vgpr = best;
}

static bool compile_parts(struct compile *c, const struct jit_op *o, unsigned mask)
{
	c->out_of_registers = false;
	for (c->part = 0; c->part < c->parts && !c->out_of_registers; c->part++)
		compile_part(c, o, mask);
	return !c->out_of_registers;
}

static void compile_op(struct compile *c, const struct jit_op *o)
{
	const unsigned mask = jit_sgpr_index(&c->masks, o->i->dst2);

	assign_destination(c, o->dst);
	const struct x86_emitter before = *c->e;
	const struct cached other = c->cached[!c->to];

	c->part = 0;
	cache_source(c, o);
	c->may_use_other = c->cached[!c->to].vgpr == JIT_NONE;
	if (!compile_parts(c, o, mask)) {
		*c->e = before;
		c->cached[!c->to] = other;
		evict_cached(c, !c->to, c->now);
		c->may_use_other = true;
		compile_parts(c, o, mask);
	}
	c->cached[c->to] = (struct cached){.vgpr = o->dst, .written = true};
	jit_add_mask(&c->masks, o->i);
}

/* --- the function --- */
/* The VGPRs used most get a general register that points to their middle, so that offsets fit in one byte. RAX is used
 * for masks. */
static void choose_bases(struct compile *c)
{
	static const uint8_t spare[] = {RCX, RDX, R8, R9, R10, R11};
	unsigned uses[MAX_VGPRS] = {0};

	memset(c->base, RDI, sizeof c->base);
	for (unsigned n = 0; n < c->count; n++) {
		uses[c->op[n].dst]++;
		for (unsigned k = 0; k < c->op[n].i->sources; k++)
			if (source_is_vgpr(c->op[n].i, k))
				uses[source_vgpr(c->op[n].i, k)]++;
	}
	for (unsigned k = 0; k < sizeof spare; k++) {
		unsigned best = 0;
		for (unsigned v = 1; v < MAX_VGPRS; v++)
			best = uses[v] > uses[best] ? v : best;
		if (uses[best] < 2)
			return;
		c->base[best] = spare[k];
		uses[best] = 0;
		x86_emit_lea(c->e, spare[k], RDI, best * c->vgpr_bytes + c->vgpr_bytes / 2);
	}
}

/* Emits the stack frame: SGPRs that are read, broadcast to 8 lanes, then masks that are written. Returns its bytes. */
static uint32_t emit_frame(struct compile *c)
{
	struct jit_sgprs masks = {.count = 0};

	for (unsigned n = 0; n < c->count; n++) {
		jit_add_sgprs(&c->sgprs, c->op[n].i);
		jit_add_mask(&masks, c->op[n].i);
	}
	const uint32_t bytes = (c->sgprs.count + masks.count * c->parts) * PART_BYTES;
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

/* Packs masks into their SGPRs, one bit per lane. */
static void pack_masks(struct compile *c)
{
	for (unsigned k = 0; k < c->masks.count; k++)
		for (c->part = 0; c->part < c->parts; c->part++) {
			x86_emit_load(c->e, 0, mask_on_stack(c, k));
			x86_emit_store_signs(c->e,
				(struct x86_operand){.kind = X86_OPERAND_MEMORY,
					.number = RSI,
					.offset = 4 * c->masks.number[k] + (int)c->part},
				0);
		}
}

bool jit_compile(struct x86_emitter *e, struct jit_pool *p, unsigned lanes, const struct uop *i, unsigned count)
{
	struct compile c = {.e = e,
		.pool = p,
		.parts = lanes / PART_LANES,
		.vgpr_bytes = 4 * (int)lanes,
		.cached = {{.vgpr = JIT_NONE}, {.vgpr = JIT_NONE}}};

	for (; count--; i += i->words)
		c.count += jit_split_ops(i, c.op + c.count);
	const bool stack = emit_frame(&c);
	choose_bases(&c);
	for (c.now = 0; c.now < c.count; c.now++)
		compile_op(&c, &c.op[c.now]);
	for (unsigned k = 0; k < CACHED; k++)
		evict_cached(&c, k, c.count);
	pack_masks(&c);
	if (stack)
		x86_emit_epilogue(e);
	x86_emit_return(e);
	return !c.no_pool;
}
