#include "checks/check_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

void count_append(struct buf *b, uint64_t n)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%" PRIu64, n);
	size_t length = strlen(digits);
	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buf_puts(b, ",");
		buf_add(b, &digits[i], 1);
	}
}

void count_append_times(struct buf *b, uint64_t n)
{
	if (n == 1) {
		buf_puts(b, "once");
		return;
	}
	count_append(b, n);
	buf_puts(b, " times");
}

static void append_bytes(struct buf *b, uint64_t n)
{
	count_append(b, n);
	buf_printf(b, " byte%s", plural_s(n));
}

static void append_verb(struct buf *b, const struct check_access *a)
{
	static const char *const verbs[] = {"accesses", "reads", "writes", "atomically updates"};
	buf_printf(b, "%s ", verbs[a->access]);
	append_bytes(b, a->bytes);
}

/* --- memory --- */
static const char *const memory_suffixes[] = {"", " of LDS", " of scratch", " of arguments"};

/* "the workgroup's 256 bytes of LDS" */
static void append_whole(struct buf *b, const struct check_record *r)
{
	static const char *const owners[] = {"the ", "the workgroup's ", "the work-item's ", "the kernel's "};
	if (r->allocation.variable) {
		buf_printf(b, "variable %s (", r->allocation.variable);
		append_bytes(b, r->room);
		buf_puts(b, ")");
		return;
	}
	buf_puts(b, owners[r->space]);
	append_bytes(b, r->room);
	if (r->buffer && *r->buffer) {
		buf_printf(b, " of buffer %s", r->buffer);
		return;
	}
	if (r->space != MEMORY_GLOBAL)
		buf_puts(b, memory_suffixes[r->space]);
	else if (r->allocation.number)
		buf_printf(b, " from %s", r->allocation.how);
	else
		buf_puts(b, " of the allocation");
}

/* "512 of 1,024 bytes of LDS" */
static void append_inside(struct buf *b, const struct check_record *r)
{
	buf_puts(b, "at byte ");
	count_append(b, r->at.address - r->start);
	buf_puts(b, " of ");
	append_bytes(b, r->room);
	buf_puts(b, memory_suffixes[r->space]);
}

static void append_address(struct buf *b, const struct check_record *r)
{
	if (memory_space_has_addresses(r->space))
		buf_printf(b, "at 0x%" PRIx64, r->at.address);
	else
		buf_printf(b, "at byte %" PRIu64 " of %s", r->at.address, r->space == MEMORY_LDS ? "LDS" : "scratch");
}

/* ", 24 bytes before the start of ..." Differences, so that no address overflows. */
static void append_distance(struct buf *b, const struct check_record *r)
{
	const uint64_t at = r->at.address - r->start, behind = at - r->room;
	buf_puts(b, behind ? ", " : " ");
	if (r->at.address < r->start && (int64_t)at < 0) {
		append_bytes(b, -at);
		buf_puts(b, " before the start of ");
	} else if (at < r->room) {
		append_bytes(b, at + r->at.bytes - r->room);
		buf_puts(b, " of them past the end of ");
	} else if (!behind) {
		buf_puts(b, "right past the end of ");
	} else {
		append_bytes(b, behind);
		buf_puts(b, " past the end of ");
	}
	append_whole(b, r);
}

static bool is_inside(const struct check_record *r)
{
	const uint64_t at = r->at.address - r->start;
	return r->room && r->room >= r->at.bytes && at <= r->room - r->at.bytes;
}

static void append_outside(struct buf *b, const struct check_record *r)
{
	if (r->room && !is_inside(r)) {
		append_distance(b, r);
		return;
	}
	buf_puts(b, " ");
	append_address(b, r);
}

static void append_freed(struct buf *b, const struct check_record *r)
{
	buf_puts(b, " ");
	is_inside(r) ? append_inside(b, r) : append_address(b, r);
	buf_puts(b, is_inside(r) ? " that were freed" : ", which was freed");
}

static void append_unmapped(struct buf *b, const struct check_record *r)
{
	buf_puts(b, " ");
	append_address(b, r);
	buf_puts(b, ", where no memory is");
	if (r->room && !is_inside(r))
		append_distance(b, r);
}

