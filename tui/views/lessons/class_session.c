#include "tui/views/lessons/class_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/settings.h"

/* --- votes --- */
static void copy_without_backticks(char *out, size_t size, const char *text)
{
	size_t n = 0;
	for (; *text && n + 1 < size; text++)
		if (*text != '`')
			out[n++] = *text;
	out[n] = 0;
}

static void fill_vote_question(struct vote_question *out, const struct class_question *q)
{
	*out = (struct vote_question){.count = lesson_find_step(q->lesson, q->step)->choice_count, .round = q->round};
	copy_without_backticks(out->text, sizeof out->text, lesson_find_block(q->lesson, q->step, LESSON_ASK, 0)->text);
	for (int place = 0; place < out->count; place++) {
		int choice = q->order[place];
		copy_without_backticks(out->choices[place], sizeof out->choices[place],
			lesson_find_block(q->lesson, q->step, LESSON_CHOICE, choice)->text);
		copy_without_backticks(out->reasons[place], sizeof out->reasons[place],
			lesson_find_reason(q->lesson, q->step, choice));
		if (choice == lesson_right_choice(q->lesson, q->step))
			out->right = place;
	}
}

void class_session_init(struct class_session *c)
{
	*c = (struct class_session){0};
	vote_box_init(&c->box);
}

void class_session_ask(struct class_session *c, const struct class_question *q)
{
	struct vote_question asked;
	fill_vote_question(&asked, q);
	vote_box_identify(&c->box, setting_equals(SETTING_VOTE_FOR, "browser") ? VOTE_BY_BROWSER : VOTE_BY_ADDRESS);
	vote_box_ask(&c->box, &asked);
}

int class_session_count(struct class_session *c, int counts[LESSON_CHOICES_MAX])
{
	memset(counts, 0, LESSON_CHOICES_MAX * sizeof *counts);
	return vote_box_count(&c->box, counts);
}

void class_session_keep(struct class_session *c, const struct class_question *q, const int *counts)
{
	const struct lesson *l = q->lesson;
	c->results = xrealloc(c->results, (size_t)(c->result_count + 1) * sizeof *c->results);
	struct class_result *r = &c->results[c->result_count++];
	*r = (struct class_result){.step = q->step};
	now_utc(r->time);
	snprintf(r->lesson, sizeof r->lesson, "%s", l->id);
	snprintf(r->title, sizeof r->title, "%s: %s", l->title, lesson_find_step(l, q->step)->title);
	fill_vote_question(&r->question, q);
	for (int place = 0; place < r->question.count; place++) {
		r->counts[place] = counts[place];
		r->total += counts[place];
	}
}

/* --- rounds --- */
static bool is_same_step(const struct class_result *a, const struct class_result *b)
{
	return a->step == b->step && !strcmp(a->lesson, b->lesson);
}

/* The next result on the same step; NULL: this is the last one. */
static const struct class_result *find_next_result(const struct class_session *c, int result)
{
	for (int i = result + 1; i < c->result_count; i++)
		if (is_same_step(&c->results[i], &c->results[result]))
			return &c->results[i];
	return NULL;
}

bool class_session_has_second_round(const struct class_session *c, int result)
{
	const struct class_result *next = find_next_result(c, result);
	return c->results[result].question.round == 1 && next && next->question.round == 2;
}

const struct class_result *class_session_first_round(const struct class_session *c, int result)
{
	for (int i = 0; i < result; i++)
		if (class_session_has_second_round(c, i) && find_next_result(c, i) == &c->results[result])
			return &c->results[i];
	return NULL;
}

/* --- curves --- */
static void free_class_curve(struct class_result *r)
{
	point_list_free(&r->points);
	json_decref(r->header);
	r->header = NULL;
}

void class_session_set_curve(
	struct class_session *c, const char *lesson, int step, json_t *header, const struct point_list *points)
{
	int i = c->result_count - 1;
	while (i >= 0 && (strcmp(c->results[i].lesson, lesson) || c->results[i].step != step))
		i--;
	if (i < 0 || !header)
		return;
	free_class_curve(&c->results[i]);
	c->results[i].header = json_incref(header);
	for (size_t k = 0; k < points->count; k++) {
		point_list_add_record(&c->results[i].points, NULL);
		point_list_copy(&c->results[i].points, k, points, k);
	}
}

/* --- the page for phones --- */
bool class_session_start_server(struct class_session *c, const char *where, struct err *e)
{
	class_session_stop_server(c);
	c->server = vote_server_start(where, &c->box, e);
	if (c->server)
		qr_code_make(&c->code, vote_server_url(c->server));
	return c->server != NULL;
}

void class_session_stop_server(struct class_session *c)
{
	vote_server_stop(c->server);
	c->server = NULL;
	c->code.side = 0;
}

void class_session_free(struct class_session *c)
{
	class_session_stop_server(c);
	for (int i = 0; i < c->result_count; i++)
		free_class_curve(&c->results[i]);
	free(c->results);
	free(c->open_path);
	class_session_close_file(c);
	vote_box_destroy(&c->box);
}
