/* Undefined values: bits of registers that were never written, or that come from such bits or from such memory.
 *
 * They may be copied and computed with. A report comes where one decides something: an address, a branch, EXEC, an
 * atomic, or what the host reads. After it the value counts as defined, so that each cause is reported once.
 *
 * What an instruction makes of undefined bits is not described in rules. It is tried: the instruction executes with
 * other values in these bits, and the bits of the result that change are undefined. That covers what keeps or selects
 * parts of registers or moves them across lanes. Seven values are tried: the complement, zeros, ones, the bits of the
 * other operand, which makes comparisons equal, and three numbers: a large one, a large negative one, and one that is
 * small as a float. Their bits are complements where they can be, so that those of sums change up to the highest. */
#include "softgpu/core/check/checker.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/check/undefined_registers.h"

enum { KEPT_REGISTERS_MAX = 128, EFFECTS_KNOWN = 4096 };

/* One instruction, while it is tried. */
struct trial {
	struct wave *w;
	const struct uop *i;
	struct undefined_registers *u;
	struct isa_effects e;
};

/* The registers of the spans, of all lanes. */
struct kept_registers {
	unsigned number[KEPT_REGISTERS_MAX], count; /* of VGPRs */
	uint32_t v[KEPT_REGISTERS_MAX][MAX_LANES];
	uint32_t s[SGPR_FILE_SIZE];
	uint8_t scc;
};

/* --- registers that are kept --- */
static void keep_span(const struct trial *t, struct isa_span s, struct kept_registers *k)
{
	for (unsigned r = s.first; s.first >= ISA_VGPR0 && r < (unsigned)s.first + s.count; r++) {
		const unsigned n = r - ISA_VGPR0;
		bool known = n >= t->u->vgprs || k->count == KEPT_REGISTERS_MAX;
		for (unsigned j = 0; j < k->count && !known; j++)
			known = k->number[j] == n;
		if (known)
			continue;
		memcpy(k->v[k->count], vgpr_of(t->w, n), t->u->lanes * sizeof(uint32_t));
		k->number[k->count++] = n;
	}
}

static void keep_registers(const struct trial *t, struct kept_registers *k)
{
	k->count = 0;
	for (unsigned n = 0; n < t->e.read_count; n++)
		keep_span(t, t->e.reads[n], k);
	for (unsigned n = 0; n < t->e.write_count; n++)
		keep_span(t, t->e.writes[n], k);
	memcpy(k->s, t->w->s, sizeof k->s);
	k->scc = t->w->scc;
}

static void restore_registers(const struct trial *t, const struct kept_registers *k)
{
	for (unsigned n = 0; n < k->count; n++)
		memcpy(vgpr_of(t->w, k->number[n]), k->v[n], t->u->lanes * sizeof(uint32_t));
	memcpy(t->w->s, k->s, sizeof k->s);
	t->w->scc = k->scc;
}

/* --- other values --- */
enum other_value {
	OTHER_COMPLEMENT,
	OTHER_ZEROS,
	OTHER_ONES,
	OTHER_OPERAND,
	OTHER_LARGE,
	OTHER_NEGATIVE,
	OTHER_SMALL,
	OTHER_VALUES
};

static uint32_t other_bits(enum other_value which, uint32_t value, uint32_t operand)
{
	switch (which) {
	case OTHER_ZEROS: return 0;
	case OTHER_ONES: return UINT32_MAX;
	case OTHER_OPERAND: return operand;
	case OTHER_LARGE: return UINT32_C(0x7e967699);    /* 1e38 */
	case OTHER_NEGATIVE: return UINT32_C(0xfe698966); /* -7.8e37 */
	case OTHER_SMALL: return UINT32_C(0x01698966);    /* 4.3e-38 */
	default: return ~value;
	}
}

static uint32_t replace_bits(uint32_t value, uint32_t bits, uint32_t by)
{
	return (value & ~bits) | (by & bits);
}

/* The value of another source operand: an SGPR, a constant, or that of the lane. */
static uint32_t operand_value(const struct trial *t, unsigned not_number, unsigned lane)
{
	for (unsigned k = 0; k < 3; k++) {
		const unsigned n = t->i->d.src[k];
		if (n == not_number || n == ISA_NONE)
			continue;
		if (n >= ISA_VGPR0)
			return n - ISA_VGPR0 < t->u->vgprs ? vgpr_of(t->w, n - ISA_VGPR0)[lane] : 0;
		if (n < ISA_INT0)
			return t->w->s[n];
		return t->i->src[k] && !t->i->rel[k] ? *(const uint32_t *)t->i->src[k] : 0;
	}
	return 0;
}

