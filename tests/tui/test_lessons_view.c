/* The lesson view without a device: nothing of the answer before the prediction is locked in, choices and their marks,
 * curves with the axes of their questions, votes, saved progress, lessons with mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/paths.h"
#include "base/settings.h"
#include "tests/tui/screen_state.h"
#include "experiments/course/lesson_axes.h"
#include "experiments/definition/definition.h"
#include "tui/shell/keymap.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/views/lessons/lesson_rows.h"
#include "tui/views/lessons/lessons_view.h"
#include "plot/series_mark.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/key_codes.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];
static struct app a;

/* A home folder for the test, and a device that cannot be opened. */
static int home(void **state)
{
	(void)state;
	struct err e = {0};
	log_to_stderr((enum log_level)(LOG_ERROR + 1)); /* the test provokes errors; keep them off the terminal */
	assert_non_null(mkdtemp(scratch_path(folder, "lessons-XXXXXX")));
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("WAVEDECK_WORKER", "/proc/none/worker", 1);
	if (!app_open(&a, "soft:mi25", NULL, &e))
		fail_msg("%s", e.text);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	char command[SCRATCH_PATH + 16];
	app_close(&a);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command);
}

static void act(const char *name, const char *argument)
{
	struct err e = {0};
	if (!app_run_action(&a, name, argument, &e))
		fail_msg("%s", e.text);
}

static void lacks(const char *text, const char *what)
{
	if (strstr(text, what))
		fail_msg("'%s' is on the screen:\n%s", what, text);
}

/* The beginnings of all blocks that would reveal the answer of a step. */
static void hides_answers(const struct lesson *l, int step, const char *text)
{
	char begin[25];
	for (int i = 0; i < l->block_count; i++) {
		const struct lesson_block *b = &l->blocks[i];
		bool answer = (b->part == LESSON_REVEAL || b->part == LESSON_SOURCE || b->kind == LESSON_FEEDBACK) &&
			b->step >= step;
		if (!answer || strlen(b->text) < sizeof begin || b->kind == LESSON_ROW)
			continue;
		snprintf(begin, sizeof begin, "%.24s", b->text);
		lacks(text, begin);
	}
}

static void shows(int w, int h, const char *what, bool expected)
{
	char *text = made_screen(&a, w, h);
	if ((strstr(text, what) != NULL) != expected)
		fail_msg("'%s' is %son the screen:\n%s", what, expected ? "not " : "", text);
	free(text);
}

static struct step_state *open_question(const char *lesson)
{
	act("lessons", lesson);
	act("lesson-right", NULL);
	struct step_state *s = lessons_view_step(&a);
	assert_non_null(s);
	return s;
}

static const char *letter_action(const struct step_state *s, int choice)
{
	static const char *const names[] = {"lesson-a", "lesson-b", "lesson-c", "lesson-d", "lesson-e", "lesson-f"};
	return names[step_place_of(s, choice, LESSON_CHOICES_MAX)];
}

static int right_choice(void)
{
	return lesson_right_choice(lessons_view_lesson(&a), lessons_view_of(&a)->page);
}

static int wrong_choice(void)
{
	return right_choice() == 1 ? 2 : 1;
}

static void nothing_is_revealed_before_the_lock(void **state)
{
	(void)state;
	static const int sizes[][2] = {{80, 24}, {200, 60}, {20, 6}};
	act("lessons", NULL);
	for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
		const struct lesson *l = lessons_view_of(&a)->course.list[i];
		lessons_view_open(&a, i);
		for (int k = 0; k < 8; k++)
			act("lesson-right", NULL);
		assert_int_equal(lessons_view_of(&a)->page, 1);
		lessons_view_jump(&a, 0);
		assert_ptr_equal(a.view, &view_lessons);
		for (int s = 0; s < 3; s++)
			for (int class_mode = 0; class_mode < 2; class_mode++) {
				lessons_view_of(&a)->class_mode = class_mode;
				char *text = made_screen(&a, sizes[s][0], sizes[s][1]);
				hides_answers(l, 1, text);
				lacks(text, "(right)");
				free(text);
			}
		lessons_view_of(&a)->class_mode = false;
	}
}

static void locking_needs_a_prediction(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	act("lesson-enter", NULL);
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_non_null(strstr(a.message, "choose"));
	act("lesson-f", NULL); /* there are three choices */
	assert_int_equal(s->choice, 0);
	act("lesson-c", NULL);
	assert_int_equal(s->choice, s->order[2]);
	act("lesson-up", NULL);
	assert_int_equal(s->choice, s->order[1]);
	act(letter_action(s, wrong_choice()), NULL);
	int chosen = s->choice;
	act("lesson-enter", NULL);
	assert_int_equal(s->stage, STAGE_LOCKED); /* without a worker nothing is measured or revealed */
	measure_pump(&a);
	char *text = made_screen(&a, 80, 24);
	hides_answers(lessons_view_lesson(&a), 1, text);
	free(text);
	lessons_view_choose(&a, 0);
	lessons_view_choose(&a, 1);
	assert_int_equal(s->choice, chosen); /* a locked prediction cannot change */
	act("lesson-skip", NULL);
	assert_int_equal(s->stage, STAGE_REVEALED);
	assert_true(s->result.skipped && !s->result.right);
	text = made_screen(&a, 80, 24);
	assert_non_null(strstr(text, "The answer is"));
	free(text);
}

