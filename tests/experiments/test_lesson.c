/* Lessons: what a page must contain, the order of choices, questions that do not fit their curves, facts. */
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
#include "tests/experiments/command_check.h"
#include "experiments/course/lesson_answer.h"
#include "experiments/course/lesson_axes.h"
#include "experiments/course/lesson_fact.h"
#include "experiments/course/lesson_source.h"
#include "tests/scratch.h"

static const char page[] =
	"# A *title*\n\nAn introduction.\n\n## Words\n\n- range: memory that is read.\n- `hit`: found.\n\n"
	"## How long?\n\nIt reads `long`\nwords.\n\n```wavedeck\nrun range-latency\n```\n\n"
	"What is [the latency](metric:latency) over [the range](x:rangesize)?\n\n"
	"- [ ] short\n  > It is not.\n- [x] long\n- [ ] longer\n  > Not so long.\n\n"
	"### Answer\n\n| range | cycles |\n|---|---|\n| 4 KiB | `239` |\n\n- one\n- two\n\n```\nx = 1\n  y\n```\n\n"
	"```wavedeck\nisa range-latency\nrun lds-latency\n```\n\n"
	"### Source\n\n- board: a note,\n  section 1.\n- model: the rest.\n\n"
	"## Again\n\n```wavedeck\nrun lds-latency\n```\n\nHow does [it](metric:latency) change with [lanes](x:lanes)?\n\n"
	"- [x] no\n- [ ] yes\n  > Why?\n\n### Answer\n\nNo.\n\n"
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
	assert_int_equal(l->step_count, 2);
	assert_string_equal(find(l, LESSON_PARAGRAPH, 0)->text, "An introduction.");
	assert_string_equal(find(l, LESSON_PARAGRAPH, 1)->text, "It reads `long` words.");
	assert_string_equal(find(l, LESSON_ITEM, 1)->text, "`hit`: found.");
	assert_int_equal(find(l, LESSON_ITEM, 1)->part, LESSON_WORDS);
	assert_string_equal(find(l, LESSON_CODE, 0)->text, "x = 1\n  y\n");
	assert_string_equal(find(l, LESSON_ROW, 1)->text, "4 KiB\t239");
	assert_int_equal(lesson_count_exercises(l), 2);
	assert_string_equal(lesson_find_exercise(l, LESSON_ANSWERS, 2)->text, "No.");
	assert_null(lesson_find_exercise(l, LESSON_ANSWERS, 3));
	lesson_free(l);
}

static void a_step_has_a_question_and_a_curve(void **state)
{
	(void)state;
	struct err e = {0};
	struct lesson *l = load(page, &e);
	if (!l)
		fail_msg("%s", e.text);
	const struct lesson_step *s = lesson_find_step(l, 1);
	assert_string_equal(s->title, "How long?");
	assert_string_equal(s->command, "run range-latency");
	assert_string_equal(s->metric, "latency");
	assert_string_equal(s->metric_words, "latency"); /* without its article */
	assert_string_equal(s->x, "rangesize");
	assert_int_equal(s->choice_count, 3);
	assert_int_equal(lesson_find_step(l, 2)->choice_count, 2);
	assert_string_equal(lesson_find_block(l, 1, LESSON_ASK, 0)->text, "What is the latency over the range?");
	assert_int_equal(lesson_right_choice(l, 1), 2); /* behind a choice that ends with a quote */
	assert_int_equal(lesson_right_choice(l, 2), 1);
	assert_string_equal(lesson_find_block(l, 1, LESSON_CHOICE, 2)->text, "long");
	assert_string_equal(lesson_find_block(l, 1, LESSON_FEEDBACK, 1)->text, "It is not.");
	assert_string_equal(lesson_find_block(l, 1, LESSON_FEEDBACK, 3)->text, "Not so long.");
	assert_null(lesson_find_block(l, 1, LESSON_FEEDBACK, 2));
	assert_int_equal(lesson_count_commands(l, 1), 2);
	assert_string_equal(lesson_find_block(l, 1, LESSON_COMMAND, 2)->text, "run lds-latency");
	assert_null(lesson_find_step(l, 0));
	assert_null(lesson_find_step(l, 3));
	lesson_free(l);
}

