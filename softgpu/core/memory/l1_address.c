#include "softgpu/core/memory/l1_address.h"

#include <string.h>

#include "base/min_max.h"

enum {
	LINE_BYTES = 64,
	DATA_BANKS = 16,
	QUAD = 4,
	QUADS = 4,
	SPANS = 4,               /* requests in a cycle */
	SPAN_LINES = 2 * SPANS,  /* that they touch at most */
	SPAN_DWORDS = 5 * SPANS, /* a misaligned element of four dwords touches five */
	TAG_BANKS_MAX = SPAN_LINES,
};

/* Contiguous bytes that one cycle requests. */
struct span {
	uint64_t at;
	uint32_t bytes;
};

/* Requests of one cycle. */
struct cycle_spans {
	struct span span[SPANS];
	unsigned count;
};

static void add_span(struct cycle_spans *c, uint64_t at, uint32_t bytes)
{
	if (bytes)
		c->span[c->count++] = (struct span){at, bytes};
}

/* --- banks --- */
/* The dwords of a span, counted from the address of the first lane: what meets in a bank does not depend on where the
 * access begins. */
struct dwords {
	uint64_t first, last;
};

static struct dwords dwords_of(const struct span *s, uint64_t base)
{
	const uint64_t from = s->at - base + (UINT64_C(1) << 62);

	return (struct dwords){from >> 2, (from + s->bytes - 1) >> 2};
}

/* The dwords of a cycle that meet in one bank of the data. */
static unsigned count_data_conflicts(const struct cycle_spans *c, uint64_t base)
{
	struct dwords span[SPANS];
	uint64_t dword[SPAN_DWORDS], first = UINT64_MAX, last = 0;
	uint8_t used[DATA_BANKS] = {0};
	unsigned count = 0, most = 1;

	for (unsigned k = 0; k < c->count; k++) {
		span[k] = dwords_of(&c->span[k], base);
		first = min_u64(first, span[k].first);
		last = max_u64(last, span[k].last);
	}
	if (last - first < DATA_BANKS)
		return 1;
	for (unsigned k = 0; k < c->count; k++)
		for (uint64_t d = span[k].first; d <= span[k].last; d++) {
			bool known = false;
			for (unsigned j = 0; j < count && !known; j++)
				known = dword[j] == d;
			if (known)
				continue;
			dword[count++] = d;
			if (++used[d % DATA_BANKS] > most)
				most = used[d % DATA_BANKS];
		}
	return most;
}

/* What a tag bank requested last; UINT64_MAX: nothing yet. */
struct tag_banks {
	uint64_t last[TAG_BANKS_MAX];
	unsigned count;
};

static void request_line(struct tag_banks *banks, uint64_t line, unsigned cycle, bool reads, struct access_lines *out)
{
	uint64_t *last = &banks->last[line % banks->count];
	const bool joins = *last == line || (reads && access_lines_have(out, line));

	*last = line;
	if (!joins)
		access_lines_append(out, line, cycle);
}

/* The lines of a cycle, each in its bank's turn; returns how many of them meet in one. */
static unsigned request_lines(
	struct tag_banks *banks, const struct cycle_spans *c, bool reads, struct access_lines *out)
{
	uint64_t seen[SPAN_LINES];
	uint8_t used[TAG_BANKS_MAX] = {0};
	unsigned count = 0, most = 1;

	for (unsigned k = 0; k < c->count; k++)
		for (uint64_t line = c->span[k].at / LINE_BYTES;
			line <= (c->span[k].at + c->span[k].bytes - 1) / LINE_BYTES; line++) {
			bool known = false;
			for (unsigned j = 0; j < count && !known; j++)
				known = seen[j] == line;
			if (known)
				continue;
			seen[count++] = line;
			const unsigned turn = used[line % banks->count]++;
			request_line(banks, line, out->cycles + turn, reads, out);
			if (turn + 1 > most)
				most = turn + 1;
		}
	return most;
}

static void add_cycle(
	struct tag_banks *banks, const struct cycle_spans *c, const struct lane_bytes *x, struct access_lines *out)
{
	if (!c->count)
		return;
	const uint64_t base = x->at[__builtin_ctzll(x->lanes)];
	const unsigned tags = request_lines(banks, c, x->reads, out),
		       data = x->reads ? count_data_conflicts(c, base) : 1;
	out->cycles += tags > data ? tags : data;
}

/* --- lanes --- */
/* Requests of a quad's lanes: one if they are contiguous or the same, else one of each. */
static unsigned join_quad(const struct lane_bytes *x, unsigned first, struct span *out)
{
	const uint64_t lanes = x->lanes >> first & ((1u << QUAD) - 1);
	bool same = true, contiguous = true;
	unsigned count = 0, lane = first;

	for (uint64_t e = lanes; e; e &= e - 1) {
		const unsigned l = first + __builtin_ctzll(e);
		if (!x->bytes[l])
			continue;
		out[count] = (struct span){x->at[l], x->bytes[l]};
		if (!count)
			lane = l;
		else {
			same &= out[count].at == out[0].at;
			contiguous &= out[count].at == out[0].at + (l - lane) * (uint64_t)x->bytes[lane];
		}
		count++;
	}
	if (count > 1 && (same || contiguous)) {
		out->bytes = out[count - 1].at + out[count - 1].bytes - out->at;
		return 1;
	}
	return count;
}

static void address_dwords(struct tag_banks *banks, const struct lane_bytes *x, struct access_lines *out)
{
	for (unsigned group = 0; group < MAX_LANES; group += QUAD * QUADS) {
		struct span quad[QUADS][QUAD];
		unsigned count[QUADS], most = 0;
		for (unsigned q = 0; q < QUADS; q++) {
			count[q] = join_quad(x, group + q * QUAD, quad[q]);
			most = count[q] > most ? count[q] : most;
		}
		for (unsigned turn = 0; turn < most; turn++) {
			struct cycle_spans c = {.count = 0};
			for (unsigned q = 0; q < QUADS; q++)
				if (turn < count[q])
					add_span(&c, quad[q][turn].at, quad[q][turn].bytes);
			add_cycle(banks, &c, x, out);
		}
	}
}

static void address_wide(struct tag_banks *banks, const struct lane_bytes *x, struct access_lines *out)
{
	for (unsigned quad = 0; quad < MAX_LANES; quad += QUAD) {
		struct cycle_spans c = {.count = 0};
		for (uint64_t e = x->lanes >> quad & ((1u << QUAD) - 1); e; e &= e - 1)
			add_span(&c, x->at[quad + __builtin_ctzll(e)], x->bytes[quad + __builtin_ctzll(e)]);
		add_cycle(banks, &c, x, out);
	}
}

void l1_address_lanes(unsigned tag_banks, const struct lane_bytes *x, struct access_lines *out)
{
	struct tag_banks banks = {.count = tag_banks};

	memset(banks.last, 0xff, sizeof banks.last);
	if (x->wide)
		address_wide(&banks, x, out);
	else
		address_dwords(&banks, x, out);
}
