/* The course: in every step the question fits its curve, no letter is the key to the answers, words are defined before
 * they are used, documents are introduced by their titles; every answer has a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tests/experiments/command_check.h"
#include "experiments/course/lesson_axes.h"
#include "experiments/course/lesson_fact.h"
#include "experiments/course/lesson_source.h"
#include "experiments/course/lessons.h"

static struct lessons course;
static struct catalog catalog;

static void fail_with_line(void *ctx, const char *line)
{
	(void)ctx;
	fail_msg("%s", line);
}

static int load_course(void **state)
{
	(void)state;
	struct err e = {0};
	char *folder = path_share("lessons"), *experiments = path_catalog();
	if (!lessons_load(folder, &course, fail_with_line, NULL, &e) ||
		!catalog_load(experiments, &catalog, NULL, NULL, &e))
		fail_msg("%s", e.text);
	free(folder);
	free(experiments);
	return 0;
}

static int free_course(void **state)
{
	(void)state;
	catalog_free(&catalog);
	lessons_free(&course);
	return 0;
}

static bool has_fact_of(const struct lesson *l, int step, const char *command)
{
	for (int i = 0; i < l->fact_count; i++)
		if (step ? l->facts[i].step == step : !strcmp(l->facts[i].command, command))
			return true;
	return false;
}

/* In every step, the x axis and the metric of the question are those of the curve. */
static void every_question_names_its_axes(void **state)
{
	(void)state;
	struct err e = {0};
	assert_true(course.count >= 25);
	for (int i = 0; i < course.count; i++)
		for (int step = 1; step <= course.list[i]->step_count; step++) {
			const struct lesson *l = course.list[i];
			struct lesson_command c;
			if (!lesson_step_check(l, step, &catalog, &e))
				fail_msg("%s.md, step %d: %s", l->id, step, e.text);
			assert_true(lesson_command_read(l->steps[step - 1].command, &catalog, true, "", &c, &e));
			assert_string_equal(lesson_command_x(&c), l->steps[step - 1].x);
			lesson_command_free(&c);
			if (!has_fact_of(l, step, NULL))
				fail_msg("%s.md: step %d has no fact", l->id, step);
		}
}

/* The parser rejects an unknown kind; a lesson of one's own may have no source at all. */
static void every_answer_has_a_source(void **state)
{
	(void)state;
	int kinds[SOURCE_KINDS] = {0};
	for (int i = 0; i < course.count; i++)
		for (int step = 1; step <= course.list[i]->step_count; step++) {
			int sources = lesson_count_sources(course.list[i], step);
			if (!sources)
				fail_msg("%s.md: step %d does not say on what its answer rests ('### Source')",
					course.list[i]->id, step);
			for (int n = 1; n <= sources; n++)
				kinds[lesson_find_block(course.list[i], step, LESSON_BASIS, n)->source]++;
		}
	for (int kind = 0; kind < SOURCE_KINDS; kind++)
		if (!kinds[kind])
			fail_msg("no answer has a source of the kind '%s'", lesson_source_name((enum source_kind)kind));
}

static bool check_fact_params(const struct experiment *x, const char *at, struct err *e)
{
	char *copy = xstrdup(at);
	bool ok = true;
	double value;
	for (char *save = NULL, *w = strtok_r(copy, " ", &save); ok && w; w = strtok_r(NULL, " ", &save)) {
		char *text = strchr(w, '=');
		*text++ = 0;
		int param = experiment_find_param(x, w);
		ok = param >= 0 ? param_parse(&x->params[param], text, &value, e)
				: err_set(e, ST_REQUEST, "%s: unknown parameter '%s'", x->id, w);
	}
	free(copy);
	return ok;
}

static bool check_fact_quantity(const struct lesson_fact *f, const struct experiment *x, struct err *e)
{
	for (int i = 0; i < x->metric_count; i++)
		if (!strcmp(x->metrics[i].id, f->quantity))
			return f->over || !strcmp(x->metrics[i].unit, f->unit) ||
				err_set(e, ST_REQUEST, "%s of %s has the unit '%s', not '%s'", f->quantity, x->id,
					x->metrics[i].unit, f->unit);
	return strstr(f->command, f->quantity) || err_set(e, ST_REQUEST, "%s: unknown metric '%s'", x->id, f->quantity);
}

