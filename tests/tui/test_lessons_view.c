/* The lesson view without a device: nothing of the answer before the prediction is locked in, votes, saved
 * progress, lessons with mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/paths.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/keymap.h"
#include "tui/views/lessons/lesson_rows.h"
#include "tui/views/lessons/lessons_view.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
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
	setenv("WAVEDECK_WORKER", "/nonexistent/worker", 1);
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

static char *screen(int w, int h)
{
	struct grid g = {0};
	app_resize(&a, w, h);
	grid_resize(&g, w, h);
	screen_draw(&a, &g);
	char *text = grid_dump_text(&g);
	grid_free(&g);
	return text;
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

/* The beginnings of all blocks that would reveal the answer. */
static void hides_answers(const struct lesson *l, const char *text)
{
	char begin[25];
	for (int i = 0; i < l->block_count; i++) {
		const struct lesson_block *b = &l->blocks[i];
		if (b->part < LESSON_CURVE || b->part == LESSON_EXERCISES || strlen(b->text) < sizeof begin ||
			b->kind == LESSON_ROW)
			continue;
		snprintf(begin, sizeof begin, "%.24s", b->text);
		lacks(text, begin);
	}
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
		assert_int_equal(lessons_view_of(&a)->section, PAGE_PREDICT);
		lesson_jump(&a);
		assert_ptr_equal(a.view, &view_lessons);
		for (int s = 0; s < 3; s++)
			for (int class_mode = 0; class_mode < 2; class_mode++) {
				lessons_view_of(&a)->class_mode = class_mode;
				char *text = screen(sizes[s][0], sizes[s][1]);
				hides_answers(l, text);
				lacks(text, "RIGHT");
				free(text);
			}
	}
}

static void locking_needs_a_prediction(void **state)
{
	(void)state;
	act("lessons", "caches");
	struct lesson_view *v = lessons_view_of(&a);
	act("lesson-enter", NULL);
	assert_int_equal(v->stage, STAGE_PREDICT);
	assert_non_null(strstr(a.message, "choose"));
	act("lesson-f", NULL); /* there are three choices */
	assert_int_equal(v->choice, 0);
	act("lesson-c", NULL);
	assert_int_equal(v->choice, 3);
	act("lesson-up", NULL);
	assert_int_equal(v->choice, 2);
	act("lesson-enter", NULL);
	assert_int_equal(v->stage, STAGE_LOCKED); /* without a worker nothing is measured or revealed */
	measure_pump(&a);
	char *text = screen(80, 24);
	hides_answers(lessons_view_page(&a), text);
	free(text);
	act("lesson-a", NULL);
	assert_int_equal(v->choice, 2); /* a locked prediction cannot change */
	act("lesson-skip", NULL);
	assert_int_equal(v->stage, STAGE_REVEALED);
	assert_true(v->result.skipped && !v->result.right);
	text = screen(80, 24);
	assert_non_null(strstr(text, "The right answer is b."));
	free(text);
}

static void answers_are_shown_one_by_one(void **state)
{
	(void)state;
	act("lessons", "caches");
	act("lesson-skip", NULL);
	lessons_view_of(&a)->section = PAGE_EXERCISES;
	char *text = screen(200, 60);
	hides_answers(lessons_view_page(&a), text);
	free(text);
	act("lesson-down", NULL);
	act("lesson-enter", NULL);
	assert_int_equal(lessons_view_of(&a)->answers, 1u << 2);
	act("lesson-enter", NULL);
	assert_int_equal(lessons_view_of(&a)->answers, 0);
}

static void votes_are_counted_and_removed(void **state)
{
	(void)state;
	act("lessons", "caches");
	act("lesson-class", NULL);
	act("lesson-undo", NULL); /* nothing to remove */
	act("lesson-enter", NULL);
	assert_int_equal(lessons_view_of(&a)->stage, STAGE_PREDICT);
	assert_non_null(strstr(a.message, "no votes yet"));
	act("lesson-draw", NULL); /* no drawing in class mode */
	assert_false(lessons_view_of(&a)->drawing);
	assert_non_null(strstr(a.message, "not available in class mode"));
	for (int i = 0; i < 11; i++)
		act("lesson-b", NULL);
	act("lesson-a", NULL);
	act("lesson-undo", NULL);
	act("lesson-c", NULL);
	struct votes *v = &lessons_view_of(&a)->votes;
	assert_true(v->count[0] == 0 && v->count[1] == 11 && v->count[2] == 1 && v->total == 12);
	assert_int_equal(lessons_view_of(&a)->choice, 0); /* votes do not choose for the user */
	char *text = screen(80, 24);
	assert_non_null(strstr(text, "12 votes"));
	assert_non_null(strstr(text, "b 92 %"));
	free(text);
	for (int i = 0; i < 2 * VOTES_MAX; i++)
		act("lesson-a", NULL);
	assert_int_equal(v->count[0], VOTES_MAX);
	for (int i = 0; i < 3 * VOTES_MAX; i++)
		act("lesson-undo", NULL);
	assert_int_equal(v->total, 0);
	act("lesson-b", NULL);
	act("lesson-skip", NULL);
	assert_int_equal(lessons_view_of(&a)->stage, STAGE_REVEALED);
	assert_false(
		course_progress_get(&lessons_view_of(&a)->progress, "caches").done); /* and are not the user's result */
	act("lesson-retry", NULL);
	assert_string_equal(a.message, "new vote");
}