static void replace_undefined(const struct trial *t, const struct kept_registers *k, enum other_value which)
{
	for (unsigned j = 0; j < k->count; j++) {
		const unsigned n = k->number[j];
		for (uint64_t l = t->u->some[n]; l; l &= l - 1) {
			const unsigned lane = __builtin_ctzll(l);
			uint32_t *v = &vgpr_of(t->w, n)[lane];
			*v = replace_bits(*v, undefined_bits(t->u, n)[lane],
				other_bits(which, *v, operand_value(t, ISA_VGPR0 + n, lane)));
		}
	}
	for (unsigned n = 0; n < t->e.read_count; n++)
		for (unsigned r = t->e.reads[n].first; r < (unsigned)t->e.reads[n].first + t->e.reads[n].count; r++)
			if (r < SGPR_FILE_SIZE && t->u->s[r])
				t->w->s[r] = replace_bits(
					t->w->s[r], t->u->s[r], other_bits(which, t->w->s[r], operand_value(t, r, 0)));
	if (t->u->scc)
		t->w->scc = which == OTHER_ZEROS ? 0u : which == OTHER_ONES ? 1u : !t->w->scc;
}

/* --- trials --- */
/* The bits that differ between two results; of a kept register the row j. */
static void add_difference(const struct trial *t, const struct kept_registers *first, struct kept_registers *differs)
{
	for (unsigned j = 0; j < first->count; j++) {
		const uint32_t *now = vgpr_of(t->w, first->number[j]);
		for (unsigned l = 0; l < t->u->lanes; l++)
			differs->v[j][l] |= now[l] ^ first->v[j][l];
	}
	for (unsigned n = 0; n < SGPR_FILE_SIZE; n++)
		differs->s[n] |= t->w->s[n] ^ first->s[n];
	differs->scc |= t->w->scc != first->scc;
}

static void set_written_span(const struct trial *t, struct isa_span s, const struct kept_registers *differs)
{
	if (s.first == ISA_SCC)
		t->u->scc = differs->scc;
	for (unsigned r = s.first; s.first != ISA_SCC && r < (unsigned)s.first + s.count; r++)
		if (r < SGPR_FILE_SIZE)
			t->u->s[r] = differs->s[r];
	for (unsigned j = 0; j < differs->count; j++)
		if (differs->number[j] + ISA_VGPR0 - s.first < s.count)
			for (unsigned l = 0; l < t->u->lanes; l++)
				set_undefined_lane(t->u, differs->number[j], l, differs->v[j][l]);
}

/* Too large for the stack. */
struct trial_registers {
	struct kept_registers before, first, differs;
};

static void try_other_values(const struct trial *t, struct trial_registers *r)
{
	const struct wave saved = *t->w;

	keep_registers(t, &r->before);
	t->i->fn(t->w, t->i);
	keep_registers(t, &r->first);
	memset(&r->differs, 0, sizeof r->differs);
	r->differs.count = r->first.count;
	memcpy(r->differs.number, r->first.number, sizeof r->first.number);
	for (enum other_value which = 0; which < OTHER_VALUES; which++) {
		*t->w = saved;
		restore_registers(t, &r->before);
		replace_undefined(t, &r->before, which);
		t->i->fn(t->w, t->i);
		add_difference(t, &r->first, &r->differs);
	}
	*t->w = saved;
	restore_registers(t, &r->before);
	for (unsigned n = 0; n < t->e.write_count; n++)
		set_written_span(t, t->e.writes[n], &r->differs);
}

static void try_instruction(const struct trial *t)
{
	struct trial_registers *r = malloc(sizeof *r);

	if (r)
		try_other_values(t, r);
	free(r);
}

/* --- instructions --- */
static bool ignores_exec(const struct uop *i)
{
	return isa_info(i->d.op)->traits & IGNORES_EXEC || i->d.fetch_inactive || i->d.op == OP_v_readfirstlane_b32;
}

static bool reads_undefined(const struct trial *t, uint64_t lanes)
{
	for (unsigned n = 0; n < t->e.read_count; n++)
		if (t->e.reads[n].first != ISA_EXEC && undefined_span(t->u, t->e.reads[n], lanes))
			return true;
	return false;
}

