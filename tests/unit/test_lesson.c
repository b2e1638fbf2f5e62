/* Lessons: what a page must have, and that every page of the course has it and can be carried out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/lesson_step.h"

static const char page[] =
	"# A *title*\n\n## Question\n\nHow `long`\nis it?\n\n## Predict\n\n- [ ] short\n- [x] long\n\n## Run\n\nFirst:\n\n```wavedeck\nrun range-latency\n"
	"isa range-latency\n```\n\n## What the curve shows\n\n| range | cycles |\n|---|---|\n| 4 KiB | 239 |\n\n## Why\n\n- one\n- two\n\n```\nx = 1\n  y\n```\n\n"
	"## On other GPUs\n\nNo.\n\n## Exercises\n\n1. One?\n2. Two?\n\n## Answers\n\n1. Yes.\n2. No.\n";

static struct lesson *load(const char *text, struct err *e)
{
	char path[] = "/tmp/lesson-XXXXXX.md";
	int fd = mkstemps(path, 3);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	struct lesson *l = lesson_load(path, e);
	unlink(path);
	return l;
}

static const struct lesson_block *find(const struct lesson *l, enum lesson_kind kind, int nth)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].kind == kind && !nth--)
			return &l->blocks[i];
	fail_msg("the page lacks a block of kind %d", (int)kind);
	return NULL;
}

static void blocks(void **state)
{
	(void)state;
	struct err e = {0};
	struct lesson *l = load(page, &e);
	if (!l)
		fail_msg("%s", e.text);
	assert_string_equal(l->title, "A title");
	assert_string_equal(find(l, LESSON_PARAGRAPH, 0)->text, "How `long` is it?");
	assert_true(find(l, LESSON_CHOICE, 1)->right);
	assert_false(find(l, LESSON_CHOICE, 0)->right);
	assert_int_equal(l->step_count, 2);
	assert_string_equal(lesson_step(l, 2)->text, "isa range-latency");
	assert_null(lesson_step(l, 3));
	assert_string_equal(find(l, LESSON_ROW, 1)->text, "4 KiB\t239");
	assert_int_equal(find(l, LESSON_ITEM, 0)->number, 0);
	assert_string_equal(find(l, LESSON_CODE, 0)->text, "x = 1\n  y\n");
	assert_int_equal(find(l, LESSON_ITEM, 3)->number, 2);
	assert_int_equal(find(l, LESSON_ITEM, 3)->part, LESSON_EXERCISES);
	lesson_free(l);
}

/* The page with `from` replaced must be refused with a line that has `why` in it. */
static void refused(const char *from, const char *to, const char *why)
{
	struct err e = {0};
	struct buf b = {0};
	const char *at = strstr(page, from);
	assert_non_null(at);
	buf_add(&b, page, (size_t)(at - page));
	buf_puts(&b, to);
	buf_puts(&b, at + strlen(from));
	struct lesson *l = load(b.data, &e);
	buf_free(&b);
	if (l || !strstr(e.text, why))
		fail_msg("'%s' for '%s': %s", to, from, l ? "accepted" : e.text);
}

static void mistakes(void **state)
{
	(void)state;
	refused("# A *title*\n", "", "no title");
	refused("## Predict", "## Guess", "'Guess' stands where 'Predict'");
	refused("[x]", "[ ]", "one of them right");
	refused("[ ]", "[x]", "one of them right");
	refused("```wavedeck", "```", "no step");
	refused("2. Two?\n", "", "same length");
	refused("## Answers\n\n1. Yes.\n2. No.\n", "", "last sections");
	refused("## Question", "Text.\n\n## Question", "belongs to a section");
	refused("## Why", "### Why", "not divided");
}

static void complain(void *ctx, const char *line)
{
	(void)ctx;
	fail_msg("%s", line);
}

static void course(void **state)
{
	(void)state;
	struct err e = {0};
	struct lessons all;
	struct catalog c;
	char *folder = path_share("lessons"), *experiments = path_catalog();
	if (!lessons_load(folder, &all, complain, NULL, &e) || !catalog_load(experiments, &c, NULL, NULL, &e))
		fail_msg("%s", e.text);
	assert_true(all.count > 0);
	for (int i = 0; i < all.count; i++)
		for (int s = 1; s <= all.list[i]->step_count; s++)
			if (!lesson_step_check(lesson_step(all.list[i], s), &c, &e))
				fail_msg("%s.md, step %d: %s", all.list[i]->id, s, e.text);
	for (int i = 0; i < c.count; i++) {
		char id[64];
		snprintf(id, sizeof id, "%.*s", (int)strcspn(c.list[i]->lesson, "."), c.list[i]->lesson);
		if (*id && !lessons_find(&all, id, &e))
			fail_msg("%s: %s", c.list[i]->id, e.text);
	}
	catalog_free(&c);
	lessons_free(&all);
	free(folder);
	free(experiments);
}

static void unknown(void **state)
{
	(void)state;
	struct err e = {0};
	struct catalog c;
	char *experiments = path_catalog();
	struct lesson_block step = { .text = (char *)"run range-latency rangsize=4KiB" };
	assert_true(catalog_load(experiments, &c, NULL, NULL, &e));
	assert_false(lesson_step_check(&step, &c, &e));
	assert_non_null(strstr(e.text, "rangesize"));
	step.text = (char *)"open file";
	assert_false(lesson_step_check(&step, &c, &e));
	catalog_free(&c);
	free(experiments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks), cmocka_unit_test(mistakes), cmocka_unit_test(course), cmocka_unit_test(unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
