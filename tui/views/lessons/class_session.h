/* A class session: the questions that were put to a class with their votes, and the page on which phones vote. It lasts
 * from the first question in class mode to the end of the program. */
#ifndef TUI_VIEWS_LESSONS_CLASS_SESSION_H
#define TUI_VIEWS_LESSONS_CLASS_SESSION_H

#include "base/buf.h"
#include "base/err.h"
#include "base/host_clock.h"
#include "experiments/course/lesson.h"
#include "sessions/load/point_list.h"
#include "tui/classroom/qr_code.h"
#include "tui/classroom/vote_server.h"

/* One vote, as it was shown: choices by place, a first. */
struct class_result {
	char time[UTC_TEXT], lesson[64];
	int step, right; /* the place of the right choice */
	int total, counts[LESSON_CHOICES_MAX];
	struct vote_question question;
	char title[VOTE_TEXT_MAX];
	json_t *header; /* of the measured curve, owned; NULL: not measured */
	struct point_list points;
};

struct class_session {
	struct vote_server *server; /* NULL: no votes from phones */
	struct qr_code code;        /* of its address */
	struct class_result *results;
	int result_count;
};

/* Puts a step to the class; `order` is that of the screen. Without a server it only begins. */
void class_session_ask(struct class_session *c, const struct lesson *l, int step, const int *order);
/* The votes from phones so far, by place; 0 without a server. */
int class_session_count(const struct class_session *c, int counts[LESSON_CHOICES_MAX]);
/* Ends the vote and keeps its result; `counts` are all votes by place. */
void class_session_keep(struct class_session *c, const struct lesson *l, int step, const int *order, const int *counts);
/* Adds the measured curve to the last vote on that step, for the export; keeps references. */
void class_session_set_curve(
	struct class_session *c, const char *lesson, int step, json_t *header, const struct point_list *points);
bool class_session_start_server(struct class_session *c, const char *where, struct err *e);
void class_session_stop_server(struct class_session *c);
/* Writes all results, ".csv" or ".html" by the file's name; HTML contains the curves (class_session_export.c). */
bool class_session_export(const struct class_session *c, const char *path, struct err *e);
/* Appends the results from number `first` on as CSV, a row for each choice; before result 0 the names of the columns. */
void class_csv_append(struct buf *out, const struct class_session *c, int first);
void class_session_free(struct class_session *c);

#endif