/* Undefined bits of EXEC decide which lanes go on. */
static void check_exec(const struct trial *t)
{
	const uint64_t undefined = ((uint64_t)t->u->s[ISA_EXEC + 1] << 32 | t->u->s[ISA_EXEC]) &
		t->w->launch->all_lanes & t->w->group->check->wave[t->w->index].items;

	if (undefined)
		report_undefined(t->w, t->i, __builtin_ctzll(undefined), CHECK_KIND_UNDEFINED_MASK);
	t->u->s[ISA_EXEC] = t->u->s[ISA_EXEC + 1] = 0;
}

static void execute_plain(struct trial *t)
{
	const uint64_t exec = wave_exec_mask(t->w), all = t->w->launch->all_lanes;
	const bool every = ignores_exec(t->i) || t->i->d.form != FORM_PLAIN,
		   writes_all = isa_info(t->i->d.op)->traits & IGNORES_EXEC;

	if (reads_undefined(t, every ? all : exec)) {
		try_instruction(t);
	} else {
		for (unsigned n = 0; n < t->e.write_count; n++)
			define_span(t->u, t->e.writes[n], writes_all ? all : exec);
	}
	check_exec(t);
}

static void report_span(const struct trial *t, struct isa_span s, enum check_kind kind)
{
	const uint64_t exec = wave_exec_mask(t->w);
	uint64_t lanes = exec;

	if (!undefined_span(t->u, s, exec))
		return;
	if (s.first >= ISA_VGPR0 && s.first + s.count <= ISA_VGPR0 + t->u->vgprs) {
		lanes = 0;
		for (unsigned k = 0; k < s.count; k++)
			lanes |= t->u->some[s.first - ISA_VGPR0 + k] & exec;
	}
	report_undefined(t->w, t->i, lanes ? __builtin_ctzll(lanes) : 0, kind);
	define_span(t->u, s, exec);
}

static void execute_branch(struct trial *t)
{
	for (unsigned n = 0; n < t->e.read_count; n++)
		if (t->e.reads[n].first != ISA_EXEC)
			report_span(t, t->e.reads[n], CHECK_KIND_UNDEFINED_BRANCH);
	for (unsigned n = 0; n < t->e.write_count; n++)
		define_span(t->u, t->e.writes[n], wave_exec_mask(t->w));
}

/* The registers with the data of a store or an atomic. */
static bool is_data(const struct uop *i, unsigned first)
{
	const unsigned unit = i->unit;

	if (isa_is_buffer(i->d.enc) || i->d.enc == ENC_MIMG)
		return first == i->d.data;
	if (unit == UNIT_SMEM)
		return first == i->d.src[2];
	return unit == UNIT_LDS ? first == i->d.src[1] || first == i->d.src[2] : first == i->d.src[1];
}

/* Loads define their results when they access memory (init_accesses.c), but not those that convert. */
static void execute_memory(struct trial *t)
{
	const struct uop *i = t->i;
	const unsigned traits = isa_info(i->d.op)->traits;

	for (unsigned n = 0; n < t->e.read_count; n++) {
		const unsigned first = t->e.reads[n].first;
		const bool keeps_part = traits & READS_D && first == i->d.dst && first != i->d.src[0];
		if (first != ISA_EXEC && !keeps_part && !is_data(i, first))
			report_span(t, t->e.reads[n], CHECK_KIND_UNDEFINED_ADDRESS);
	}
	for (unsigned n = 0; n < t->e.write_count; n++)
		if (!(traits & READS_D) || isa_converts_format(i->d.op))
			define_span(t->u, t->e.writes[n], wave_exec_mask(t->w));
}

/* --- registers whose number is in M0 --- */
/* Adds an offset to the spans that begin at this operand number. */
static void move_spans(struct isa_span *list, unsigned count, unsigned first, unsigned by)
{
	for (unsigned n = 0; n < count; n++)
		if (list[n].first == first && first != ISA_NONE)
			list[n].first += by;
}

/* S_SET_GPR_IDX: mode bits choose the operands. */
static bool move_indexed(struct trial *t)
{
	const unsigned mode = t->w->gpr_idx >> 12, index = t->w->s[ISA_M0] & 255;

	if (!t->w->gpr_idx || t->i->unit != UNIT_VALU)
		return false;
	for (unsigned k = 0; k < 3; k++)
		if (mode >> k & 1 && t->i->d.src[k] >= ISA_VGPR0)
			move_spans(t->e.reads, t->e.read_count, t->i->d.src[k], index);
	if (mode & 8 && t->i->d.dst >= ISA_VGPR0)
		move_spans(t->e.writes, t->e.write_count, t->i->d.dst, index);
	return true;
}