/* Reveals the step without measuring it. */
static void reveal_here(struct step_state *s)
{
	struct experiment *x = s->command.x;
	s->command.x = NULL;
	act("lesson-enter", NULL);
	s->command.x = x;
	assert_int_equal(s->stage, STAGE_REVEALED);
}

/* After the answer the choices stay, with the right one and the chosen one marked, and the reason. */
static void the_answer_marks_the_choices(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	const struct lesson *l = lessons_view_lesson(&a);
	act(letter_action(s, wrong_choice()), NULL);
	reveal_here(s);
	char *text = made_screen(&a, 200, 60), marked[80];
	for (int i = 0; i < 3; i++) {
		const char *mark = s->order[i] == right_choice() ? glyph_text(a.ascii, GLYPH_HOLDS)
			: s->order[i] == wrong_choice()          ? glyph_text(a.ascii, GLYPH_FAILED)
								 : " ";
		snprintf(marked, sizeof marked, "%s %c) %.20s", mark, 'a' + i,
			lesson_find_block(l, 1, LESSON_CHOICE, s->order[i])->text);
		if (!strstr(text, marked))
			fail_msg("'%s' is not on the screen:\n%s", marked, text);
	}
	assert_non_null(strstr(text, "(your answer)"));
	assert_non_null(strstr(text, "(right)"));
	snprintf(marked, sizeof marked, "Not quite: the answer is %c. %.20s", 'a' + step_place_of(s, right_choice(), 3),
		lesson_find_block(l, 1, LESSON_FEEDBACK, wrong_choice())->text);
	if (!strstr(text, marked))
		fail_msg("'%s' is not on the screen:\n%s", marked, text);
	free(text);
	act("lesson-retry", NULL);
	assert_int_equal(s->stage, STAGE_ASKED);
	act(letter_action(s, right_choice()), NULL);
	reveal_here(s);
	text = made_screen(&a, 200, 60);
	assert_non_null(strstr(text, "Right."));
	assert_non_null(strstr(text, "(right, your answer)"));
	free(text);
}

/* s shows the source instead of the answer, on the smallest screen, too; not before the answer. */
static void a_key_shows_the_source_of_the_answer(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	act("lesson-source", NULL);
	assert_non_null(strstr(a.message, "the answer comes first"));
	shows(80, 24, "On what the answer rests", false);
	act(letter_action(s, wrong_choice()), NULL);
	reveal_here(s);
	shows(80, 24, "On what the answer rests", false);
	act("lesson-page-down", NULL);
	int scroll = lessons_view_of(&a)->scroll;
	act("lesson-source", NULL);
	shows(80, 24, "On what the answer rests", true);
	shows(80, 24, "measured on this board: Vega64 notes", true);
	shows(80, 24, "s: the answer", true);
	act("lesson-source", NULL);
	shows(80, 24, "On what the answer rests", false);
	assert_int_equal(lessons_view_of(&a)->scroll, scroll);
	act("lesson-source", NULL);
	act("lesson-retry", NULL); /* the next answer is shown first */
	act("lesson-source", NULL);
	assert_non_null(strstr(a.message, "the answer comes first"));
	act(letter_action(s, right_choice()), NULL);
	reveal_here(s);
	shows(120, 36, "On what the answer rests", false);
}

/* In class mode it follows the reasons. */
static void a_class_sees_the_source_behind_the_reasons(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	act("lesson-class", NULL);
	act("lesson-source", NULL);
	assert_non_null(strstr(a.message, "the answer comes first"));
	s = lessons_view_step(&a);
	act("lesson-a", NULL);
	reveal_here(s);
	shows(80, 24, "On what the answer rests", false);
	act("lesson-reasons", NULL);
	shows(80, 24, "s: the source of the answer", true);
	act("lesson-reasons", NULL);
	shows(80, 24, "On what the answer rests", true);
	shows(80, 24, "s: the curve", true);
	act("lesson-reasons", NULL);
	shows(80, 24, "On what the answer rests", false);
	assert_false(lessons_view_of(&a)->shows_reasons);
	act("lesson-class", NULL);
}

/* The next question opens with the answer of this one, also after an earlier visit. */
static void questions_open_in_order(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	act("lesson-right", NULL);
	assert_int_equal(lessons_view_of(&a)->page, 1);
	act(letter_action(s, right_choice()), NULL);
	reveal_here(s);
	act("lesson-enter", NULL);
	assert_int_equal(lessons_view_of(&a)->page, 2);
	act("lesson-right", NULL);
	assert_int_equal(lessons_view_of(&a)->page, 2);
	act("back", NULL);
	assert_null(lessons_view_lesson(&a));
	assert_ptr_equal(a.view, &view_lessons);
	act("lessons", "caches");
	act("lesson-right", "1");
	act("lesson-right", "1");
	assert_int_equal(lessons_view_of(&a)->page, 2);
	char *text = made_screen(&a, 120, 36);
	free(text);
	act("back", NULL);
	text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "1 of 4 done, 1 right"));
	free(text);
}

static void another_visit_has_another_order(void **state)
{
	(void)state;
	int orders[20][LESSON_CHOICES_MAX], different = 0;
	for (int i = 0; i < 20; i++) {
		struct step_state *s = open_question("launch");
		memcpy(orders[i], s->order, sizeof orders[i]);
		different += i && memcmp(orders[i], orders[i - 1], sizeof orders[i]);
	}
	assert_true(different > 10);
}

