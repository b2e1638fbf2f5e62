/* The lesson view: the course; a lesson, read page by page. The pages of a lesson are its introduction, its steps, and
 * what follows them. A step asks; after the prediction is locked in, its curve is measured in the background and shown
 * with the answer. In class mode the steps are put to a class, which votes. */
#ifndef TUI_VIEWS_LESSONS_LESSONS_VIEW_H
#define TUI_VIEWS_LESSONS_LESSONS_VIEW_H

#include "experiments/course/course_progress.h"
#include "experiments/course/lesson_command.h"
#include "experiments/course/lessons.h"
#include "sessions/load/point_list.h"
#include "tui/lab/app.h"
#include "tui/lab/background_job.h"
#include "tui/lab/prediction.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/views/lessons/class_session.h"

enum lesson_stage {
	STAGE_ASKED,
	STAGE_CLOSED, /* of a class: the vote is over, the answer is not shown */
	STAGE_LOCKED, /* the curve is being measured */
	STAGE_REVEALED
};
enum lesson_page_kind { PAGE_INTRODUCTION, PAGE_STEP, PAGE_OTHERS, PAGE_EXERCISES };

/* Where keys have meanings of their own. */
enum lesson_place {
	PLACE_COURSE,
	PLACE_READING,
	PLACE_QUESTION,
	PLACE_DRAWING,
	PLACE_ANSWER,
	PLACE_EXERCISES,
	PLACE_VOTE,
	PLACE_DISCUSSION,
	PLACE_RESULT,
	PLACE_COUNT
};
/* For the key table. */
enum {
	IN_COURSE = 1 << PLACE_COURSE,
	IN_READING = 1 << PLACE_READING,
	IN_QUESTION = 1 << PLACE_QUESTION,
	IN_DRAWING = 1 << PLACE_DRAWING,
	IN_ANSWER = 1 << PLACE_ANSWER,
	IN_EXERCISES = 1 << PLACE_EXERCISES,
	IN_VOTE = 1 << PLACE_VOTE,
	IN_DISCUSSION = 1 << PLACE_DISCUSSION,
	IN_RESULT = 1 << PLACE_RESULT,
	IN_LESSON = ALL_PLACES & ~IN_COURSE,
	IN_ASKING = IN_QUESTION | IN_DRAWING,
	IN_CLASS = IN_VOTE | IN_DISCUSSION | IN_RESULT,
	NOT_IN_CLASS = ALL_PLACES & ~IN_CLASS
};

/* The measured curve of a step. */
struct lesson_curve {
	json_t *header;           /* as in a session, but only the metric asked about is drawn; owned */
	struct point_list points; /* records with metrics, NULL until measured */
	char device[96];
};

enum { VOTES_MAX = 999, VOTE_ROUNDS = 2 };

/* Votes count by choice of the page, not by letter. */
struct votes {
	int count[LESSON_CHOICES_MAX];
	signed char given[LESSON_CHOICES_MAX * VOTES_MAX];
	int total;
};

/* A step of the open lesson. */
struct step_state {
	enum lesson_stage stage;
	int order[LESSON_CHOICES_MAX]; /* the number of the choice shown as a, b, ... */
	int choice;                    /* its number; 0: none */
	bool skipped;
	struct prediction prediction;  /* no columns: no curve can be drawn */
	struct step_result result;     /* set when revealed */
	int compared;                  /* points compared with the prediction */
	struct lesson_command command; /* command.x NULL: it cannot run here */
	int metric;                    /* of command.x, asked about; -1: none */
	struct lesson_curve curve;
	int cursor;           /* point of the curve */
	int selected_command; /* further command, from 1; 0: none */
	int round;            /* of the votes of a class, from 1 */
	struct votes votes;   /* of this round */
	struct votes first;   /* of the first round, in the second one */
};

struct lesson_view {
	struct lessons course;
	char **bad; /* an error for each lesson that could not be read; owned */
	int bad_count;
	struct course_progress progress;
	int chosen;      /* selected lesson of the course */
	bool open;       /* a lesson is open; otherwise the list is shown */
	unsigned visits; /* lessons opened so far: each visit shuffles the choices */

	/* the open lesson */
	struct step_state *steps; /* all its steps; the background job borrows their counters */
	int step_count;
	int page;     /* 0: introduction, then the steps, then what follows them */
	bool drawing; /* the arrow keys draw the prediction */
	int measured; /* the step that the job measures, from 1; 0: none */
	struct background_job *job;
	int scroll;
	bool shows_source; /* instead of the answer, or of the curve of a result */
	int answer_scroll; /* of the answer meanwhile */
	int exercise;      /* selected, from 1 */
	unsigned answers;  /* one bit for each exercise: its answer is shown */

	bool class_mode;
	struct class_session session;
	int polled;                           /* the step whose question the phones have, from 1; 0: none */
	int phone_votes, phone_devices;       /* shown last */
	int seconds;                          /* of the timer, shown last */
	bool shows_split;                     /* the votes for each choice, during a discussion */
	bool shows_reasons;                   /* instead of the curve of a result */
	void (*leave)(struct app *a, int to); /* waits for the answer what happens with open votes */
	int leave_to;
	uint64_t kept_votes; /* the open votes that are in their file; 0: none */
	long long kept_at;   /* ms */
};