static void progress_is_saved(void **state)
{
	(void)state;
	struct err e = {0};
	struct course_progress p, other;
	assert_true(course_progress_load(&p, &e) && course_progress_load(&other, &e));
	assert_true(isnan(course_progress_get(&p, "caches").curve) && !course_progress_get(&p, "caches").done);
	assert_true(course_progress_put(
		&p, "caches", &(struct lesson_result){.done = true, .choice = 2, .right = true, .curve = 0.25}, &e));
	assert_true(course_progress_put(&other, "lds",
		&(struct lesson_result){.done = true, .skipped = true, .curve = NAN}, &e)); /* another process */
	assert_true(course_progress_put(
		&p, "caches", &(struct lesson_result){.done = true, .choice = 1, .curve = NAN}, &e));
	course_progress_free(&p);
	course_progress_free(&other);
	assert_true(course_progress_load(&p, &e));
	struct lesson_result r = course_progress_get(&p, "caches");
	assert_true(r.right && r.choice == 2 && r.curve == 0.25 && r.tries == 2); /* the first result counts */
	assert_true(course_progress_get(&p, "lds").skipped);
	assert_true(course_progress_put(
		&p, "lds", &(struct lesson_result){.done = true, .choice = 3, .right = true, .curve = NAN}, &e));
	assert_true(course_progress_get(&p, "lds").right); /* a lesson that was only read can still be predicted */
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
	fputs("# Mine\n\n## Question\n\nHow?\n\n## Guess\n\n", f);
	fclose(f);
	act("lessons", NULL);
	assert_int_equal(lessons_view_of(&a)->bad_count, 1);
	assert_non_null(strstr(lessons_view_of(&a)->bad[0], "broken.md:7: unexpected section 'Guess'"));
	assert_true(lessons_view_of(&a)->course.count > 10);
	char *text = screen(120, 36);
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
			act("lessons", lessons_view_of(&a)->course.list[i]->id);
			free(screen(80, h));
			if (lessons_view_layout(&a, 80, h - 3).plot.h > 0 && lessons_view_scroll_max(&a) > 0)
				fail_msg("%s at 80x%d: %d rows of the prediction are cut off",
					lessons_view_of(&a)->course.list[i]->id, h, lessons_view_scroll_max(&a));
		}
}

/* Drawing a prediction, and its result in the course. */
static void a_prediction_can_be_drawn(void **state)
{
	(void)state;
	act("lessons", "caches");
	struct lesson_view *v = lessons_view_of(&a);
	act("lesson-draw", NULL);
	assert_true(v->drawing);
	act("lesson-drop", NULL);
	act("lesson-right", "5");
	act("lesson-up", NULL);
	act("lesson-drop", NULL);
	assert_int_equal(prediction_point_count(&v->prediction), 2);
	char *text = screen(80, 24);
	assert_non_null(strstr(text, "Draw: Latency, by range"));
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
		{"lesson-enter"},
		{"lesson-draw", "lesson-drop"},
		{"lesson-class", "lesson-a"},
		{"lesson-enter"},
		{"lesson-skip"},
		{"lesson-class"},
		{"lesson-right"},
		{"lesson-right", "lesson-right", "lesson-enter"},
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
				free(screen(w, h));
	}
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, home, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ALONE(nothing_is_revealed_before_the_lock),
		ALONE(locking_needs_a_prediction),
		ALONE(answers_are_shown_one_by_one),
		ALONE(votes_are_counted_and_removed),
		ALONE(progress_is_saved),
		ALONE(broken_progress_is_reported),
		ALONE(own_lessons_follow_the_course),
		ALONE(empty_axes_cover_no_choices),
		ALONE(a_prediction_can_be_drawn),
		ALONE(tables_fit_narrow_screens),
		ALONE(lessons_and_devices_draw_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
