/* The question of a class with its choices: in the largest letters that fit, with the votes of both rounds as bars, and
 * after the answer with the reason for each choice. */
#ifndef TUI_VIEWS_LESSONS_CLASS_TEXT_H
#define TUI_VIEWS_LESSONS_CLASS_TEXT_H

#include "tui/toolkit/grid.h"
#include "tui/views/lessons/lessons_view.h"

enum class_letters {
	LETTERS_CUT /* small, one row */,
	LETTERS_SMALL,
	LETTERS_MEDIUM /* large and narrow */,
	LETTERS_LARGE
};

/* How the text is set; class_text_fit chooses it. */
struct class_form {
	enum class_letters question, choices, reasons;
	bool spaced; /* blank rows between choices */
	bool paired; /* the bars of both rounds in one row */
};

struct class_text {
	const struct app *a;
	const struct lesson *l;
	const struct step_state *s;
	int step;
	bool shows_now, shows_first; /* the votes of this round, of the first one */
	bool wants_reasons;          /* they are drawn if there is room: `reasons` */
	bool reasons;
	bool only_reasons; /* without the choices themselves */
	struct class_form form;
	int total, counts[LESSON_CHOICES_MAX]; /* of this round, by choice */
};

/* The text of the current step of class mode; `s` NULL without one. */
struct class_text class_text_make(const struct app *a, const struct lesson *l);

int class_text_height(const struct class_text *t, int width); /* rows in its form */
int class_text_least_height(struct class_text t, int width);  /* rows in the smallest form */
void class_text_fit(struct class_text *t, int width, int height);
void class_text_draw(const struct class_text *t, struct area at);

#endif
