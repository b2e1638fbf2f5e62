/* Lessons: what a page must contain, and that every page of the course is valid and its steps can run. */
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
#include "experiments/course/lesson_fact.h"
#include "experiments/course/lesson_step.h"
#include "tests/scratch.h"

static const char page[] =
	"# A *title*\n\n## Question\n\nHow `long`\nis it?\n\n## Predict\n\n- [ ] short\n- [x] long\n\n## Run\n\nFirst:\n\n```wavedeck\nrun range-latency\n"
	"isa range-latency\n```\n\n## What the curve shows\n\n| range | cycles |\n|---|---|\n| 4 KiB | 239 |\n\n## Why\n\n- one\n- two\n\n```\nx = 1\n  y\n```\n\n"
	"## On other GPUs\n\nNo.\n\n## Exercises\n\n1. One?\n2. Two?\n\n## Answers\n\n1. Yes.\n2. No.\n";

static struct lesson *load(const char *text, struct err *e)
{
	char path[SCRATCH_PATH];
	int fd = mkstemps(scratch_path(path, "XXXXXX.md"), 3);
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

static void a_page_becomes_blocks(void **state)
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
	assert_string_equal(lesson_find_step(l, 2)->text, "isa range-latency");
	assert_null(lesson_find_step(l, 3));
	assert_string_equal(find(l, LESSON_ROW, 1)->text, "4 KiB\t239");
	assert_int_equal(find(l, LESSON_ITEM, 0)->number, 0);
	assert_string_equal(find(l, LESSON_CODE, 0)->text, "x = 1\n  y\n");
	assert_int_equal(find(l, LESSON_ITEM, 3)->number, 2);
	assert_int_equal(find(l, LESSON_ITEM, 3)->part, LESSON_EXERCISES);
	lesson_free(l);
}

/* The page with `from` replaced must be rejected with a message that contains `why`. */
static void reject_page(const char *from, const char *to, const char *why)
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

static void wrong_pages_are_rejected(void **state)
{
	(void)state;
	reject_page("# A *title*\n", "", "missing title");
	reject_page("## Predict", "## Guess", "unexpected section 'Guess'; expected 'Predict'");
	reject_page("[x]", "[ ]", "exactly one of them ticked");
	reject_page("[ ]", "[x]", "exactly one of them ticked");
	reject_page("```wavedeck", "```", "no steps");
	reject_page("2. Two?\n", "", "same length");
	reject_page("## Answers\n\n1. Yes.\n2. No.\n", "", "missing sections");
	reject_page("## Question", "Text.\n\n## Question", "outside of a section");
	reject_page("## Why", "### Why", "below sections are not allowed");
	reject_page("- one", "<div>\n\n- one", "HTML is not supported");
	reject_page("- one", "<!-- expect: step 3: latency 1 cycles -->\n\n- one", "does not have this step");
	reject_page("- one", "<!-- expect: step 1 latency 1 cycles -->\n\n- one", "write 'expect: step 1: FACT'");
	reject_page("- one", "<!-- expect: open file: latency 1 cycles -->\n\n- one", "write 'step 1', 'run EXP");
	reject_page("- one", "<!-- expect: step 1: latency at rangesize=4KiB -->\n\n- one", "cannot parse");
	reject_page("- one", "<!-- expect: step 1: latency rangesize=4KiB 1..2 -->\n\n- one", "cannot parse");
	reject_page("- one", "<!-- expect: step 1: latency 2..1 cycles -->\n\n- one", "cannot parse");
	reject_page("- one", "<!-- expect: step 1: latency 1..x cycles -->\n\n- one", "cannot parse");
	reject_page("- one", "<!-- expect: step 1: latency 1..2 cycles more -->\n\n- one", "cannot parse");
	reject_page("- one", "<!-- expect: step 1: says nothing -->\n\n- one", "cannot parse");
}

/* --- facts --- */
static const char facts_text[] =
	"<!-- a note -->\n\n<!-- expect: step 1: latency at rangesize=16KiB 239.5..240.6 cycles\n"
	"     latency at rangesize=32KiB variant=compiled over rangesize=16KiB 1.5..1.6\n     TCC_HIT_sum at rangesize=32KiB 7 -->\n\n"
	"<!-- expect: isa range-latency variant=compiled: says \"10 \"quoted\" lines\" -->\n\n- one";

static struct lesson *page_with_facts(void)
{
	struct err e = {0};
	struct buf b = {0};
	const char *at = strstr(page, "- one");
	buf_add(&b, page, (size_t)(at - page));
	buf_puts(&b, facts_text);
	buf_puts(&b, at + strlen("- one"));
	struct lesson *l = load(b.data, &e);
	buf_free(&b);
	if (!l)
		fail_msg("%s", e.text);
	return l;
}