extern const struct view view_lessons;
static inline struct lesson_view *lessons_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_lessons);
}

/* --- the course: lessons_view.c --- */
struct lesson_view *lessons_view_get(struct app *a); /* the state, created if needed */
void lessons_view_enter(struct app *a);              /* member of view_lessons */
void lessons_view_close(struct app *a);
const struct lesson *lessons_view_lesson(const struct app *a); /* the open one; NULL in the list */
const struct lesson *lessons_view_lesson_at(const struct app *a, int i);
void lessons_view_open(struct app *a, int lesson);
void lessons_view_close_lesson(struct app *a); /* back to the list */
void lessons_view_restart(struct app *a);      /* all steps as on opening, on the same page; new order of choices */
bool lessons_view_go_back(struct app *a);      /* Esc; false in the list */
int lessons_view_place(const struct app *a);   /* enum lesson_place */

/* --- pages: lesson_pages.c --- */
int lesson_page_count(const struct lesson *l);
enum lesson_page_kind lesson_page_kind(const struct lesson *l, int page);
struct step_state *lessons_view_step(const struct app *a);     /* of the current page; NULL if it is not a step */
bool lessons_view_page_is_open(const struct app *a, int page); /* all steps before it are answered */
void lessons_view_go_to(struct app *a, int page);              /* refuses with a message while a step is open */

/* --- steps: lesson_steps.c --- */
void lesson_steps_create(struct app *a); /* for the open lesson */
void lesson_steps_free(struct app *a);
int step_place_of(const struct step_state *s, int choice, int choices); /* 0 for a; -1: not a choice */
void lessons_view_choose(struct app *a, int place);
bool lessons_view_lock(struct app *a); /* starts the measurement; false with a message without a prediction */
void lessons_view_skip(struct app *a);
void lessons_view_retry(struct app *a);   /* asks the step again */
void lessons_view_measure(struct app *a); /* the current step */
/* Shows on what the answer rests, or hides it; before the answer, or without a source, a message. */
void lessons_view_turn_source(struct app *a);
bool lessons_view_has_source(const struct app *a); /* the current step is answered and has a source */
/* Opens the current step, or its further command, in the workbench; with the curve if the device is the same. */
void lessons_view_jump(struct app *a, int command);

/* --- class mode: class_votes.c, class_leave.c --- */
void lessons_view_set_class_mode(struct app *a, bool on);
void lessons_view_ask_class(struct app *a);    /* puts the current step on the phones */
void lessons_view_clear_phones(struct app *a); /* takes the question from the phones, with their votes */
void lessons_view_add_vote(struct app *a, int place);
void lessons_view_remove_vote(struct app *a);
/* Votes by the step's choices, those from phones included; returns their number. */
int lessons_view_count_votes(const struct app *a, int counts[LESSON_CHOICES_MAX]); /* of the current step */
int lessons_view_count_step_votes(const struct app *a, int step, int counts[LESSON_CHOICES_MAX]);
/* Ends the open vote of the current step and saves its result; outside of class mode it does nothing. */
void lessons_view_end_vote(struct app *a);
/* From a text: seconds, "0" stops it. False with a message. */
bool lessons_view_start_timer(struct app *a, const char *seconds);
void lessons_view_check_timer(struct app *a);       /* ends the vote when its time is up */
void lessons_view_close_vote(struct app *a);        /* for a discussion; without votes a message */
void lessons_view_vote_again(struct app *a);        /* the second round, with the choices in the same order */
bool lessons_view_hides_votes(const struct app *a); /* who votes does not see the votes of others */
/* The same for each step with open votes; they are not measured. */
void lessons_view_end_open_votes(struct app *a);
/* Writes the open votes to their file if they have changed; while phones are polled, once a second. */
void lessons_view_keep_open_votes(struct app *a, bool polling);
void lessons_view_recover_votes(struct app *a);               /* those of a program that was killed */
bool lessons_view_keep_results(struct app *a, struct err *e); /* member of view_lessons */
/* Calls leave(a, to), which drops the open votes. If there are any, the user first saves them, drops them or stays. */
void lessons_view_leave_votes(struct app *a, void (*leave)(struct app *a, int to), int to);
void lessons_view_open_phones(struct app *a, const char *where); /* offers the page at that address */
void lessons_view_change_vote_for(struct app *a); /* address or browser; asks first if phones have voted */
void lessons_view_close_phones(struct app *a);    /* the votes stay */
bool lessons_view_export_class(struct app *a, const char *path);

void lessons_view_offer(const struct app *a, struct palette *offers); /* the lessons, for the command palette */
void lessons_view_add_legend(const struct app *a, struct text_page *page);
void lessons_view_draw(const struct app *a, struct area at);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/lessons/lessons_keys.def"
#undef ACTION

#endif