/* Each choice stands somewhere; another visit has another order; the right one is not bound to a letter. */
static void choices_are_shuffled(void **state)
{
	(void)state;
	struct err e = {0};
	struct lesson *l = load(page, &e);
	assert_non_null(l);
	snprintf(l->id, sizeof l->id, "test"); /* the name of the temporary file differs */
	int at[3] = {0}, same = 0, order[LESSON_CHOICES_MAX], again[LESSON_CHOICES_MAX];
	for (unsigned visit = 0; visit < 600; visit++) {
		lesson_order_choices(l, 1, visit, order);
		lesson_order_choices(l, 1, visit, again);
		assert_memory_equal(order, again, sizeof order);
		int seen = 0;
		for (int i = 0; i < 3; i++) {
			assert_in_range(order[i], 1, 3);
			seen |= 1 << order[i];
			at[i] += order[i] == 2;
		}
		assert_int_equal(seen, 2 | 4 | 8);
		lesson_order_choices(l, 1, visit + 1, again);
		same += !memcmp(order, again, sizeof order);
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(at[i], 150, 250);
	assert_in_range(same, 50, 150);
	lesson_free(l);
}

/* The page with `from` replaced must be rejected with a message that contains `why`. */
/* The first occurrence; the caller frees the text. */
static char *replace_text(const char *text, const char *from, const char *to)
{
	struct buf b = {0};
	const char *at = strstr(text, from);
	assert_non_null(at);
	buf_add(&b, text, (size_t)(at - text));
	buf_puts(&b, to);
	buf_puts(&b, at + strlen(from));
	return b.data;
}

static void reject_page(const char *from, const char *to, const char *why)
{
	struct err e = {0};
	char *text = replace_text(page, from, to);
	struct lesson *l = load(text, &e);
	free(text);
	if (l || !strstr(e.text, why))
		fail_msg("'%s' for '%s': %s", to, from, l ? "accepted" : e.text);
}

static void wrong_pages_are_rejected(void **state)
{
	(void)state;
	reject_page("# A *title*\n", "", "text before the title");
	reject_page("## Words", "# Words", "second title");
	reject_page("[x] long", "[ ] long", "exactly one of them ticked");
	reject_page("[ ] short", "[x] short", "exactly one of them ticked");
	reject_page("  > It is not.\n", "", "below each wrong choice");
	reject_page("```wavedeck\nrun range-latency\n```", "", "'How long?' has no curve");
	reject_page("run range-latency", "run range-latency\nrun lds-latency", "one 'run' before its answer");
	reject_page("run range-latency", "isa range-latency", "one 'run' before its answer");
	reject_page("[the latency](metric:latency)", "the latency", "a question has two links");
	reject_page("](x:rangesize)", "](size)", "a question has two links");
	reject_page("What is", "[It](metric:latency) is [it](x:rangesize).\n\nWhat is", "second question");
	reject_page("What is [the latency](metric:latency) over [the range](x:rangesize)?\n", "", "has no question");
	reject_page("### Answer\n\nNo.", "No.", "has no '### Answer'");
	reject_page("### Answer", "### Reply", "only '### Answer'");
	reject_page("### Source", "### Source\n\n### Source", "and '### Source' behind it");
	reject_page(
		"### Answer\n\n| range", "### Source\n\n- model: all.\n\n### Answer\n\n| range", "only '### Answer'");
	reject_page("2. Two?\n", "", "same length");
	reject_page("## On other GPUs", "## Exercises", "unexpected section 'Exercises' after 'Exercises'");
	reject_page("## On other GPUs", "## Because", "'Because' has no question");
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

static void a_source_has_a_kind(void **state)
{
	(void)state;
	struct err e = {0};
	struct lesson *l = load(page, &e);
	if (!l)
		fail_msg("%s", e.text);
	assert_int_equal(lesson_count_sources(l, 1), 2);
	assert_int_equal(lesson_count_sources(l, 2), 0); /* optional */
	const struct lesson_block *first = lesson_find_block(l, 1, LESSON_BASIS, 1);
	assert_true(first->source == SOURCE_BOARD && first->part == LESSON_SOURCE);
	assert_string_equal(first->text, "a note, section 1.");
	assert_int_equal(lesson_find_block(l, 1, LESSON_BASIS, 2)->source, SOURCE_MODEL);
	char *text = lesson_source_format(first);
	assert_string_equal(text, "measured on this board: a note, section 1.");
	free(text);
	for (int i = 0; i < SOURCE_KINDS; i++)
		assert_non_null(strstr(lesson_source_names(), lesson_source_name((enum source_kind)i)));
	lesson_free(l);
	reject_page(
		"- board: a note,", "- boards: a note,", "unknown source 'boards: a note, section 1.'; write a list");
	reject_page("- board: a note,\n  section 1.", "- board:", "unknown source 'board:'");
	reject_page("- model: the rest.", "\nThe rest.", "unknown source 'The rest.'");
	reject_page("- board: a note,\n  section 1.\n- model: the rest.\n", "", "has nothing below '### Source'");
}

/* The line of the item, also when the item has several. */
static void a_wrong_source_is_reported_with_its_line(void **state)
{
	(void)state;
	struct err e = {0};
	char *text = replace_text(page, "- board: a note", "- bord: a note"), where[40];
	int line = 1;
	for (const char *at = text; at < strstr(text, "- bord:"); at++)
		line += *at == '\n';
	assert_null(load(text, &e));
	snprintf(where, sizeof where, ".md:%d: unknown source", line);
	if (!strstr(e.text, where))
		fail_msg("'%s' in '%s'", where, e.text);
	free(text);
}

/* The step of the page with `from` replaced must not fit its experiment. */
static void reject_step(struct catalog *c, int step, const char *from, const char *to, const char *why)
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
	if (!l)
		fail_msg("%s", e.text);
	if (lesson_step_check(l, step, c, &e) || !strstr(e.text, why))
		fail_msg("'%s' for '%s': %s", to, from, e.text);
	lesson_free(l);
}

/* A question about something else than what the command sweeps is found. */
static void questions_must_fit_their_curves(void **state)
{
	(void)state;
	struct err e = {0};
	struct catalog c;
	char *experiments = path_catalog();
	assert_true(catalog_load(experiments, &c, NULL, NULL, &e));
	struct lesson *l = load(page, &e);
	assert_non_null(l);
	for (int step = 1; step <= 2; step++)
		if (!lesson_step_check(l, step, &c, &e))
			fail_msg("%s", e.text);
	lesson_free(l);
	reject_step(&c, 1, "(x:rangesize)", "(x:reads)", "the question is about 'reads'");
	reject_step(&c, 1, "(metric:latency)", "(metric:time)", "unknown metric 'time'");
	reject_step(&c, 1, "run range-latency", "run range-latency rangesize=4KiB", "measures a single point");
	reject_step(&c, 1, "run range-latency", "run range-latency rangesize=4KiB,8KiB reads=1024,2048",
		"the question is about 'rangesize'");
	reject_step(&c, 1, "run range-latency", "run range-latncy", "range-latency");
	catalog_free(&c);
	free(experiments);
}

/* --- facts --- */
static const char facts_text[] =
	"<!-- a note -->\n\n<!-- expect: step 1: latency at rangesize=16KiB 239.5..240.6 cycles\n"
	"     latency at rangesize=32KiB variant=compiled over rangesize=16KiB 1.5..1.6\n     TCC_HIT_sum at rangesize=32KiB 7\n"
	"     wrong latency at rangesize=8KiB 190 cycles -->\n"
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
	assert_int_equal(l->fact_count, 5);
	assert_string_equal(f[0].command, "run range-latency");
	assert_true(f[0].step == 1 && f[0].part == LESSON_REVEAL && f[0].low == 239.5 && f[0].high == 240.6 &&
		!f[0].over && !f[0].says);
	assert_string_equal(f[0].quantity, "latency");
	assert_string_equal(f[0].at, "rangesize=16KiB");
	assert_string_equal(f[0].unit, "cycles");
	assert_string_equal(f[1].at, "rangesize=32KiB variant=compiled");
	assert_string_equal(f[1].over, "rangesize=16KiB");
	assert_string_equal(f[1].unit, "");
	assert_true(f[2].low == 7 && f[2].high == 7 && !f[2].wrong);
	assert_true(f[3].wrong);
	assert_string_equal(f[3].quantity, "latency");
	assert_string_equal(f[3].at, "rangesize=8KiB");
	assert_int_equal(f[4].step, 0);
	assert_string_equal(f[4].command, "isa range-latency variant=compiled");
	assert_string_equal(f[4].says, "10 \"quoted\" lines");
	assert_string_equal(find(l, LESSON_ITEM, 2)->text, "one"); /* comments are not shown */
	lesson_free(l);
}