static void facts_are_read(void **state)
{
	(void)state;
	struct lesson *l = page_with_facts();
	const struct lesson_fact *f = l->facts;
	assert_int_equal(l->fact_count, 4);
	assert_string_equal(f[0].command, "run range-latency");
	assert_true(f[0].step == 1 && f[0].part == LESSON_WHY && f[0].low == 239.5 && f[0].high == 240.6 &&
		!f[0].over && !f[0].says);
	assert_string_equal(f[0].quantity, "latency");
	assert_string_equal(f[0].at, "rangesize=16KiB");
	assert_string_equal(f[0].unit, "cycles");
	assert_string_equal(f[1].at, "rangesize=32KiB variant=compiled");
	assert_string_equal(f[1].over, "rangesize=16KiB");
	assert_string_equal(f[1].unit, "");
	assert_true(f[2].low == 7 && f[2].high == 7);
	assert_int_equal(f[3].step, 0);
	assert_string_equal(f[3].command, "isa range-latency variant=compiled");
	assert_string_equal(f[3].says, "10 \"quoted\" lines");
	assert_string_equal(find(l, LESSON_ITEM, 0)->text, "one"); /* comments are not shown */
	lesson_free(l);
}

static const char points[] =
	"{\"header\":{\"columns\":{\"params\":[{\"id\":\"rangesize\",\"unit\":\"B\"},{\"id\":\"variant\",\"unit\":\"\",\"choices\":[\"published\",\"compiled\"]}],"
	"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0}],\"counters\":[\"TCC_HIT_sum\"]}},\"points\":["
	"{\"status\":\"ok\",\"verify\":\"ok\",\"params\":{\"rangesize\":16384,\"variant\":\"published\"},\"seconds\":[1],\"metrics\":{\"latency\":240}},"
	"{\"status\":\"ok\",\"verify\":\"ok\",\"params\":{\"rangesize\":32768,\"variant\":\"compiled\"},\"seconds\":[1],\"metrics\":{\"latency\":372},"
	"\"counters\":{\"TCC_HIT_sum\":7}}]}";

static bool judged(struct lesson_fact f, const char *found_has)
{
	json_t *run = json_loads(points, 0, NULL);
	char found[200];
	assert_non_null(run);
	bool holds = lesson_fact_holds(&f, "10 \"quoted\" lines\n", run, found, sizeof found);
	if (!strstr(found, found_has))
		fail_msg("'%s' lacks '%s'", found, found_has);
	json_decref(run);
	return holds;
}

static void facts_are_compared(void **state)
{
	(void)state;
	struct lesson *l = page_with_facts();
	struct lesson_fact f = l->facts[0];
	assert_true(judged(f, "240 cycles"));
	f.high = 239.9;
	assert_false(judged(f, "240 cycles"));
	f.high = 241, f.low = 240.1;
	assert_false(judged(f, "240 cycles"));
	f.low = 239, snprintf(f.unit, sizeof f.unit, "us");
	assert_false(judged(f, "240 cycles"));
	f = l->facts[0], f.at = (char *)"rangesize=8KiB";
	assert_false(judged(f, "none of 2 points matches"));
	f.at = (char *)"";
	assert_false(judged(f, "2 points match"));
	f.at = (char *)"size=16KiB";
	assert_false(judged(f, "none of"));
	f = l->facts[0], f.quantity = (char *)"time";
	assert_false(judged(f, "time is not available"));
	assert_true(judged(l->facts[1], "1.55"));
	f = l->facts[1], f.high = 1.54;
	assert_false(judged(f, "1.55"));
	assert_true(judged(l->facts[2], "7"));
	assert_true(judged(l->facts[3], ""));
	f = l->facts[3], f.says = (char *)"11 lines";
	assert_false(judged(f, ""));
	lesson_free(l);
}

static bool names_step(const struct lesson *l, int step)
{
	for (int i = 0; i < l->fact_count; i++)
		if (l->facts[i].step == step)
			return true;
	return false;
}

static void complain(void *ctx, const char *line)
{
	(void)ctx;
	fail_msg("%s", line);
}

static void the_course_is_valid(void **state)
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
			if (!lesson_step_check(lesson_find_step(all.list[i], s), &c, &e))
				fail_msg("%s.md, step %d: %s", all.list[i]->id, s, e.text);
	for (int i = 0; i < all.count; i++) {
		const struct lesson *l = all.list[i];
		for (int s = 1; s <= l->step_count; s++)
			if (!names_step(l, s))
				fail_msg("%s.md: step %d has no fact", l->id, s);
		for (int k = 0; k < l->fact_count; k++)
			if (!lesson_fact_check(&l->facts[k], &c, &e))
				fail_msg("%s.md, '%s': %s", l->id, l->facts[k].text, e.text);
	}
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

static void unknown_steps_are_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	struct catalog c;
	char *experiments = path_catalog();
	struct lesson_block step = {.text = (char *)"run range-latency rangsize=4KiB"};
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
		cmocka_unit_test(a_page_becomes_blocks),
		cmocka_unit_test(wrong_pages_are_rejected),
		cmocka_unit_test(facts_are_read),
		cmocka_unit_test(facts_are_compared),
		cmocka_unit_test(the_course_is_valid),
		cmocka_unit_test(unknown_steps_are_rejected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
