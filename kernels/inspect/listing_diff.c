/* Aligns two listings by longest common subsequences. */
#include "kernels/inspect/listing_diff.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"

enum {
	CELLS_MAX = 32 << 20, /* of the table; longer listings are aligned only at their equal ends */
	TEXT = 128
};

/* --- equality of lines --- */
static bool starts_register(const char *text, const char *at)
{
	return strchr("vsa", *at) && (isdigit((unsigned char)at[1]) || at[1] == '[') &&
		(at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'));
}

/* Skips the register at `at`; *width: its size in dwords. */
static const char *skip_register(const char *at, unsigned *width)
{
	unsigned low, high;
	int n = 0;
	*width = 1;
	if (sscanf(at + 1, "[%u:%u]%n", &low, &high, &n) == 2 && n) {
		*width = high - low + 1;
		return at + 1 + n;
	}
	return at + 1 + strspn(at + 1, "0123456789[]");
}

static bool is_branch(const char *text)
{
	return !strncmp(text, "s_branch", 8) || !strncmp(text, "s_cbranch", 9);
}

char *listing_strip_registers(const char *text, char *out, size_t size)
{
	size_t n = 0;
	unsigned width;
	const char *end = text + (is_branch(text) ? strcspn(text, " ") : strlen(text));
	for (const char *at = text; at < end && n + 8 < size;) {
		if (!starts_register(text, at)) {
			out[n++] = *at++;
			continue;
		}
		out[n++] = *at;
		at = skip_register(at, &width);
		if (width > 1)
			n += (size_t)snprintf(out + n, size - n, "[%u]", width);
	}
	out[n] = 0;
	return out;
}

/* One key per line: equal keys mean equal lines. */
static uint64_t *line_keys(struct listing_range s, bool renamed)
{
	char text[TEXT];
	uint64_t *k = xcalloc(s.count + 1, sizeof *k);
	for (size_t i = 0; i < s.count; i++) {
		snprintf(text, sizeof text, "%s", s.lines[s.from + i].text);
		if (renamed)
			listing_strip_registers(s.lines[s.from + i].text, text, sizeof text);
		k[i] = hash_text(HASH_START, text);
	}
	return k;
}

static uint64_t *mnemonic_keys(struct listing_range s)
{
	uint64_t *k = xcalloc(s.count + 1, sizeof *k);
	for (size_t i = 0; i < s.count; i++)
		k[i] = s.lines[s.from + i].inst.op ? s.lines[s.from + i].inst.op : UINT64_MAX - i;
	return k;
}

/* --- rows --- */
struct builder {
	struct listing_diff out;
	size_t space;
};

static void add_diff_row(struct builder *b, enum listing_row_kind kind, size_t left, size_t right)
{
	if (b->out.count == b->space)
		b->out.rows = xrealloc(b->out.rows, (b->space = 2 * b->space + 64) * sizeof *b->out.rows);
	b->out.rows[b->out.count++] = (struct listing_row){
		kind, kind == LISTING_ROW_RIGHT ? -1 : (int)left, kind == LISTING_ROW_LEFT ? -1 : (int)right};
	b->out.of_kind[kind]++;
}

/* --- longest common subsequence --- */
struct part {
	const uint64_t *key;
	size_t from, end;
}; /* keys [from, end) */
typedef void gap(void *ctx, struct part left, struct part right);
typedef void match(void *ctx, size_t left, size_t right);
struct walk {
	gap *gap;
	match *match;
	void *ctx;
};

static uint16_t *build_lcs_table(struct part l, struct part r, size_t width)
{
	size_t n = l.end - l.from, m = r.end - r.from;
	uint16_t *t = xcalloc((n + 1) * width, sizeof *t); /* t[i][j]: for the parts from i and j on */
	for (size_t i = n; i-- > 0;)
		for (size_t j = m; j-- > 0;) {
			uint16_t down = t[(i + 1) * width + j], across = t[i * width + j + 1];
			t[i * width + j] = l.key[l.from + i] == r.key[r.from + j]
				? (uint16_t)(t[(i + 1) * width + j + 1] + 1)
				: down > across ? down
						: across;
		}
	return t;
}

static void walk_table(const struct walk *w, struct part l, struct part r)
{
	size_t width = r.end - r.from + 1, i = l.from, j = r.from, left = i, right = j;
	uint16_t *t = build_lcs_table(l, r, width);
	while (i < l.end && j < r.end) {
		const uint16_t *here = t + (i - l.from) * width + (j - r.from);
		if (l.key[i] == r.key[j]) {
			w->gap(w->ctx, (struct part){l.key, left, i}, (struct part){r.key, right, j});
			w->match(w->ctx, i++, j++);
			left = i;
			right = j;
		} else if (here[width] >= here[1]) {
			i++;
		} else {
			j++;
		}
	}
	free(t);
	w->gap(w->ctx, (struct part){l.key, left, l.end}, (struct part){r.key, right, r.end});
}

/* Matches equal ends first: two variants of a kernel share most of their lines. */
static void align_ranges(const struct walk *w, struct part l, struct part r)
{
	size_t tail = 0;
	while (l.from < l.end && r.from < r.end && l.key[l.from] == r.key[r.from])
		w->match(w->ctx, l.from++, r.from++);
	while (l.from < l.end && r.from < r.end && l.key[l.end - 1] == r.key[r.end - 1])
		l.end--, r.end--, tail++;
	if ((l.end - l.from + 1) * (r.end - r.from + 1) <= CELLS_MAX && l.end - l.from < UINT16_MAX)
		walk_table(w, l, r);
	else
		w->gap(w->ctx, l, r);
	for (size_t i = 0; i < tail; i++)
		w->match(w->ctx, l.end + i, r.end + i);
}

/* --- two passes: equal lines, then equal mnemonics between them --- */
struct levels {
	struct builder b;
	struct listing_range left, right;
	const uint64_t *left_op, *right_op;
};

static void add_same(void *ctx, size_t l, size_t r)
{
	struct levels *v = ctx;
	add_diff_row(&v->b, LISTING_ROW_SAME, v->left.from + l, v->right.from + r);
}

static void add_changed(void *ctx, size_t l, size_t r)
{
	struct levels *v = ctx;
	add_diff_row(&v->b, LISTING_ROW_CHANGED, v->left.from + l, v->right.from + r);
}

static void add_unmatched(void *ctx, struct part l, struct part r)
{
	struct levels *v = ctx;
	for (size_t i = l.from; i < l.end; i++)
		add_diff_row(&v->b, LISTING_ROW_LEFT, v->left.from + i, 0);
	for (size_t i = r.from; i < r.end; i++)
		add_diff_row(&v->b, LISTING_ROW_RIGHT, 0, v->right.from + i);
}

static void match_mnemonics(void *ctx, struct part l, struct part r)
{
	struct levels *v = ctx;
	const struct walk w = {add_unmatched, add_changed, v};
	align_ranges(&w, (struct part){v->left_op, l.from, l.end}, (struct part){v->right_op, r.from, r.end});
}

struct listing_diff listing_diff_compute(struct listing_range left, struct listing_range right, bool renamed)
{
	uint64_t *lk = line_keys(left, renamed), *rk = line_keys(right, renamed), *lo = mnemonic_keys(left),
		 *ro = mnemonic_keys(right);
	struct levels v = {.left = left, .right = right, .left_op = lo, .right_op = ro};
	const struct walk w = {match_mnemonics, add_same, &v};
	align_ranges(&w, (struct part){lk, 0, left.count}, (struct part){rk, 0, right.count});
	free(lk);
	free(rk);
	free(lo);
	free(ro);
	return v.b.out;
}

void listing_diff_free(struct listing_diff *a)
{
	free(a->rows);
	*a = (struct listing_diff){0};
}
