/* The votes of a class: typed by the lecturer, or from phones. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/host_clock.h"
#include "base/settings.h"
#include "base/units.h"
#include "tui/views/lessons/lessons_view.h"

enum { KEEP_MS = 1000 };

/* --- typed by the lecturer --- */
void lessons_view_add_vote(struct app *a, int place)
{
	struct step_state *s = lessons_view_step(a);
	if (!s)
		return;
	if (s->stage != STAGE_ASKED)
		return app_show_message(a, ROLE_DIM, "the vote is over; t starts %s",
			s->stage == STAGE_CLOSED ? "the second round" : "a new one");
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
/* A question that the phones have already goes on, for example after a look at the result of an earlier one. */
void lessons_view_ask_class(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	if (!v->class_mode || !s || s->stage != STAGE_ASKED || v->polled == v->page)
		return;
	class_session_ask(&v->session, &(struct class_question){lessons_view_lesson(a), v->page, s->round, s->order});
	v->polled = v->page;
	v->phone_votes = 0;
}

void lessons_view_clear_phones(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	vote_box_clear(&v->session.box);
	v->polled = 0;
}

/* --- together --- */
static int step_choice_count(const struct app *a, int step)
{
	return lessons_view_lesson(a)->steps[step - 1].choice_count;
}

int lessons_view_count_step_votes(const struct app *a, int step, int counts[LESSON_CHOICES_MAX])
{
	struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = &v->steps[step - 1];
	int phones[LESSON_CHOICES_MAX] = {0}, total = 0;
	memset(counts, 0, LESSON_CHOICES_MAX * sizeof *counts);
	if (s->stage == STAGE_ASKED && v->polled == step)
		class_session_count(&v->session, phones);
	for (int place = 0; place < step_choice_count(a, step); place++) {
		int choice = s->order[place] - 1;
		counts[choice] = s->votes.count[choice] + phones[place];
		total += counts[choice];
	}
	return total;
}

int lessons_view_count_votes(const struct app *a, int counts[LESSON_CHOICES_MAX])
{
	memset(counts, 0, LESSON_CHOICES_MAX * sizeof *counts);
	return lessons_view_step(a) ? lessons_view_count_step_votes(a, lessons_view_of(a)->page, counts) : 0;
}

/* --- the end of a vote --- */
/* The votes from phones join the typed ones; the result is kept. */
static void end_step_vote(struct app *a, int step)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = &v->steps[step - 1];
	int counts[LESSON_CHOICES_MAX], by_place[LESSON_CHOICES_MAX] = {0};
	s->votes.total = lessons_view_count_step_votes(a, step, counts);
	memcpy(s->votes.count, counts, sizeof counts);
	for (int place = 0; place < step_choice_count(a, step); place++)
		by_place[place] = counts[s->order[place] - 1];
	if (v->polled == step)
		vote_box_end(&v->session.box);
	class_session_keep(
		&v->session, &(struct class_question){lessons_view_lesson(a), step, s->round, s->order}, by_place);
	s->stage = STAGE_CLOSED;
}

/* --- while it is open --- */
static struct class_session collect_open_votes(const struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct class_session open = {0};
	int counts[LESSON_CHOICES_MAX], by_place[LESSON_CHOICES_MAX];
	for (int step = 1; step <= v->step_count; step++) {
		const struct step_state *s = &v->steps[step - 1];
		if (s->stage != STAGE_ASKED || !lessons_view_count_step_votes(a, step, counts))
			continue;
		for (int place = 0; place < step_choice_count(a, step); place++)
			by_place[place] = counts[s->order[place] - 1];
		class_session_keep(
			&open, &(struct class_question){lessons_view_lesson(a), step, s->round, s->order}, by_place);
	}
	return open;
}

static uint64_t hash_votes(const struct class_session *open)
{
	uint64_t h = HASH_START;
	for (int i = 0; i < open->result_count; i++) {
		const struct class_result *r = &open->results[i];
		h = hash_bytes(hash_text(h, r->lesson), r->counts, sizeof r->counts);
		h = hash_bytes(hash_bytes(h, &r->step, sizeof r->step), &r->question.round, sizeof r->question.round);
	}
	return open->result_count ? h : 0;
}

/* Phones may vote many times in a second. */
void lessons_view_keep_open_votes(struct app *a, bool polling)
{
	struct lesson_view *v = lessons_view_of(a);
	struct err e = {0};
	if (!v || !v->class_mode || !lessons_view_lesson(a) || (polling && now_ms() - v->kept_at < KEEP_MS))
		return;
	struct class_session open = collect_open_votes(a);
	uint64_t votes = hash_votes(&open);
	if (votes != v->kept_votes && !class_session_keep_open(&v->session, &open, &e))
		app_show_message(a, ROLE_BAD, "%s; X exports the votes", e.text);
	v->kept_votes = votes;
	v->kept_at = now_ms();
	free(open.results);
}

void lessons_view_recover_votes(struct app *a)
{
	char *path = class_session_recover();
	if (path)
		app_show_message(
			a, ROLE_WARN, "votes of a question that was open when the program was killed are in %s", path);
	free(path);
}

