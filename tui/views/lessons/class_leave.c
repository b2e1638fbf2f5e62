/* Leaving a vote that is open: its votes are not dropped without a question. */
#include "base/units.h"
#include "tui/shell/input_line.h"
#include "tui/views/lessons/lessons_view.h"

static int count_open_votes(const struct app *a)
{
	int total = 0, counts[LESSON_CHOICES_MAX];
	for (int step = 1; step <= lessons_view_of(a)->step_count; step++)
		if (lessons_view_of(a)->steps[step - 1].stage == STAGE_ASKED)
			total += lessons_view_count_step_votes(a, step, counts);
	return total;
}

static bool keep_leave_line(struct app *a, const char *text)
{
	(void)a;
	(void)text;
	return false; /* Enter alone does not choose */
}

static void drop_open_votes(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	for (int i = 0; i < v->step_count; i++)
		if (v->steps[i].stage == STAGE_ASKED)
			v->steps[i].votes = (struct votes){0};
	lessons_view_clear_phones(a);
	lessons_view_keep_open_votes(a, false);
}

/* The first letter decides. What cannot be written is still kept for X and the next try. */
static void leave_choice_typed(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	char choice = a->input.text[0];
	a->input.text[0] = 0;
	if (choice != 's' && choice != 'd')
		return;
	a->input.is_open = false;
	if (choice == 's')
		lessons_view_end_open_votes(a);
	else
		drop_open_votes(a);
	v->leave(a, v->leave_to);
}

void lessons_view_leave_votes(struct app *a, void (*leave)(struct app *a, int to), int to)
{
	struct lesson_view *v = lessons_view_of(a);
	int count = count_open_votes(a);
	if (!count) {
		leave(a, to);
		return;
	}
	v->leave = leave;
	v->leave_to = to;
	input_line_open(a, keep_leave_line, "", "%d vote%s of an open question: s save, d drop, Esc stay ", count,
		plural_s((unsigned)count));
	a->input.typed = leave_choice_typed;
	a->input.hint = "s save the votes and go on   d drop them   Esc stay";
}
