/* The lesson view's state and what can be done with it: the course, a page read section by section, a prediction that
 * is locked in before anything of the answer is shown, steps measured beside the bench, the room's votes. Draws
 * nothing. */
#ifndef TUI_VIEWS_LESSONS_LESSONS_VIEW_H
#define TUI_VIEWS_LESSONS_LESSONS_VIEW_H

#include "experiments/course/lesson_step.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/lab/prediction.h"
#include "experiments/course/course_progress.h"
#include "tui/lab/background_job.h"

enum lesson_stage { STAGE_PREDICT, STAGE_LOCKED /* the first step is measured */, STAGE_REVEALED };
/* What is read at a time. The first one holds Question and Predict; the ones behind PAGE_RUN only from STAGE_REVEALED
 * on. */
enum lesson_section { PAGE_PREDICT, PAGE_RUN, PAGE_CURVE, PAGE_WHY, PAGE_OTHERS, PAGE_EXERCISES, PAGE_SECTIONS };

enum { LESSON_CHOICES_MAX = 6, VOTES_MAX = 999 };

/* What a step measured. */
struct lesson_curve {
	json_t *header, **points; /* a session's: owned, point records with their metrics, NULL until measured */
	int count, axis;          /* axis: parameter on x, -1 none */
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
	char **bad; /* a line for each page that could not be read; owned */
	int bad_count;
	struct course_progress progress;
	int chosen; /* of the course */
	bool open;  /* a page is read; else the list is shown */

	/* the page */
	enum lesson_stage stage;
	bool skipped;
	enum lesson_section section;
	int choice;   /* from 1; 0: none yet */
	bool drawing; /* arrows move the pen */
	struct prediction pen;
	struct lesson_step predicted; /* the step whose curve is predicted; predicted.x NULL: there is none */
	int predicted_number;
	int metric;                    /* of predicted.x: what the pen draws; -1 none */
	struct lesson_result result;   /* once revealed */
	int compared;                  /* points that the drawn curve was compared with */
	int step;                      /* chosen in the Run section, from 1 */
	int measured;                  /* the step whose curve is shown, 0 none */
	unsigned long long steps_done; /* a bit a step */
	struct lesson_step running;    /* of `measured`; owns what the sweep borrows */
	struct background_job *side;
	struct lesson_curve now, before;
	int cursor; /* point of `now` */
	int scroll;
	int exercise;     /* chosen, from 1 */
	unsigned answers; /* a bit an exercise: shown */

	bool class_mode;
	struct votes votes;
};

extern const struct view view_lessons;
static inline struct lesson_view *lessons_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_lessons);
}

/* The state, made by the first who asks. */
struct lesson_view *lessons_view_get(struct app *a);
void lessons_view_enter(struct app *a); /* a view_hook */
void lessons_view_close(struct app *a);

const struct lesson *lessons_view_page(const struct app *a); /* the one that is open, NULL in the list */
const struct lesson *lessons_view_page_at(const struct app *a, int i);
int lesson_count_choices(const struct lesson *l);
const struct lesson_block *lesson_find_choice(const struct lesson *l, int number); /* from 1; NULL */
int lesson_count_exercises(const struct lesson *l);
bool lesson_section_is_visible(const struct app *a, enum lesson_section s); /* nothing of the answer before the lock */

void lessons_view_open(struct app *a, int page);
bool lessons_view_go_back(struct app *a);    /* Esc: cancels, or goes one step up; false in the list */
void lessons_view_close_page(struct app *a); /* to the list; the prediction is given up */
void lessons_view_choose(struct app *a, int number);
void lessons_view_next_metric(struct app *a);     /* the pen draws the next quantity, from nothing */
bool lessons_view_lock_prediction(struct app *a); /* measures; false with a message when there is nothing to lock in */
void lesson_skip(struct app *a);
void lesson_retry(struct app *a);                        /* predict anew */
void lessons_view_measure_step(struct app *a, int step); /* carries the step out */
void lesson_jump(struct app *a); /* the workbench with the step's set-up, and its curve where the device is the same */
void lessons_view_add_vote(struct app *a, int number);
void lessons_view_remove_vote(struct app *a);

void lessons_view_offer(const struct app *a, struct palette *offers); /* the lessons, for the command palette */
void lessons_view_draw(const struct app *a, struct area at);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/lessons/lessons_keys.def"
#undef ACTION

#endif
