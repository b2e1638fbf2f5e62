/* The votes of a class: typed by the lecturer, or from phones. */
#include <string.h>

#include "tui/views/lessons/lessons_view.h"

/* --- typed by the lecturer --- */
void lessons_view_add_vote(struct app *a, int place)
{
	struct step_state *s = lessons_view_step(a);
	if (!s)
		return;
	if (s->stage != STAGE_ASKED)
		return app_show_message(a, ROLE_DIM, "the vote is over; t starts a new one");
	if (place < 0 || place >= lessons_view_lesson(a)->steps[lessons_view_of(a)->page - 1].choice_count)
		return;
	int choice = s->order[place];
	if (s->votes.count[choice - 1] >= VOTES_MAX)
		return;
	s->votes.given[s->votes.total++] = (signed char)choice;
	s->votes.count[choice - 1]++;
}

void lessons_view_remove_vote(struct app *a)
{
	struct step_state *s = lessons_view_step(a);
	if (!s || !s->votes.total || s->stage != STAGE_ASKED)
		return app_show_message(a, ROLE_DIM, "no vote to remove");
	int choice = s->votes.given[--s->votes.total];
	s->votes.count[choice - 1]--;
	app_show_message(a, ROLE_DIM, "removed a vote for %c", 'a' + step_place_of(s, choice, LESSON_CHOICES_MAX));
}

/* --- from phones --- */
static int page_choice_count(const struct app *a)
{
	return lessons_view_lesson(a)->steps[lessons_view_of(a)->page - 1].choice_count;
}

void lessons_view_ask_class(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	v->phone_votes = 0;
	if (v->class_mode && s && s->stage == STAGE_ASKED)
		class_session_ask(&v->session, lessons_view_lesson(a), v->page, s->order);
}

int lessons_view_count_votes(const struct app *a, int counts[LESSON_CHOICES_MAX])
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	int phones[LESSON_CHOICES_MAX] = {0}, total = 0;
	memset(counts, 0, LESSON_CHOICES_MAX * sizeof *counts);
	if (!s)
		return 0;
	if (s->stage == STAGE_ASKED)
		class_session_count(&v->session, phones);
	for (int place = 0; place < page_choice_count(a); place++) {
		int choice = s->order[place] - 1;
		counts[choice] = s->votes.count[choice] + phones[place];
		total += counts[choice];
	}
	return total;
}

/* The votes from phones join the typed ones; the result is kept for the export. */
void lessons_view_end_vote(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	int counts[LESSON_CHOICES_MAX], by_place[LESSON_CHOICES_MAX] = {0};
	if (!v->class_mode || !s)
		return;
	s->votes.total = lessons_view_count_votes(a, counts);
	memcpy(s->votes.count, counts, sizeof counts);
	for (int place = 0; place < page_choice_count(a); place++)
		by_place[place] = counts[s->order[place] - 1];
	class_session_keep(&v->session, lessons_view_lesson(a), v->page, s->order, by_place);
}

void lessons_view_open_phones(struct app *a, const char *where)
{
	struct lesson_view *v = lessons_view_of(a);
	struct err e = {0};
	if (!v->class_mode)
		lessons_view_set_class_mode(a, true);
	if (!v->class_mode || !class_session_start_server(&v->session, where, &e))
		return app_show_message(a, ROLE_BAD, "%s", e.text);
	lessons_view_ask_class(a);
	app_show_message(a, ROLE_OK, "phones vote at %s", vote_server_url(v->session.server));
}

void lessons_view_close_phones(struct app *a)
{
	class_session_stop_server(&lessons_view_of(a)->session);
	app_show_message(a, ROLE_OK, "the page for phones is closed");
}

bool lessons_view_export_class(struct app *a, const char *path)
{
	struct err e = {0};
	bool ok = class_session_export(&lessons_view_of(a)->session, path, &e);
	app_show_message(a, ok ? ROLE_OK : ROLE_BAD, ok ? "written: %s" : "%s", ok ? path : e.text);
	return ok;
}