static const char points[] =
	"{\"header\":{\"columns\":{\"params\":[{\"id\":\"rangesize\",\"unit\":\"B\"},{\"id\":\"variant\",\"unit\":\"\",\"choices\":[\"published\",\"compiled\"]}],"
	"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0}],\"counters\":[\"TCC_HIT_sum\"]}},\"points\":["
	"{\"status\":\"ok\",\"verify\":\"ok\",\"params\":{\"rangesize\":16384,\"variant\":\"published\"},\"seconds\":[1],\"metrics\":{\"latency\":240}},"
	"{\"status\":\"ok\",\"verify\":\"ok\",\"params\":{\"rangesize\":32768,\"variant\":\"compiled\"},\"seconds\":[1],\"metrics\":{\"latency\":372},"
	"\"counters\":{\"TCC_HIT_sum\":7}},"
	"{\"status\":\"ok\",\"verify\":\"failed\",\"verify_text\":\"out[3]\",\"params\":{\"rangesize\":8192,\"variant\":\"published\"},"
	"\"seconds\":[1],\"metrics\":{\"latency\":190}}]}";

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
	f = l->facts[0], f.at = (char *)"rangesize=4KiB";
	assert_false(judged(f, "none of 3 points matches"));
	f.at = (char *)"";
	assert_false(judged(f, "3 points match"));
	f.at = (char *)"size=16KiB";
	assert_false(judged(f, "none of"));
	f = l->facts[0], f.quantity = (char *)"time";
	assert_false(judged(f, "time is not available"));
	assert_true(judged(l->facts[1], "1.55"));
	f = l->facts[1], f.high = 1.54;
	assert_false(judged(f, "1.55"));
	assert_true(judged(l->facts[2], "7"));
	assert_true(judged(l->facts[3], "190 cycles"));
	f = l->facts[3], f.wrong = false;
	assert_false(judged(f, "wrong result: out[3]"));
	f = l->facts[0], f.wrong = true;
	assert_false(judged(f, "the result is right"));
	assert_true(judged(l->facts[4], ""));
	f = l->facts[4], f.says = (char *)"11 lines";
	assert_false(judged(f, ""));
	lesson_free(l);
}

