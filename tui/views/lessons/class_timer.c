/* The timer of a vote, which the lecturer starts. It is that of the vote box, so that phones show it, too. */
#include <stdlib.h>

#include "base/settings.h"
#include "base/units.h"
#include "tui/shell/shell.h"
#include "tui/views/lessons/lessons_view.h"

enum { SECONDS_MAX = 3600 };

bool lessons_view_start_timer(struct app *a, const char *seconds)
{
	struct vote_box *box = &lessons_view_of(a)->session.box;
	char *end;
	long n = strtol(seconds, &end, 10);
	if (end == seconds || *end || n < 0 || n > SECONDS_MAX) {
		app_show_message(a, ROLE_BAD, "not a time: '%.20s'; write 1 to %d seconds, or 0 to stop the timer",
			seconds, SECONDS_MAX);
		return false;
	}
	if (lessons_view_place(a) != PLACE_VOTE) {
		app_show_message(a, ROLE_WARN, "no vote is open");
		return true;
	}
	bool ends = setting_equals(SETTING_VOTE_TIMER, "end");
	vote_box_start_timer(box, (int)n, ends);
	if (n)
		app_show_message(a, ROLE_OK, "%ld second%s; then the vote %s", n, plural_s((unsigned)n),
			ends ? "ends" : "goes on (setting vote-timer)");
	else
		app_show_message(a, ROLE_OK, "no timer");
	return true;
}

void lessons_view_check_timer(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	int counts[LESSON_CHOICES_MAX], left = vote_box_count_seconds(&v->session.box);
	if (left != v->seconds)
		app_request_redraw(a);
	bool ended = left == 0 && v->seconds != 0;
	v->seconds = left;
	if (!ended)
		return;
	if (!v->session.box.timer.ends_vote)
		app_show_message(a, ROLE_WARN, "the time is up; Space ends the vote");
	else if (!lessons_view_count_votes(a, counts)) {
		vote_box_start_timer(&v->session.box, 0, false);
		app_show_message(a, ROLE_WARN, "the time is up without a vote; the vote goes on");
	} else
		lessons_view_close_vote(a);
}