static void solutions_are_shown_one_by_one(void **state)
{
	(void)state;
	act("lessons", "caches");
	struct lesson_view *v = lessons_view_of(&a);
	for (int i = 0; i < v->step_count; i++)
		v->steps[i].stage = STAGE_REVEALED;
	lessons_view_go_to(&a, lesson_page_count(lessons_view_lesson(&a)) - 1);
	char *text = made_screen(&a, 200, 60);
	lacks(text, "With random eviction");
	free(text);
	act("lesson-enter", NULL);
	text = made_screen(&a, 200, 60);
	assert_non_null(strstr(text, "With random eviction"));
	free(text);
	act("lesson-down", NULL);
	act("lesson-enter", NULL);
	assert_int_equal(v->answers, 1u << 1 | 1u << 2);
	act("lesson-enter", NULL);
	assert_int_equal(v->answers, 1u << 1);
}

/* --- class mode --- */
static void votes_are_counted_and_removed(void **state)
{
	(void)state;
	open_question("caches");
	act("lesson-class", NULL);
	struct step_state *s = lessons_view_step(&a);
	act("lesson-unvote", NULL); /* nothing to remove */
	act("lesson-enter", NULL);
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_non_null(strstr(a.message, "no votes yet"));
	act_lesson_draw(&a); /* no drawing in class mode */
	assert_false(lessons_view_of(&a)->drawing);
	for (int i = 0; i < 11; i++)
		act("lesson-b", NULL);
	act("lesson-a", NULL);
	act("lesson-unvote", NULL);
	act("lesson-c", NULL);
	const struct votes *v = &s->votes;
	assert_true(v->count[s->order[0] - 1] == 0 && v->count[s->order[1] - 1] == 11 &&
		v->count[s->order[2] - 1] == 1 && v->total == 12);
	assert_int_equal(s->choice, 0); /* votes do not choose for the user */
	char *text = made_screen(&a, 80, 24);
	assert_non_null(strstr(text, "12 votes"));
	assert_non_null(strstr(text, "11 votes, 92 %"));
	free(text);
	for (int i = 0; i < 2 * VOTES_MAX; i++)
		act("lesson-a", NULL);
	assert_int_equal(v->count[s->order[0] - 1], VOTES_MAX);
	for (int i = 0; i < 3 * VOTES_MAX; i++)
		act("lesson-unvote", NULL);
	assert_int_equal(v->total, 0);
	act("lesson-b", NULL);
	reveal_here(s);
	assert_false(course_progress_get(&lessons_view_of(&a)->progress, "caches", 1)
			     .done); /* and are not the user's result */
	act("lesson-retry", NULL);
	assert_string_equal(a.message, "new vote");
}

/* Vote, discuss, vote again with the same order, reveal: nothing of the answer before, both rounds after it. */
static void a_class_votes_twice(void **state)
{
	(void)state;
	int order[LESSON_CHOICES_MAX];
	open_question("caches");
	act("lesson-class", NULL);
	struct step_state *s = lessons_view_step(&a);
	memcpy(order, s->order, sizeof order);
	act("lesson-close-vote", NULL);
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_non_null(strstr(a.message, "no votes yet"));
	for (int i = 0; i < 4; i++)
		act(i ? "lesson-a" : "lesson-b", NULL);
	unsigned number = lessons_view_of(&a)->session.box.number;
	act("lesson-close-vote", NULL);
	assert_int_equal(s->stage, STAGE_CLOSED);
	assert_int_equal(lessons_view_place(&a), PLACE_DISCUSSION);
	char *text = made_screen(&a, 120, 36);
	hides_answers(lessons_view_lesson(&a), 1, text);
	free(text);
	shows(120, 36, "3 votes, 75 %", true); /* they were typed in front of the class */
	act("lesson-split", NULL);
	shows(120, 36, "3 votes, 75 %", false);
	shows(120, 36, "4 votes", true);
	act("lesson-a", NULL); /* no more votes */
	assert_non_null(strstr(a.message, "t starts the second round"));
	act("lesson-second", NULL);
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_int_equal(s->round, 2);
	assert_memory_equal(s->order, order, sizeof order);
	assert_int_not_equal(lessons_view_of(&a)->session.box.number, number);
	shows(120, 36, "round 2, 0 votes", true);
	act("lesson-b", NULL);
	act("lesson-b", NULL);
	act("lesson-close-vote", NULL);
	shows(120, 36, "1 vote, 25 %", true);
	shows(120, 36, "2 votes, 100 %", true);
	act("lesson-second", NULL);
	assert_non_null(strstr(a.message, "both rounds are over"));
	assert_int_equal(s->stage, STAGE_CLOSED);
	reveal_here(s);
	shows(120, 36, "3 votes, 75 %", true);
	shows(120, 36, "2 votes, 100 %", true);
	shows(120, 36, " is right: ", true);
	shows(120, 36, "Not ", true);
	shows(80, 24, "1 vote, 25 %", false); /* both rounds in one row */
	shows(80, 24, " 100 %", true);
	act("lesson-reasons", NULL);
	shows(80, 24, " is right: ", true);
	const struct class_session *c = &lessons_view_of(&a)->session;
	assert_int_equal(c->result_count, 2);
	assert_int_equal(c->saved, 2);
	assert_true(class_session_has_second_round(c, 0) && !class_session_has_second_round(c, 1));
	assert_ptr_equal(class_session_first_round(c, 1), &c->results[0]);
	assert_null(class_session_first_round(c, 0));
	act("lesson-retry", NULL); /* from the start: a first round */
	assert_int_equal(s->round, 1);
	act("lesson-a", NULL);
	act("lesson-close-vote", NULL);
	assert_null(class_session_first_round(c, 2));
	assert_false(class_session_has_second_round(c, 1));
}