static void unknown_commands_are_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	struct catalog c;
	const char *step = "run range-latency rangsize=4KiB";
	char *experiments = path_catalog();
	assert_true(catalog_load(experiments, &c, NULL, NULL, &e));
	assert_false(check_lesson_command(step, &c, &e));
	assert_non_null(strstr(e.text, "rangesize"));
	step = "open file";
	assert_false(check_lesson_command(step, &c, &e));
	catalog_free(&c);
	free(experiments);
}

/* --- the ticked choice and the curve --- */
static const char stride_page[] = "# T\n\nText.\n\n## Strides\n\n```wavedeck\nrun lds-bank-conflict\n```\n\n"
				  "At which of these [strides](x:stride) is [the latency](metric:latency) highest?\n\n"
				  "- [ ] 7\n  > Odd.\n- [x] 16\n- [ ] `31`\n  > Odd.\n\n### Answer\n\nSo.\n";

/* Latencies at the strides 7, 16, 31 and 32. */
static enum lesson_answer compare_answer(const char *from, const char *to, const double latency[4], char found[300])
{
	static const double strides[] = {7, 16, 31, 32};
	struct err e = {0};
	char *text = replace_text(stride_page, from, to);
	struct lesson *l = load(text, &e);
	if (!l)
		fail_msg("%s", e.text);
	json_t *run = json_loads("{\"header\":{\"columns\":{\"params\":[{\"id\":\"stride\",\"unit\":\"words\"}],"
				 "\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0}]},"
				 "\"sweep\":{\"param\":\"stride\",\"values\":[7,16,31,32]}},\"points\":[]}",
		0, NULL);
	assert_non_null(run);
	for (int i = 0; i < 4; i++)
		json_array_append_new(json_object_get(run, "points"),
			json_pack("{s:s,s:s,s:{s:f},s:[f],s:{s:f}}", "status", "ok", "verify", "ok", "params", "stride",
				strides[i], "seconds", 1.0, "metrics", "latency", latency[i]));
	enum lesson_answer a = lesson_answer_compare(l, 1, run, found, 300);
	json_decref(run);
	lesson_free(l);
	free(text);
	return a;
}

