#include "experiments/course/lesson_markdown.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct reader {
	const struct markdown *m;
	const char *source, *counted; /* `line` is counted up to here */
	size_t length;
	int line, item_line; /* at the start of the item */
	struct buf text, info;
	size_t link_from;                               /* in `text`: where the words of a link start */
	bool ordered, task, ticked, item, quote, table; /* table: cells have no backticks */
	int number, rows, cells;
};

static void copy_attribute(struct buf *b, const MD_ATTRIBUTE *a)
{
	buf_clear(b);
	buf_add(b, a->text ? a->text : "", a->size);
}

static void emit_block(struct reader *r, enum lesson_kind kind, int number)
{
	buf_add(&r->text, "", 0);
	if (r->text.len)
		r->m->block(r->m->ctx, kind, number, r->ticked, r->text.data, r->info.data ? r->info.data : "");
	buf_clear(&r->text);
}

/* md4c 0.4 misses the box of an item behind an item that ends with a quote. */
static void read_missed_box(struct reader *r)
{
	if (r->task || r->ordered || r->text.len < 4 ||
		(memcmp(r->text.data, "[ ] ", 4) && memcmp(r->text.data, "[x] ", 4)))
		return;
	r->task = true;
	r->ticked = r->text.data[1] == 'x';
	memmove(r->text.data, r->text.data + 4, r->text.len - 4);
	r->text.len -= 4;
}

/* An item's text ends at the first block inside it, or at the end of the item. */
static void emit_item(struct reader *r)
{
	if (!r->item)
		return;
	read_missed_box(r);
	if (r->m->line && r->item_line)
		*r->m->line = r->item_line;
	emit_block(r, r->task ? LESSON_CHOICE : LESSON_ITEM, r->ordered ? r->number : 0);
	r->item = false;
}

static void enter_item(struct reader *r, const MD_BLOCK_LI_DETAIL *d)
{
	r->item = true;
	r->item_line = 0;
	r->task = d->is_task;
	r->ticked = d->is_task && d->task_mark != ' ';
	r->number++;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct reader *r = ctx;
	switch (type) {
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		r->ordered = type == MD_BLOCK_OL;
		r->number = r->ordered ? (int)((MD_BLOCK_OL_DETAIL *)detail)->start - 1 : 0;
		break;
	case MD_BLOCK_LI: enter_item(r, detail); break;
	case MD_BLOCK_HTML: emit_item(r); break;
	case MD_BLOCK_QUOTE:
		emit_item(r);
		r->quote = true;
		break;
	case MD_BLOCK_CODE:
		emit_item(r);
		copy_attribute(&r->info, &((MD_BLOCK_CODE_DETAIL *)detail)->lang);
		break;
	case MD_BLOCK_TABLE:
		r->rows = 0;
		r->table = true;
		break;
	case MD_BLOCK_TR: r->cells = 0; break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
		if (r->cells++)
			buf_puts(&r->text, "\t");
		break;
	default: break;
	}
	return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct reader *r = ctx;
	switch (type) {
	case MD_BLOCK_H:
		buf_add(&r->text, "", 0);
		r->m->heading(r->m->ctx, (int)((MD_BLOCK_H_DETAIL *)detail)->level, r->text.data);
		buf_clear(&r->text);
		break;
	case MD_BLOCK_P:
		if (r->item)
			emit_item(r);
		else
			emit_block(r, r->quote && r->task ? LESSON_FEEDBACK : LESSON_PARAGRAPH, 0);
		break;
	case MD_BLOCK_LI:
		emit_item(r);
		r->task = false;
		break;
	case MD_BLOCK_QUOTE: r->quote = false; break;
	case MD_BLOCK_CODE: emit_block(r, LESSON_CODE, 0); break;
	case MD_BLOCK_HTML:
		buf_add(&r->text, "", 0);
		r->m->html(r->m->ctx, r->text.data);
		buf_clear(&r->text);
		break;
	case MD_BLOCK_TR: emit_block(r, LESSON_ROW, r->rows++); break;
	case MD_BLOCK_TABLE: r->table = false; break;
	default: break;
	}
	return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct reader *r = ctx;
	if (type == MD_SPAN_CODE && !r->table)
		buf_puts(&r->text, "`");
	if (type == MD_SPAN_A) {
		copy_attribute(&r->info, &((MD_SPAN_A_DETAIL *)detail)->href);
		r->link_from = r->text.len;
	}
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct reader *r = ctx;
	(void)detail;
	if (type == MD_SPAN_CODE && !r->table)
		buf_puts(&r->text, "`");
	if (type == MD_SPAN_A) {
		buf_add(&r->text, "", 0);
		r->m->link(r->m->ctx, r->info.data, r->text.data + r->link_from);
	}
	return 0;
}

/* md4c reports no lines, but most texts point into the source. */
static void count_lines_to(struct reader *r, const char *text)
{
	if (text < r->counted || text >= r->source + r->length)
		return;
	for (; r->counted < text; r->counted++)
		r->line += *r->counted == '\n';
	if (r->m->line)
		*r->m->line = r->line;
}

static int handle_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *ctx)
{
	struct reader *r = ctx;
	count_lines_to(r, text);
	if (r->item && !r->item_line)
		r->item_line = r->line;
	if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
		buf_puts(&r->text, " ");
	else
		buf_add(&r->text, text, size);
	return 0;
}

bool markdown_read(const char *text, size_t len, const struct markdown *m)
{
	const MD_PARSER parser = {
		.flags = MD_FLAG_TABLES | MD_FLAG_TASKLISTS | MD_FLAG_NOHTMLSPANS | MD_FLAG_NOINDENTEDCODEBLOCKS,
		.enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = handle_text,
	};
	struct reader r = {.m = m, .source = text, .counted = text, .length = len, .line = 1};
	bool ok = !md_parse(text, (MD_SIZE)len, &parser, &r);
	buf_free(&r.text);
	buf_free(&r.info);
	return ok;
}