static long long test_time = 1000;
static long long read_test_clock(void)
{
	return test_time;
}

/* The time ends the vote, or is only shown; it starts with a vote only, and never drops a vote. */
static void a_timer_ends_the_vote(void **state)
{
	(void)state;
	open_question("caches");
	act("lesson-class", NULL);
	struct step_state *s = lessons_view_step(&a);
	lessons_view_of(&a)->session.box.clock = read_test_clock;
	act("lesson-timer", "ten");
	assert_non_null(strstr(a.message, "not a time: 'ten'"));
	act("lesson-timer", "90");
	shows(120, 36, "1:30, 0 votes", true);
	view_lessons.pump(&a);
	test_time += 90000;
	view_lessons.pump(&a); /* without a vote, there is nothing to end */
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_non_null(strstr(a.message, "the time is up without a vote"));
	act("lesson-a", NULL);
	act("lesson-timer", "5");
	test_time += 4999;
	view_lessons.pump(&a);
	assert_int_equal(s->stage, STAGE_ASKED);
	shows(120, 36, "0:01, 1 vote", true);
	test_time += 1;
	view_lessons.pump(&a);
	assert_int_equal(s->stage, STAGE_CLOSED);
	assert_int_equal(lessons_view_of(&a)->session.saved, 1);
	act("lesson-second", NULL); /* without the timer of the first round */
	shows(120, 36, "0:0", false);
	assert_true(setting_set("vote-timer", "show", NULL, NULL));
	act("lesson-b", NULL);
	act("lesson-timer", "5");
	view_lessons.pump(&a);
	test_time += 6000;
	view_lessons.pump(&a);
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_non_null(strstr(a.message, "the time is up; Space ends the vote"));
	act("lesson-timer", "0");
	shows(120, 36, "0:0", false);
	assert_true(setting_set("vote-timer", "end", NULL, NULL));
}

/* Address or browser: the phones get a new number, typed votes stay; votes from phones are not dropped unasked. */
static void what_has_a_vote_can_be_chosen(void **state)
{
	(void)state;
	open_question("caches");
	act("lesson-class", NULL);
	struct vote_box *box = &lessons_view_of(&a)->session.box;
	act("lesson-a", NULL);
	assert_int_equal(box->by, VOTE_BY_ADDRESS);
	unsigned number = box->number;
	act("lesson-vote-for", NULL);
	assert_int_equal(box->by, VOTE_BY_BROWSER);
	assert_string_equal(setting_value(SETTING_VOTE_FOR), "browser");
	assert_int_not_equal(box->number, number);
	shows(120, 36, "1 vote, 100 %", true);
	number = box->number;
	vote_box_add_browser(box, 1)->choice = 1;
	act("lesson-vote-for", NULL);
	assert_true(a.input.is_open);
	assert_int_equal(box->by, VOTE_BY_BROWSER);
	assert_int_equal(box->number, number);
	a.input.is_open = false;
	assert_true(setting_set("vote-for", "address", NULL, NULL)); /* from the next round on */
	assert_int_equal(box->by, VOTE_BY_BROWSER);
	act("lesson-close-vote", NULL);
	act("lesson-second", NULL);
	assert_int_equal(box->by, VOTE_BY_ADDRESS);
	assert_int_equal(vote_box_count_devices(box), 0);
}

/* At the size of a usual projector, and with the code of the page for phones: no question in normal letters. */
static void questions_are_in_large_letters(void **state)
{
	(void)state;
	act("lessons", "caches");
	act("lesson-class", NULL);
	for (int phones = 0; phones < 2; phones++) {
		if (phones)
			act("lesson-phones", "127.0.0.1:0");
		for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
			lessons_view_open(&a, i);
			const struct lesson *l = lessons_view_lesson(&a);
			for (int step = 1; step <= l->step_count; step++) {
				lessons_view_of(&a)->page = step;
				char *text = made_screen(&a, 120, 36), begin[21];
				snprintf(begin, sizeof begin, "%s", lesson_find_block(l, step, LESSON_ASK, 0)->text);
				if (strstr(text, begin))
					fail_msg("%s, step %d:\n%s", l->id, step, text);
				free(text);
			}
		}
	}
}

/* Also on a small screen, where the votes make room for them. */
static void all_reasons_fit(void **state)
{
	(void)state;
	act("lessons", "caches");
	act("lesson-class", NULL);
	lessons_view_of(&a)->shows_reasons = true;
	for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
		lessons_view_open(&a, i);
		const struct lesson *l = lessons_view_lesson(&a);
		for (int step = 1; step <= l->step_count; step++) {
			lessons_view_of(&a)->page = step;
			lessons_view_step(&a)->stage = STAGE_REVEALED;
			char *text = made_screen(&a, 80, 24);
			for (int choice = 1; choice <= l->steps[step - 1].choice_count; choice++) {
				char lead[16];
				snprintf(lead, sizeof lead,
					choice == lesson_right_choice(l, step) ? "%c is right: " : "Not %c: ",
					'a' + step_place_of(lessons_view_step(&a), choice, LESSON_CHOICES_MAX));
				if (!strstr(text, lead))
					fail_msg("%s, step %d: no '%s':\n%s", l->id, step, lead, text);
			}
			free(text);
		}
	}
}