static void expect_answer(
	const char *from, const char *to, const double latency[4], enum lesson_answer expected, const char *says)
{
	char found[300];
	enum lesson_answer a = compare_answer(from, to, latency, found);
	if (a != expected || !strstr(found, says))
		fail_msg("'%s' to '%s': %d, '%s'", from, to, (int)a, found);
}

static void the_ticked_choice_is_compared_with_the_curve(void **state)
{
	(void)state;
	static const double latency[] = {85, 115.4, 85, 147.4}, flat[] = {85, 115.4, 115.39, 147.4};
	expect_answer("", "", latency, ANSWER_HOLDS, "highest: 115.4 cycles at 16");
	/* with 32 among the points, the question asks for another stride */
	expect_answer("At which of these [strides]", "At which [stride]", latency, ANSWER_FAILS,
		".md:15: the ticked choice '16' has 115.4 cycles; at 32 words it is 147.4 cycles; ask 'which of these'");
	expect_answer(
		"highest", "lowest", latency, ANSWER_FAILS, "'16' has 115.4 cycles; at 7 it is 85 cycles; tick that");
	expect_answer("- [x] 16", "- [x] 12", latency, ANSWER_FAILS,
		".md:15: the ticked choice '12' is not a point of the curve");
	expect_answer("", "", flat, ANSWER_FAILS, "two choices are right");
	/* what cannot be compared */
	expect_answer("- [ ] 7", "- [ ] None of these.", latency, ANSWER_NOT_COMPARED, "");
	expect_answer("At which of these [strides](x:stride) is [the latency](metric:latency) highest?",
		"From which [stride](x:stride) on is [it](metric:latency) above half of the highest?", latency,
		ANSWER_NOT_COMPARED, "");
	expect_answer(" highest?", " odd?", latency, ANSWER_NOT_COMPARED, "");
}

static void mistakes_name_the_line_of_the_choice(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to, *where;
	} mistakes[] = {{"- [ ] 7", "- [x] 7", ".md:15:"}, {"  > Odd.\n- [x]", "- [x]", ".md:13:"},
		{"- [ ] `31`\n  > Odd.\n", "- [ ] `31`\n", ".md:16:"}};
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct err e = {0};
		char *text = replace_text(stride_page, mistakes[i].from, mistakes[i].to);
		assert_null(load(text, &e));
		if (!strstr(e.text, mistakes[i].where))
			fail_msg("not %s %s", mistakes[i].where, e.text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_becomes_blocks),
		cmocka_unit_test(a_step_has_a_question_and_a_curve),
		cmocka_unit_test(choices_are_shuffled),
		cmocka_unit_test(wrong_pages_are_rejected),
		cmocka_unit_test(a_source_has_a_kind),
		cmocka_unit_test(a_wrong_source_is_reported_with_its_line),
		cmocka_unit_test(questions_must_fit_their_curves),
		cmocka_unit_test(facts_are_read),
		cmocka_unit_test(facts_are_compared),
		cmocka_unit_test(unknown_commands_are_rejected),
		cmocka_unit_test(the_ticked_choice_is_compared_with_the_curve),
		cmocka_unit_test(mistakes_name_the_line_of_the_choice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
