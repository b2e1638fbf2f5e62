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
#include "tui/classroom/vote_box.h"
#include "tui/classroom/vote_server.h"

/* One round of votes, as it was shown: choices by place, a first. The round is in the question. */
struct class_result {
	char time[UTC_TEXT], lesson[64];
	int step;
	int total, counts[LESSON_CHOICES_MAX];
	struct vote_question question;
	char title[VOTE_TEXT_MAX];
	json_t *header; /* of the measured curve, owned; NULL: not measured */
	struct point_list points;
};

struct class_session {
	struct vote_box box;        /* of the phones; the votes stay in it while the page is closed */
	struct vote_server *server; /* NULL: no page for phones */
	struct qr_code code;        /* of its address */
	struct class_result *results;
	int result_count;
	int saved;       /* results that are in the file */
	char *path;      /* of the file, owned; NULL before the first vote */
	int lock;        /* of that file */
	char *open_path; /* of the file with votes that are open, owned; NULL: there is none */
};

void class_session_init(struct class_session *c); /* class_session_free */
/* A step as it is put to a class. */
struct class_question {
	const struct lesson *lesson;
	int step;
	int round;        /* from 1 */
	const int *order; /* that of the screen */
};
/* Puts a step to the phones. Their earlier votes are gone. The setting vote-for decides what has one vote. */
void class_session_ask(struct class_session *c, const struct class_question *q);
/* The votes from phones so far, by place. */
int class_session_count(struct class_session *c, int counts[LESSON_CHOICES_MAX]);
/* Keeps the result of a vote; `counts` are all votes by place. */
void class_session_keep(struct class_session *c, const struct class_question *q, const int *counts);
/* The first round of a result of the second one, else NULL; and whether a result is such a first round. */
const struct class_result *class_session_first_round(const struct class_session *c, int result);
bool class_session_has_second_round(const struct class_session *c, int result);
/* Appends the results that are in no file yet to the file of this session, which it makes for the first vote:
 * $XDG_DATA_HOME/wavedeck/classes/TIME.csv. `open` are the results so far of votes that are still open. False with an
 * error; the next call tries again (class_session_file.c). */
bool class_session_save(struct class_session *c, const struct class_session *open, struct err *e);
/* Creates the file without results, if there is none. */
bool class_session_create_file(struct class_session *c, struct err *e);
void class_session_close_file(struct class_session *c);
/* Writes the results in `open`, of votes that are still open, to a file of their own; none: removes it. */
bool class_session_keep_open(struct class_session *c, const struct class_session *open, struct err *e);
/* Before results are appended: writes those that are in no file yet, and the open ones, to the same file of their own.
 */
bool class_session_keep_unsaved(struct class_session *c, const struct class_session *open, struct err *e);
void class_session_drop_open(struct class_session *c);
/* Appends the open votes of programs that were killed to the files of their lectures, but for rows that are there
 * already. Returns one of the files that have new rows, which the caller frees; NULL: there was none. */
char *class_session_recover(void);
/* Adds the measured curve to the last round on that step, for the export; keeps references. */
void class_session_set_curve(
	struct class_session *c, const char *lesson, int step, json_t *header, const struct point_list *points);
/* Opens and closes the page for phones; the votes stay. */
bool class_session_start_server(struct class_session *c, const char *where, struct err *e);
void class_session_stop_server(struct class_session *c);
/* Writes all results, ".csv" or ".html" by the file's name; HTML contains the curves (class_session_export.c). */
bool class_session_export(const struct class_session *c, const char *path, struct err *e);
/* Appends the results from number `first` on as CSV, a row for each choice; before result 0 the names of the columns.
 */
void class_csv_append(struct buf *out, const struct class_session *c, int first);
void class_session_free(struct class_session *c);

#endif