/* Whether its command is valid and has the metric or counter, the unit and the parameters. Measures nothing. */
static bool check_fact(const struct lesson_fact *f, struct catalog *c, struct err *e)
{
	char id[64] = "";
	if (!check_lesson_command(f->command, c, e))
		return false;
	if (f->says)
		return true;
	sscanf(f->command, "run %63s", id);
	struct experiment *x = *id ? catalog_find(c, id, e) : NULL;
	if (!*id)
		return err_set(e, ST_REQUEST, "numbers need a 'run' command; for 'isa' write says \"TEXT\"");
	return x && check_fact_quantity(f, x, e) && check_fact_params(x, f->at, e) &&
		(!f->over || check_fact_params(x, f->over, e));
}

static void every_command_and_fact_is_valid(void **state)
{
	(void)state;
	struct err e = {0};
	for (int i = 0; i < course.count; i++) {
		const struct lesson *l = course.list[i];
		for (int k = 0; k < l->block_count; k++)
			if (l->blocks[k].kind == LESSON_COMMAND &&
				!check_lesson_command(l->blocks[k].text, &catalog, &e))
				fail_msg("%s.md, '%s': %s", l->id, l->blocks[k].text, e.text);
		for (int k = 0; k < l->fact_count; k++)
			if (!check_fact(&l->facts[k], &catalog, &e))
				fail_msg("%s.md, '%s': %s", l->id, l->facts[k].text, e.text);
	}
	for (int i = 0; i < catalog.count; i++) {
		char id[64];
		snprintf(id, sizeof id, "%.*s", (int)strcspn(catalog.list[i]->lesson, "."), catalog.list[i]->lesson);
		if (*id && !lessons_find(&course, id, &e))
			fail_msg("%s: %s", catalog.list[i]->id, e.text);
	}
}

/* Who always takes the same letter is right no more often than by chance. */
static void no_letter_is_a_key(void **state)
{
	(void)state;
	for (unsigned visit = 0; visit < 20; visit++) {
		int right[LESSON_CHOICES_MAX] = {0}, steps = 0;
		for (int i = 0; i < course.count; i++)
			for (int step = 1; step <= course.list[i]->step_count; step++, steps++) {
				int order[LESSON_CHOICES_MAX], place = 0;
				lesson_order_choices(course.list[i], step, visit, order);
				while (order[place] != lesson_right_choice(course.list[i], step))
					place++;
				right[place]++;
			}
		for (int place = 0; place < LESSON_CHOICES_MAX; place++)
			if (right[place] * 2 > steps)
				fail_msg("visit %u: %c is right in %d of %d steps", visit, 'a' + place, right[place],
					steps);
	}
}

/* --- language --- */
/* Words that are known, or names; the other capitals must be explained in Words before they are used. */
static const char *const known_capitals[] = {"AMD", "NVIDIA", "CPU", "GPU", "HIP", "CUDA", "LLVM", "LLVM's", "AMDGPU",
	"SISchedule", "GB", "TB", "KB", "MB", "MI25", "MI60", "MI100", "MI200", "MI300", "V100", "RDNA3", "TFLOP",
	"GFLOP", "RX", "XTX", "G80", "ISA", "SASS", "SIMT", "L1", "L2", "L", "B", "MSE", "FETCH", "BRANCH", "ROCm",
	"GCN3", "II", "VII", "H200", "MI210", "CSC", "IEEE", "MD", "C"};

static bool is_known_capital(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof known_capitals / sizeof *known_capitals; i++)
		if (strlen(known_capitals[i]) == n && !strncmp(known_capitals[i], word, n))
			return true;
	return false;
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether one of the words before the colon, separated by commas, is this one. */
static bool defines_word(const char *definition, const char *word, size_t n)
{
	size_t end = strcspn(definition, ":");
	for (const char *at = definition; at < definition + end; at += strcspn(at, ",:") + 1) {
		at += strspn(at, " `");
		if ((size_t)strcspn(at, ",:`") == n && !strncmp(at, word, n))
			return true;
	}
	return false;
}

/* Up to the lesson of that number, inclusive. */
static bool is_defined_by(int lesson, const char *word, size_t n)
{
	for (int i = 0; i <= lesson; i++)
		for (int k = 0; k < course.list[i]->block_count; k++) {
			const struct lesson_block *b = &course.list[i]->blocks[k];
			if (b->part == LESSON_WORDS && defines_word(b->text, word, n))
				return true;
		}
	return false;
}

static bool is_abbreviation(const char *word, size_t n)
{
	size_t capitals = 0;
	for (size_t i = 0; i < n; i++)
		capitals += isupper((unsigned char)word[i]) || isdigit((unsigned char)word[i]);
	return n >= 2 && isupper((unsigned char)word[0]) && capitals == n;
}