/* The bar of each choice, after two rounds of votes on a small screen. */
static void no_choice_is_left_out(void **state)
{
	(void)state;
	act("lessons", "caches");
	act("lesson-class", NULL);
	for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
		lessons_view_open(&a, i);
		const struct lesson *l = lessons_view_lesson(&a);
		for (int step = 1; step <= l->step_count; step++) {
			lessons_view_of(&a)->page = step;
			struct step_state *s = lessons_view_step(&a);
			s->stage = STAGE_REVEALED;
			s->round = 2;
			s->votes.total = s->votes.count[0] = s->first.total = s->first.count[0] = 1;
			char *text = made_screen(&a, 80, 24);
			int bars = 0;
			for (const char *at = text; (at = strstr(at, " %  ")); at++)
				bars++;
			if (bars != 2 * l->steps[step - 1].choice_count)
				fail_msg("%s, step %d: %d bars:\n%s", l->id, step, bars, text);
			free(text);
		}
	}
}

/* What the lecturer did alone is not shown to the class. */
static void a_class_sees_no_earlier_answer(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	act("lesson-draw", NULL);
	act("lesson-drop", NULL);
	act(letter_action(s, wrong_choice()), NULL);
	reveal_here(s);
	act("lesson-class", NULL);
	s = lessons_view_step(&a);
	assert_int_equal(s->stage, STAGE_ASKED);
	assert_int_equal(s->choice, 0);
	assert_int_equal(prediction_point_count(&s->prediction), 0);
	assert_int_equal(lessons_view_place(&a), PLACE_VOTE);
	char *text = made_screen(&a, 80, 24);
	lacks(text, "answer)");
	lacks(text, "predicted");
	hides_answers(lessons_view_lesson(&a), 1, text);
	free(text);
	act("lesson-right", NULL); /* known to the lecturer, not to the class */
	assert_int_equal(lessons_view_of(&a)->page, 1);
	act("lesson-next", NULL);
	assert_true(lessons_view_of(&a)->class_mode);
	assert_int_equal(lessons_view_of(&a)->page, 1);
	assert_string_equal(lessons_view_lesson(&a)->id, "lds");
	act("lesson-class", NULL);
	assert_false(lessons_view_of(&a)->class_mode);
	act("back", NULL);
	assert_null(lessons_view_lesson(&a));
	assert_ptr_equal(a.view, &view_lessons);
}

/* The line in the lesson and the key line say the same about Enter. */
static void hints_agree(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	act("lesson-a", NULL);
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "Enter locks in a"));
	assert_non_null(strstr(text, "Enter lock in"));
	lacks(text, "workbench  C"); /* j works only after the answer */
	free(text);
	reveal_here(s);
	text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "Enter: next page"));
	assert_non_null(strstr(text, "Enter next"));
	assert_non_null(strstr(text, "j workbench"));
	free(text);
}

/* Code is shown in bold, without backticks. */
static void code_is_marked_without_backticks(void **state)
{
	(void)state;
	struct text_rows r = {0};
	text_rows_add_wrapped(&r, ROLE_TEXT, false, "1. ", "Each `x + 1` costs `four` cycles.", 14);
	assert_int_equal(r.count, 3);
	assert_string_equal(r.list[0].text, "1. Each x + 1");
	assert_string_equal(r.list[0].code, "        `````");
	assert_string_equal(r.list[1].text, "costs four");
	assert_string_equal(r.list[1].code, "      ````");
	assert_null(r.list[2].code);
	struct grid g = {0};
	grid_resize(&g, 14, 1);
	text_row_draw(area_of_grid(&g, (struct rect){0, 0, 14, 1}), 0, &r.list[0]);
	assert_int_equal(g.cells[7].attr & ATTR_BOLD, 0);
	assert_int_equal(g.cells[8].attr & ATTR_BOLD, ATTR_BOLD);
	grid_free(&g);
	text_rows_free(&r);
	act("lessons", NULL);
	for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
		lessons_view_open(&a, i);
		for (int step = 0; step < lessons_view_of(&a)->step_count; step++)
			lessons_view_of(&a)->steps[step].stage = STAGE_REVEALED;
		for (int page = 0; page < lesson_page_count(lessons_view_lesson(&a)); page++) {
			lessons_view_go_to(&a, page);
			char *text = made_screen(&a, 120, 300);
			lacks(text, "`");
			free(text);
		}
	}
}

/* --- curves --- */
/* A header and two points as a sweep of this step would record them; all metrics are 1. */
static json_t *describe_param(const struct param *p)
{
	json_t *o = json_pack("{s:s,s:s}", "id", p->id, "unit", p->unit), *choices = json_array();
	if (p->kind == PARAM_STEP_MULTIPLY)
		json_object_set_new(o, "log", json_true());
	for (int i = 0; i < p->choice_count; i++)
		json_array_append_new(choices, json_string(p->choices[i]));
	if (p->choice_count)
		json_object_set(o, "choices", choices);
	json_decref(choices);
	return o;
}