static void save_results(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct err e = {0};
	struct class_session open = collect_open_votes(a);
	if (!class_session_save(&v->session, &open, &e))
		app_show_message(a, ROLE_BAD, "%s; X exports the votes", e.text);
	else if (v->session.path)
		app_show_message(a, ROLE_OK, "votes saved in %s", v->session.path);
	free(open.results);
	lessons_view_keep_open_votes(a, false);
}

void lessons_view_end_vote(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	if (!v->class_mode || !s || s->stage != STAGE_ASKED)
		return;
	end_step_vote(a, v->page);
	save_results(a);
}

/* Without measuring: Enter does that, should the lecturer stay. */
static void end_all_votes(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	int counts[LESSON_CHOICES_MAX];
	for (int step = 1; step <= v->step_count; step++)
		if (v->steps[step - 1].stage == STAGE_ASKED && lessons_view_count_step_votes(a, step, counts))
			end_step_vote(a, step);
}

void lessons_view_end_open_votes(struct app *a)
{
	end_all_votes(a);
	save_results(a);
}

bool lessons_view_keep_results(struct app *a, struct err *e)
{
	if (!lessons_view_of(a))
		return true;
	end_all_votes(a);
	const struct class_session none_open = {0};
	bool ok = class_session_save(&lessons_view_of(a)->session, &none_open, e);
	if (ok)
		class_session_drop_open(&lessons_view_of(a)->session);
	return ok;
}

/* --- two rounds, with a discussion between them --- */
/* Nor after the page was closed: it may open again. */
bool lessons_view_hides_votes(const struct app *a)
{
	struct class_session *c = &lessons_view_of(a)->session;
	const struct step_state *s = lessons_view_step(a);
	int counts[LESSON_CHOICES_MAX];
	return s && s->stage == STAGE_ASKED && (c->server || class_session_count(c, counts));
}

void lessons_view_close_vote(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	int counts[LESSON_CHOICES_MAX];
	if (!v->class_mode || !s || s->stage != STAGE_ASKED)
		return;
	if (!lessons_view_count_votes(a, counts))
		return app_show_message(a, ROLE_WARN, "no votes yet; x shows the answer without them");
	v->shows_split = !lessons_view_hides_votes(a);
	lessons_view_end_vote(a);
}

void lessons_view_vote_again(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	if (!s || s->stage != STAGE_CLOSED)
		return;
	if (s->round >= VOTE_ROUNDS)
		return app_show_message(a, ROLE_WARN, "both rounds are over; Enter shows the answer");
	s->first = s->votes;
	s->votes = (struct votes){0};
	s->round++;
	s->stage = STAGE_ASKED;
	v->polled = 0; /* the phones get a new number */
	lessons_view_ask_class(a);
	app_show_message(a, ROLE_DIM, "second round: the same question, its choices in the same order");
}

/* --- what has one vote --- */
static void change_vote_for(struct app *a, int by)
{
	struct err e = {0};
	if (!setting_set("vote-for", by == VOTE_BY_BROWSER ? "browser" : "address", NULL, &e))
		return app_show_message(a, ROLE_BAD, "%s", e.text);
	lessons_view_clear_phones(a);
	lessons_view_ask_class(a);
	app_show_message(a, ROLE_OK, "%s",
		by == VOTE_BY_BROWSER ? "one vote for each browser, by a cookie; a person with two browsers has two"
				      : "one vote for each address of the network");
}

/* The votes from phones so far cannot go on: who has voted would vote again. */
void lessons_view_change_vote_for(struct app *a)
{
	struct class_session *c = &lessons_view_of(a)->session;
	int counts[LESSON_CHOICES_MAX], by = c->box.by == VOTE_BY_BROWSER ? VOTE_BY_ADDRESS : VOTE_BY_BROWSER;
	if (class_session_count(c, counts) && lessons_view_place(a) == PLACE_VOTE)
		lessons_view_leave_votes(a, change_vote_for, by);
	else
		change_vote_for(a, by);
}

/* --- the page for phones, and the export --- */
void lessons_view_open_phones(struct app *a, const char *where)
{
	struct lesson_view *v = lessons_view_of(a);
	struct err e = {0};
	if (!v->class_mode)
		lessons_view_set_class_mode(a, true);
	if (!v->class_mode || !class_session_start_server(&v->session, where, &e))
		return app_show_message(a, ROLE_BAD, "%s", e.text);
	lessons_view_ask_class(a);
	app_show_message(a, ROLE_OK, "phones vote at %s; one vote for each %s, k changes that",
		vote_server_url(v->session.server), v->session.box.by == VOTE_BY_BROWSER ? "browser" : "address");
}

void lessons_view_close_phones(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	int counts[LESSON_CHOICES_MAX], total = class_session_count(&v->session, counts);
	class_session_stop_server(&v->session);
	if (total && lessons_view_place(a) == PLACE_VOTE)
		app_show_message(a, ROLE_OK, "the page for phones is closed; its %d vote%s count, V opens it again",
			total, plural_s((unsigned)total));
	else
		app_show_message(a, ROLE_OK, "the page for phones is closed");
}

bool lessons_view_export_class(struct app *a, const char *path)
{
	struct err e = {0};
	bool ok = class_session_export(&lessons_view_of(a)->session, path, &e);
	app_show_message(a, ok ? ROLE_OK : ROLE_BAD, ok ? "written: %s" : "%s", ok ? path : e.text);
	return ok;
}