/* Code is not text: spans in backticks are skipped. */
static void check_abbreviations(int lesson, const char *text)
{
	bool code = false;
	for (const char *at = text; *at;) {
		if (*at == '`')
			code = !code;
		if (!is_word_byte(*at)) {
			at++;
			continue;
		}
		size_t n = 0;
		while (is_word_byte(at[n]))
			n++;
		size_t stem = n > 2 && at[n - 1] == 's' ? n - 1 : n; /* CUs */
		if (!code && is_abbreviation(at, stem) && !is_known_capital(at, stem) &&
			!is_defined_by(lesson, at, stem))
			fail_msg("%s.md: '%.*s' is not defined in Words, here or in an earlier lesson: %.60s",
				course.list[lesson]->id, (int)stem, at, text);
		at += n;
	}
}

/* A source names documents, with words of their titles. */
static bool is_prose(const struct lesson_block *b)
{
	return b->kind != LESSON_CODE && b->kind != LESSON_COMMAND && b->kind != LESSON_ROW && b->kind != LESSON_BASIS;
}

static void abbreviations_are_defined_before_use(void **state)
{
	(void)state;
	for (int i = 0; i < course.count; i++)
		for (int k = 0; k < course.list[i]->block_count; k++)
			if (is_prose(&course.list[i]->blocks[k]))
				check_abbreviations(i, course.list[i]->blocks[k].text);
}

/* The start of a definition, up to the colon, as a whole word in the text. */
static bool uses_word(const char *text, const char *word, size_t n)
{
	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || !is_word_byte(at[-1])) && !is_word_byte(at[n]))
			return true;
	return false;
}

/* No lesson uses a word that only a later one defines. */
static void words_are_defined_before_use(void **state)
{
	(void)state;
	for (int later = 1; later < course.count; later++)
		for (int k = 0; k < course.list[later]->block_count; k++) {
			const struct lesson_block *d = &course.list[later]->blocks[k];
			char word[64];
			if (d->part != LESSON_WORDS)
				continue;
			snprintf(word, sizeof word, "%.*s", (int)strcspn(d->text, ",:"), d->text);
			for (int i = 0; i < later; i++)
				for (int m = 0; m < course.list[i]->block_count; m++) {
					const struct lesson_block *b = &course.list[i]->blocks[m];
					if (is_prose(b) && uses_word(b->text, word, strlen(word)) &&
						!is_defined_by(i, word, strlen(word)))
						fail_msg("%s.md uses '%s', which %s.md defines: %.70s",
							course.list[i]->id, word, course.list[later]->id, b->text);
				}
		}
}

/* Short names of documents and the titles that introduce them, in each lesson before or with the first use. */
static void documents_are_introduced(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{"Vega64 notes", "HIP performance optimization on Vega64"},
		{"CUDA lecture notes", "CUDA program optimization"},
		{"Fixstars article", "AMD GCN ISA and NVIDIA SASS address arithmetic"},
		{"Instruction roofline", "arXiv 2110.08221"},
	};
	static const char *const anonymous[] = {
		"the source", "The source", "original program", "The lecture", "the lecture "};
	for (int i = 0; i < course.count; i++) {
		struct buf all = {0};
		for (int k = 0; k < course.list[i]->block_count; k++)
			buf_printf(&all, "%s ", course.list[i]->blocks[k].text);
		for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
			const char *used = strstr(all.data, names[n][0]), *title = strstr(all.data, names[n][1]);
			if (used && (!title || title > used + 160))
				fail_msg("%s.md uses '%s' without its title, '%s'", course.list[i]->id, names[n][0],
					names[n][1]);
		}
		for (size_t n = 0; n < sizeof anonymous / sizeof *anonymous; n++)
			if (strstr(all.data, anonymous[n]))
				fail_msg("%s.md says '%s'; name the document", course.list[i]->id, anonymous[n]);
		buf_free(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_question_names_its_axes),
		cmocka_unit_test(every_answer_has_a_source),
		cmocka_unit_test(every_command_and_fact_is_valid),
		cmocka_unit_test(no_letter_is_a_key),
		cmocka_unit_test(abbreviations_are_defined_before_use),
		cmocka_unit_test(words_are_defined_before_use),
		cmocka_unit_test(documents_are_introduced),
	};
	return cmocka_run_group_tests(tests, load_course, free_course);
}