static bool move_relative(struct trial *t)
{
	const uint32_t m0 = t->w->s[ISA_M0];
	uint32_t of_source = m0, of_destination = m0;

	switch (t->i->d.op) {
	case OP_s_movrels_b32:
	case OP_s_movrels_b64:
	case OP_v_movrels_b32: of_destination = 0; break;
	case OP_s_movreld_b32:
	case OP_s_movreld_b64:
	case OP_v_movreld_b32: of_source = 0; break;
	case OP_v_movrelsd_b32: break;
	case OP_s_movrelsd_2_b32:
	case OP_v_movrelsd_2_b32:
		of_source = m0 & 0x3ff;
		of_destination = m0 >> 16 & 0x3ff;
		break;
	default: return false;
	}
	move_spans(t->e.reads, t->e.read_count, t->i->d.src[0], of_source);
	move_spans(t->e.writes, t->e.write_count, t->i->d.dst, of_destination);
	return true;
}

/* Lanes of EXEC that read something undefined. */
static uint64_t find_undefined_readers(const struct trial *t, uint64_t exec)
{
	uint64_t lanes = 0;

	for (unsigned n = 0; n < t->e.read_count; n++) {
		const struct isa_span s = t->e.reads[n];
		if (s.first == ISA_EXEC || !undefined_span(t->u, s, exec))
			continue;
		if (s.first < ISA_VGPR0 || t->i->d.form != FORM_PLAIN)
			return exec;
		for (unsigned k = 0; k < s.count; k++)
			lanes |= t->u->some[s.first - ISA_VGPR0 + k] & exec;
	}
	return lanes;
}

/* The instruction cannot be tried, because its registers are not those of its operands: in a lane with an undefined
 * source, the whole result is undefined. */
static void execute_moved(struct trial *t)
{
	const uint64_t exec = wave_exec_mask(t->w), undefined = find_undefined_readers(t, exec);

	for (unsigned n = 0; n < t->e.write_count; n++) {
		const struct isa_span s = t->e.writes[n];
		define_span(t->u, s, exec);
		for (unsigned k = 0; undefined && k < s.count; k++)
			if (s.first >= ISA_VGPR0)
				for (uint64_t l = undefined; l; l &= l - 1)
					set_undefined_lane(
						t->u, s.first - ISA_VGPR0 + k, __builtin_ctzll(l), UINT32_MAX);
			else if (s.first + k < ISA_EXEC)
				t->u->s[s.first + k] = UINT32_MAX;
	}
}

/* --- what instructions read and write --- */
/* By the place of the decoded instruction; code that changes has other places in the next launch at the latest. */
struct effects_cache {
	struct known_effects {
		const struct uop *i;
		uint64_t pc;
		struct isa_effects e;
	} known[EFFECTS_KNOWN];
};

static const struct isa_effects *find_effects(struct checker *c, const struct uop *i)
{
	static struct isa_effects none;

	if (!c->effects && !(c->effects = calloc(1, sizeof *c->effects)))
		return &none;
	struct known_effects *k = &c->effects->known[i->pc / 4 % EFFECTS_KNOWN];
	if (k->i != i || k->pc != i->pc) {
		isa_effects(&i->d, &k->e);
		k->i = i;
		k->pc = i->pc;
	}
	return &k->e;
}

void checker_forget_effects(struct checker *c)
{
	free(c->effects);
	c->effects = NULL;
}

void init_execute(struct wave *w, const struct uop *i)
{
	struct trial t = {.w = w, .i = i};

	if (!w->group->check || !(t.u = w->group->check->wave[w->index].registers) || i->d.op == OP_INVALID)
		return;
	t.e = *find_effects(w->m->checker, i);
	if (move_indexed(&t) || move_relative(&t))
		execute_moved(&t);
	else if (i->kind == UOP_PLAIN)
		execute_plain(&t);
	else if (i->kind == UOP_BRANCH)
		execute_branch(&t);
	else if (i->kind == UOP_MEMORY && init_is_crossbar(i->d.op))
		init_exchange_lanes(w, i, t.u);
	else if (i->kind == UOP_MEMORY)
		execute_memory(&t);
	else
		for (unsigned n = 0; n < t.e.write_count; n++)
			define_span(t.u, t.e.writes[n], wave_exec_mask(w));
}

void report_undefined(struct wave *w, const struct uop *i, unsigned lane, enum check_kind kind)
{
	const struct check_report found = {.kind = kind, .at = checker_describe_side(w, i, lane)};

	if (!checker_checks(w, CHECK_QUIET))
		check_reports_add(&w->m->checker->reports, &found);
}