static void fake_measurement(struct step_state *s, const char *metric)
{
	const struct experiment *x = s->command.x;
	const struct plan_axis *axis = &s->command.plan.axes[s->command.plan.axis_count - 1];
	json_t *params = json_array(), *metrics = json_array();
	for (int i = 0; i < x->param_count; i++)
		json_array_append_new(params, describe_param(&x->params[i]));
	for (int i = 0; i < x->metric_count; i++)
		json_array_append_new(metrics,
			json_pack("{s:s,s:s,s:i,s:b}", "id", x->metrics[i].id, "unit", x->metrics[i].unit, "axis",
				x->metrics[i].axis, "line", x->metrics[i].line));
	s->curve.header = json_pack("{s:s,s:[s],s:{s:o,s:o,s:[]}}", "experiment", x->id, "sweep",
		x->params[axis->param].id, "columns", "params", params, "metrics", metrics, "counters");
	header_keep_metric(s->curve.header, metric);
	for (int k = 0; k < axis->count; k++) {
		json_t *values = json_object(), *results = json_object();
		for (int i = 0; i < x->param_count; i++)
			json_object_set_new(values, x->params[i].id,
				param_to_json(&x->params[i], i == axis->param ? axis->values[k] : x->params[i].soft));
		for (int i = 0; i < x->metric_count; i++)
			json_object_set_new(results, x->metrics[i].id, json_real(1 + k));
		json_t *point = json_pack("{s:s,s:s,s:s,s:o,s:o}", "type", "point", "status", "ok", "verify", "ok",
			"params", values, "metrics", results);
		point_list_add_record(&s->curve.points, point);
		json_decref(point);
	}
}

/* The first occurrence of each term, not those in code; g opens the glossary at them, and Esc returns to the page. */
static void terms_lead_to_the_glossary(void **state)
{
	(void)state;
	struct text_rows r = {.mark_terms = true};
	text_rows_add_wrapped(&r, ROLE_TEXT, false, "", "Waves of `lanes` and waves of lanes.", 40);
	assert_string_equal(r.list[0].text, "Waves of lanes and waves of lanes.");
	assert_string_equal(r.list[0].code, "_____    `````              _____ ");
	assert_int_equal(r.term_count, 2);
	text_rows_free(&r);
	open_question("caches");
	char *page = made_screen(&a, 80, 24);
	assert_non_null(strstr(page, "g: underlined terms"));
	app_handle_key(&a, 'g');
	assert_string_equal(a.view->name, "glossary");
	char *terms = made_screen(&a, 80, 24);
	const char *first = strstr(terms, "L1, L2"), *all = strstr(terms, "Hardware and programming model");
	assert_true(first && all && first < all);
	app_handle_key(&a, TK_ESC);
	char *again = made_screen(&a, 80, 24);
	assert_string_equal(page, again);
	free(page);
	free(terms);
	free(again);
}

/* The legend's marks have the colors of their curves. */
static void the_legend_has_the_colors_of_the_curves(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	struct grid g = {0};
	prediction_raise_point(&s->prediction, 1);
	fake_measurement(s, "latency");
	s->stage = STAGE_REVEALED;
	grid_resize(&g, 80, 24);
	lesson_plot_draw(&a, area_of_grid(&g, (struct rect){0, 0, 80, 24}));
	int curve = 0, drawn = 0;
	for (int x = 0; x < 80; x++) {
		curve += !strcmp(g.cells[x].utf8, mark_text('*', a.ascii)) && g.cells[x].role == ROLE_LEFT;
		drawn += !strcmp(g.cells[x].utf8, mark_text('@', a.ascii)) && g.cells[x].role == ROLE_PINNED;
	}
	assert_true(curve == 1 && drawn == 1);
	grid_free(&g);
}

/* Home and End reach the ends of the list of lessons. */
static void keys_reach_the_ends_of_the_course(void **state)
{
	(void)state;
	act("lessons", NULL);
	struct lesson_view *v = lessons_view_of(&a);
	app_handle_key(&a, TK_END);
	assert_int_equal(v->chosen, v->course.count - 1);
	app_handle_key(&a, TK_HOME);
	assert_int_equal(v->chosen, 0);
	app_handle_key(&a, 'G');
	assert_int_equal(v->chosen, v->course.count - 1);
	app_handle_key(&a, 'g');
	assert_true(v->chosen == 0 && a.view == &view_lessons);
}

/* In every step of the course, the axes of the drawn curve are what the question names, and the same before and after;
 * the y axis has room for the answer. */
