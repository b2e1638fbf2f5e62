/* Quitting: curves that are in no session file are offered for saving; the views keep their results. */
#include <stdlib.h>

#include "base/paths.h"
#include "base/settings.h"
#include "base/units.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/files/curve_files.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/general_actions.h"
#include "tui/shell/input_line.h"

static bool keep_quit_line(struct app *a, const char *text)
{
	(void)a;
	(void)text;
	return false; /* Enter alone does not choose */
}

static void quit_anyway_typed(struct app *a)
{
	char choice = a->input.text[0];
	a->input.text[0] = 0;
	if (choice == 'q')
		a->quit = true;
}

/* Stays in the program when a view cannot write its results. */
static void end_program(struct app *a)
{
	struct err e = {0};
	a->quit = app_keep_results(a, &e);
	if (a->quit)
		return;
	app_show_message(a, ROLE_BAD, "%s", e.text);
	input_line_open(a, keep_quit_line, "", "results cannot be saved: q quit, Esc stay and see why ");
	a->input.typed = quit_anyway_typed;
	a->input.hint = "q quit without saving   Esc stay";
}

/* Stays in the program when a curve cannot be saved. */
static void save_and_quit(struct app *a)
{
	struct err e = {0};
	int count = unsaved_curves_count(a), saved = unsaved_curves_save(a, &e);
	char *folder = session_default_folder();
	path_abbreviate_home(folder);
	if (saved < count)
		app_show_message(a, ROLE_BAD, "%d of %d curves saved; %s", saved, count, e.text);
	else
		app_show_message(a, ROLE_OK, "%d curve%s saved in %s", saved, plural_s((unsigned)saved), folder);
	if (saved == count)
		end_program(a);
	a->message_at_end = a->quit;
	free(folder);
}

/* The first letter decides. */
static void quit_choice_typed(struct app *a)
{
	char choice = a->input.text[0];
	a->input.text[0] = 0;
	if (choice == 's' || choice == 'q')
		a->input.is_open = false;
	if (choice == 's')
		save_and_quit(a);
	else if (choice == 'q')
		end_program(a);
}

void act_quit(struct app *a)
{
	recording_write_points(a);
	int count = setting_equals(SETTING_UNSAVED, "discard") ? 0 : unsaved_curves_count(a);
	if (!count)
		end_program(a);
	else if (setting_equals(SETTING_UNSAVED, "save"))
		save_and_quit(a);
	else {
		input_line_open(a, keep_quit_line, "", "%d curve%s not saved: s save and quit, q quit, Esc stay ",
			count, plural_s((unsigned)count));
		a->input.typed = quit_choice_typed;
		a->input.hint = "s save and quit   q quit without saving   Esc stay";
	}
}

void act_live(struct app *a)
{
	if (!app_leave_recording(a) && !a->message[0])
		app_show_message(a, ROLE_DIM, "this is not a recording; D shows the devices");
}
