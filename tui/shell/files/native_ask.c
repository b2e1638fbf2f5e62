#include "tui/shell/files/native_ask.h"

#include "tui/lab/edit/native_choice.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/input_line.h"

static bool keep_native_line(struct app *a, const char *text)
{
	(void)a;
	(void)text;
	return false; /* Enter alone does not choose */
}

/* The first letter decides. Esc measures nothing; the next sweep asks again. */
static void native_answer_typed(struct app *a)
{
	const struct lab *b = app_current_lab(a);
	char choice = a->input.text[0];
	a->input.text[0] = 0;
	if (choice != 'y' && choice != 'n')
		return;
	a->input.is_open = false;
	if (!b)
		return;
	native_choice_make(a, b, choice == 'y');
	if (!native_choice_is_missing(a, b))
		measure_start(a);
}

void native_ask_if_wanted(struct app *a)
{
	const struct lab *b = app_current_lab(a);
	if (!a->native_wanted || a->input.is_open)
		return;
	a->native_wanted = false;
	if (!b || !native_choice_is_missing(a, b))
		return;
	input_line_open(a, keep_native_line, "", "runs native code of %.30s, outside of the sandbox: y yes, n no ",
		b->x->native);
	a->input.typed = native_answer_typed;
	a->input.hint = "y run it with your rights   n measure without verification   Esc measure nothing";
}