static void curves_have_the_axes_of_the_question(void **state)
{
	(void)state;
	act("lessons", NULL);
	int drawn = 0, known_ends = 0;
	for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
		lessons_view_open(&a, i);
		struct lesson_view *v = lessons_view_of(&a);
		for (int step = 1; step <= v->step_count; step++) {
			const struct lesson_step *asked = &lessons_view_lesson(&a)->steps[step - 1];
			struct step_state *s = &v->steps[step - 1];
			struct lesson_chart c;
			bool parameter = experiment_find_param(s->command.x, asked->x) >= 0;
			assert_int_equal(lesson_chart_make(v, step, false, &c), parameter);
			if (parameter) {
				assert_string_equal(c.chart.x_label, asked->x);
				drawn++;
				prediction_raise_point(&s->prediction, 1);
				known_ends += lesson_find_largest_value(lessons_view_lesson(&a), step) > 0;
			}
			struct chart open = c.chart;
			lesson_chart_free(&c);
			fake_measurement(s, asked->metric);
			s->stage = STAGE_REVEALED;
			if (!lesson_chart_make(v, step, false, &c))
				fail_msg("%s, step %d: no curve", lessons_view_lesson(&a)->id, step);
			if (strncmp(c.chart.x_label, asked->x, strlen(asked->x)))
				fail_msg("%s, step %d: '%s' on the x axis, the question is about '%s'",
					lessons_view_lesson(&a)->id, step, c.chart.x_label, asked->x);
			if (parameter &&
				(open.x.log2 != c.chart.x.log2 || open.x.low != c.chart.x.low ||
					open.x.high != c.chart.x.high || c.chart.y[0].high < s->prediction.first_top))
				fail_msg("%s, step %d: x %g..%g (%d) before, %g..%g (%d) after; y 0..%g, 0..%g",
					lessons_view_lesson(&a)->id, step, open.x.low, open.x.high, open.x.log2,
					c.chart.x.low, c.chart.x.high, c.chart.x.log2, s->prediction.first_top,
					c.chart.y[0].high);
			int curves = 0;
			for (size_t k = 0; k < c.chart.series_count; k++) {
				const struct series *curve = &c.chart.series[k];
				if (curve->role != SERIES_CURRENT || curve->mark == '-')
					continue;
				curves++;
				if (strncmp(curve->label, asked->metric, strlen(asked->metric)) ||
					curve->axis != AXIS_LEFT)
					fail_msg("%s, step %d: the curve of '%s', the question is about '%s'",
						lessons_view_lesson(&a)->id, step, curve->label, asked->metric);
				assert_string_equal(curve->unit, s->command.x->metrics[s->metric].unit);
			}
			assert_int_equal(curves, 1);
			lesson_chart_free(&c);
		}
	}
	assert_true(drawn > 60 && known_ends == drawn);
}

/* --- progress --- */
static void progress_is_saved(void **state)
{
	(void)state;
	struct err e = {0};
	struct course_progress p, other;
	assert_true(course_progress_load(&p, &e) && course_progress_load(&other, &e));
	assert_true(isnan(course_progress_get(&p, "caches", 1).curve) && !course_progress_get(&p, "caches", 1).done);
	assert_true(course_progress_put(
		&p, "caches", 1, &(struct step_result){.done = true, .choice = 2, .right = true, .curve = 0.25}, &e));
	assert_true(course_progress_put(&other, "lds", 2,
		&(struct step_result){.done = true, .skipped = true, .curve = NAN}, &e)); /* another process */
	assert_true(course_progress_put(&other, "caches", 3,
		&(struct step_result){.done = true, .choice = 1, .curve = NAN}, &e)); /* of the same lesson */
	assert_true(course_progress_put(
		&p, "caches", 1, &(struct step_result){.done = true, .choice = 1, .curve = NAN}, &e));
	course_progress_free(&p);
	course_progress_free(&other);
	assert_true(course_progress_load(&p, &e));
	struct step_result r = course_progress_get(&p, "caches", 1);
	assert_true(r.right && r.choice == 2 && r.curve == 0.25 && r.tries == 2); /* the first result counts */
	assert_int_equal(strlen(r.time), strlen("2026-03-07T14:15:02Z"));
	assert_string_equal(step_result_name(&r), "right");
	r = course_progress_get(&p, "caches", 3);
	assert_string_equal(step_result_name(&r), "wrong");
	r = course_progress_get(&p, "lds", 2);
	assert_string_equal(step_result_name(&r), "shown");
	assert_true(course_progress_put(
		&p, "lds", 2, &(struct step_result){.done = true, .choice = 3, .right = true, .curve = NAN}, &e));
	assert_true(course_progress_get(&p, "lds", 2).right); /* a step that was only read can still be predicted */
	course_progress_free(&p);
}

static void broken_progress_is_reported(void **state)
{
	(void)state;
	struct err e = {0};
	struct course_progress p;
	char *path = path_user_data("lessons.json"), bad[300], *data = path_user_data("");
	assert_true(path_make_directories(data, &e));
	FILE *f = fopen(path, "w");
	fputs("{ \"caches\": \n oh", f);
	fclose(f);
	assert_false(course_progress_load(&p, &e));
	assert_non_null(strstr(e.text, "lessons.json:2:"));
	snprintf(bad, sizeof bad, "%s.bad", path);
	assert_int_equal(access(bad, F_OK), 0);
	assert_int_equal(json_object_size(p.pages), 0);
	course_progress_free(&p);
	free(path);
	free(data);
}

/* The user's own lessons follow the course; one with a mistake is reported with its line, and the others work. */
static void own_lessons_follow_the_course(void **state)
{
	(void)state;
	char path[200];
	snprintf(path, sizeof path, "%s/wavedeck", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/wavedeck/lessons", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/wavedeck/lessons/broken.md", folder);
	FILE *f = fopen(path, "w");
	fputs("# Mine\n\nHow?\n\n## Guess\n\n## Answers\n\n", f);
	fclose(f);
	act("lessons", NULL);
	assert_int_equal(lessons_view_of(&a)->bad_count, 1);
	assert_non_null(strstr(lessons_view_of(&a)->bad[0], "broken.md:7: step 'Guess' has no question"));
	assert_true(lessons_view_of(&a)->course.count > 10);
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "broken.md:7"));
	free(text);
}