static void append_misaligned(struct buf *b, const struct check_record *r)
{
	/* An atomic must be aligned to its size, a load or store to a dword. */
	const uint32_t size = r->at.bytes & -r->at.bytes;
	const uint32_t align = r->kind == KIND_MISALIGNED_ATOMIC || size < 4 ? size : 4;
	buf_puts(b, " ");
	append_address(b, r);
	buf_printf(b, ", which is not a multiple of %u", align);
}

static void append_within(struct buf *b, const struct check_record *r)
{
	buf_puts(b, " ");
	is_inside(r) ? append_inside(b, r) : append_address(b, r);
}

static void append_awaited(struct buf *b, const struct check_record *r)
{
	append_within(b, r);
	buf_puts(b, " again and again, and no wave is left that could change it");
}

static void append_read_later(struct buf *b, const struct check_record *r)
{
	append_within(b, r);
	buf_puts(b, ": an uninitialized value, which the host reads later");
}

/* --- sides --- */
/* How a kind's access goes on. A kind without a row names the address. */
static void (*const endings[CHECK_KINDS])(struct buf *b, const struct check_record *r) = {
	[KIND_OUT_OF_BOUNDS] = append_outside,
	[KIND_LDS_OUT_OF_BOUNDS] = append_outside,
	[KIND_SCRATCH_OUT_OF_BOUNDS] = append_outside,
	[KIND_USE_AFTER_FREE] = append_freed,
	[KIND_UNMAPPED] = append_unmapped,
	[KIND_MISALIGNED] = append_misaligned,
	[KIND_MISALIGNED_ATOMIC] = append_misaligned,
	[KIND_STUCK_WAVE] = append_awaited,
	[KIND_UNDEFINED_COPY] = append_read_later,
};

/* What an uninitialized value decides. */
static const char *const decides[CHECK_KINDS] = {
	[KIND_UNDEFINED_ADDRESS] = "uses an uninitialized value as an address",
	[KIND_UNDEFINED_BRANCH] = "branches on an uninitialized value",
	[KIND_UNDEFINED_MASK] = "decides by an uninitialized value whether this work-item goes on here",
	[KIND_UNDEFINED_ATOMIC] = "updates an uninitialized value",
	[KIND_UNDEFINED_STORE] = "stores an uninitialized value to memory of the host",
};

/* Kinds whose sides are not what they access. */
static const struct {
	const char *at, *other;
} sides[CHECK_KINDS] = {
	[KIND_DIVERGED_BARRIER] = {"the wave waits at this barrier without this work-item", "it goes on here later"},
	[KIND_EARLY_RETURN] = {"other work-items wait at this barrier, but this one has returned", NULL},
	[KIND_DIFFERENT_BARRIERS] = {"a wave waits here", "while another one waits here"},
	[KIND_STUCK_WAVE] = {NULL, "while another wave waits at this barrier"},
	[KIND_LANE_RACE] = {NULL, "writes another value there"},
};

void access_append_words(struct buf *b, const struct check_record *r)
{
	const char *words = decides[r->kind] ? decides[r->kind] : sides[r->kind].at;
	if (words) {
		buf_puts(b, words);
		return;
	}
	append_verb(b, &r->at);
	endings[r->kind] ? endings[r->kind](b, r) : append_within(b, r);
}

void other_append_words(struct buf *b, const struct check_record *r)
{
	static const char *const verbs[] = {"accessed", "read", "wrote", "atomically updated"};
	if (sides[r->kind].other)
		buf_puts(b, sides[r->kind].other);
	else
		buf_printf(b, "%s there before", verbs[r->other.access]);
}

static void append_axes(struct buf *b, const uint32_t *at, int axes)
{
	for (int i = 0; i < axes; i++)
		buf_printf(b, "%s%" PRIu32, i ? "," : "", at[i]);
}

void item_append_words(struct buf *b, const struct check_record *r, const struct check_access *a)
{
	buf_puts(b, "work-item ");
	append_axes(b, a->item, r->axes);
	if (a == &r->at || memcmp(a->group, r->at.group, sizeof a->group)) {
		buf_puts(b, " of workgroup ");
		append_axes(b, a->group, r->axes);
	}
	buf_printf(b, " (wave %" PRIu32 ", lane %" PRIu32 ")", a->wave, a->lane);
}
