/* The lesson view: the course; a lesson, read section by section; a prediction that is locked in before the answer
 * is shown; steps measured in the background; the votes of a class. */
#ifndef TUI_VIEWS_LESSONS_LESSONS_VIEW_H
#define TUI_VIEWS_LESSONS_LESSONS_VIEW_H

#include "experiments/course/lesson_step.h"
#include "sessions/load/point_list.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/lab/prediction.h"
#include "experiments/course/course_progress.h"
#include "tui/lab/background_job.h"

enum lesson_stage { STAGE_PREDICT, STAGE_LOCKED /* the first step is being measured */, STAGE_REVEALED };
/* The sections. The first one holds Question and Predict; those after PAGE_RUN are visible from STAGE_REVEALED on. */
enum lesson_section { PAGE_PREDICT, PAGE_RUN, PAGE_CURVE, PAGE_WHY, PAGE_OTHERS, PAGE_EXERCISES, PAGE_SECTIONS };

enum { LESSON_CHOICES_MAX = 6, VOTES_MAX = 999 };

/* The result of a step. */
struct lesson_curve {
	json_t *header;           /* as in a session; owned */
	struct point_list points; /* records with metrics, NULL until measured */
	int axis;                 /* parameter on the x axis, -1: none */
	struct experiment *x;
	char device[96];
};

struct votes {
	int count[LESSON_CHOICES_MAX];
	signed char given[LESSON_CHOICES_MAX * VOTES_MAX];
	int total;
};

struct lesson_view {
	struct lessons course;
	char **bad; /* an error for each lesson that could not be read; owned */
	int bad_count;
	struct course_progress progress;
	int chosen; /* selected lesson of the course */
	bool open;  /* a lesson is open; otherwise the list is shown */

	/* the open lesson */
	enum lesson_stage stage;
	bool skipped;
	enum lesson_section section;
	int choice;   /* from 1; 0: none */
	bool drawing; /* the arrow keys draw the prediction */
	struct prediction prediction;
	struct lesson_step predicted; /* the step whose curve is predicted; predicted.x NULL: none */
	int predicted_number;
	int metric;                    /* metric of predicted.x that is drawn; -1: none */
	struct lesson_result result;   /* set when revealed */
	int compared;                  /* points compared with the prediction */
	int step;                      /* selected in the Run section, from 1 */
	int measured;                  /* the step whose curve is shown; 0: none */
	unsigned long long steps_done; /* one bit for each step */
	struct lesson_step running;    /* the step `measured`; owns what the sweep borrows */
	struct background_job *job;
	struct lesson_curve now, before;
	int cursor; /* point of `now` */
	int scroll;
	int exercise;     /* selected, from 1 */
	unsigned answers; /* one bit for each exercise: its answer is shown */

	bool class_mode;
	struct votes votes;
};

extern const struct view view_lessons;
static inline struct lesson_view *lessons_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_lessons);
}

/* The state, created if needed. */
struct lesson_view *lessons_view_get(struct app *a);
void lessons_view_enter(struct app *a); /* member of view_lessons */
void lessons_view_close(struct app *a);

const struct lesson *lessons_view_page(const struct app *a); /* the open one; NULL in the list */
const struct lesson *lessons_view_page_at(const struct app *a, int i);
int lesson_count_choices(const struct lesson *l);
const struct lesson_block *lesson_find_choice(const struct lesson *l, int number); /* from 1; NULL: none */
int lesson_count_exercises(const struct lesson *l);
bool lesson_section_is_visible(const struct app *a,
	enum lesson_section s); /* false for sections with the answer before the prediction is locked in */

void lessons_view_open(struct app *a, int page);
bool lessons_view_go_back(struct app *a);    /* Esc: cancels or goes one level up; false in the list */
void lessons_view_close_page(struct app *a); /* back to the list; discards the prediction */
void lessons_view_choose(struct app *a, int number);
void lessons_view_next_metric(struct app *a); /* draws the next metric, starting empty */
bool lessons_view_lock_prediction(
	struct app *a); /* starts the measurement; false with a message without a prediction */
void lesson_skip(struct app *a);
void lesson_retry(struct app *a);                        /* starts a new prediction */
void lessons_view_measure_step(struct app *a, int step); /* runs a step */
void lesson_jump(struct app *a); /* opens the step in the workbench; with its curve if the device is the same */
void lessons_view_add_vote(struct app *a, int number);
void lessons_view_remove_vote(struct app *a);

void lessons_view_offer(const struct app *a, struct palette *offers); /* the lessons, for the command palette */
void lessons_view_draw(const struct app *a, struct area at);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/lessons/lessons_keys.def"
#undef ACTION

#endif