/* Empty axes take no row from the choices. */
static void empty_axes_cover_no_choices(void **state)
{
	(void)state;
	lessons_view_get(&a);
	for (int h = 20; h < 44; h++)
		for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
			open_question(lessons_view_of(&a)->course.list[i]->id);
			free(made_screen(&a, 80, h));
			if (lessons_view_layout(&a, 80, h - 3).plot.h > 0 && lessons_view_scroll_max(&a) > 0)
				fail_msg("%s at 80x%d: %d rows of the question are cut off",
					lessons_view_of(&a)->course.list[i]->id, h, lessons_view_scroll_max(&a));
		}
}

/* Drawing a prediction. Esc stops drawing, then closes the lesson, then the view. */
static void a_prediction_can_be_drawn(void **state)
{
	(void)state;
	struct step_state *s = open_question("caches");
	struct lesson_view *v = lessons_view_of(&a);
	act("lesson-draw", NULL);
	assert_true(v->drawing);
	act("lesson-down", NULL);
	act("lesson-right", "5");
	act("lesson-page-up", NULL);
	assert_int_equal(prediction_point_count(&s->prediction), 2);
	act("lesson-drop", NULL);
	assert_int_equal(prediction_point_count(&s->prediction), 1); /* Space removes it */
	char *text = made_screen(&a, 80, 24);
	assert_non_null(strstr(text, "Draw: latency, by range"));
	free(text);
	act("back", NULL);
	assert_true(!v->drawing && v->open);
	act("back", NULL);
	assert_true(!v->open && a.view == &view_lessons);
	act("back", NULL);
	assert_ptr_equal(a.view, views[0]);
}

/* A narrow table keeps the text of every cell. */
static void tables_fit_narrow_screens(void **state)
{
	(void)state;
	lessons_view_get(&a);
	for (int i = 0; i < lessons_view_of(&a)->course.count; i++) {
		const struct lesson *l = lessons_view_of(&a)->course.list[i];
		for (int k = 0; k < l->block_count; k++) {
			struct text_rows r = {0};
			if (l->blocks[k].kind != LESSON_ROW || l->blocks[k].number)
				continue;
			text_rows_add_table(l, &l->blocks[k], 52, &r);
			for (int y = 0; y < r.count; y++)
				if (text_width(r.list[y].text) + r.list[y].indent > 52)
					fail_msg("%s: '%s' is too wide", l->id, r.list[y].text);
			for (const struct lesson_block *b = &l->blocks[k]; b == &l->blocks[k] ||
				(b < l->blocks + l->block_count && b->kind == LESSON_ROW && b->number);
				b++) {
				char *words = xstrdup(b->text);
				for (char *save = NULL, *w = strtok_r(words, " \t", &save); w;
					w = strtok_r(NULL, " \t", &save)) {
					bool there = false;
					for (int y = 0; y < r.count; y++)
						there |= strstr(r.list[y].text, w) != NULL;
					if (!there)
						fail_msg("%s: '%s' of the table is lost", l->id, w);
				}
				free(words);
			}
			text_rows_free(&r);
		}
	}
}

/* Lessons and devices draw at every size. */
static void lessons_and_devices_draw_at_every_size(void **state)
{
	(void)state;
	static const char *const states[][4] = {
		{"lessons"},
		{"lesson-enter", "lesson-enter"},
		{"lesson-draw", "lesson-drop"},
		{"lesson-class", "lesson-a"},
		{"lesson-close-vote", "lesson-split"},
		{"lesson-second", "lesson-b"},
		{"lesson-enter"},
		{"lesson-skip"},
		{"lesson-reasons"},
		{"lesson-reasons"},
		{"lesson-class"},
		{"lesson-a", "lesson-skip"},
		{"lesson-source"},
		{"lesson-right"},
		{"devices"},
		{"device-details"},
		{"device-test"},
	};
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		for (int k = 0; k < 4 && states[i][k]; k++)
			act(states[i][k], NULL);
		measure_pump(&a);
		for (int w = 1; w < 210; w += w < 30 ? 3 : 23)
			for (int h = 1; h < 70; h += h < 30 ? 2 : 11)
				free(made_screen(&a, w, h));
	}
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, home, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ALONE(nothing_is_revealed_before_the_lock),
		ALONE(locking_needs_a_prediction),
		ALONE(the_answer_marks_the_choices),
		ALONE(a_key_shows_the_source_of_the_answer),
		ALONE(a_class_sees_the_source_behind_the_reasons),
		ALONE(questions_open_in_order),
		ALONE(another_visit_has_another_order),
		ALONE(solutions_are_shown_one_by_one),
		ALONE(votes_are_counted_and_removed),
		ALONE(a_class_votes_twice),
		ALONE(a_timer_ends_the_vote),
		ALONE(what_has_a_vote_can_be_chosen),
		ALONE(questions_are_in_large_letters),
		ALONE(all_reasons_fit),
		ALONE(no_choice_is_left_out),
		ALONE(a_class_sees_no_earlier_answer),
		ALONE(hints_agree),
		ALONE(code_is_marked_without_backticks),
		ALONE(terms_lead_to_the_glossary),
		ALONE(curves_have_the_axes_of_the_question),
		ALONE(progress_is_saved),
		ALONE(broken_progress_is_reported),
		ALONE(own_lessons_follow_the_course),
		ALONE(empty_axes_cover_no_choices),
		ALONE(the_legend_has_the_colors_of_the_curves),
		ALONE(keys_reach_the_ends_of_the_course),
		ALONE(a_prediction_can_be_drawn),
		ALONE(tables_fit_narrow_screens),
		ALONE(lessons_and_devices_draw_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
