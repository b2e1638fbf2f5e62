/* The page that a phone shows: the question with a button for each choice. */
#ifndef TUI_CLASSROOM_VOTE_PAGE_H
#define TUI_CLASSROOM_VOTE_PAGE_H

#include "base/buf.h"
#include "tui/classroom/vote_box.h"

struct vote_page {
	const struct vote_question *question;
	unsigned number; /* identifies the question */
	enum vote_state state;
	int chosen;     /* the device's vote, from 1; 0: none */
	int seconds;    /* left of a timer; -1: no timer */
	unsigned timer; /* identifies the timer */
	bool lost_vote; /* the browser has sent a vote without its cookie */
};

/* While the answer is not revealed, the page contains nothing of it. */
void vote_page_write(struct buf *out, const struct vote_page *p);
/* What a page compares to find out that there is another one. */
void vote_page_write_state(struct buf *out, unsigned number, enum vote_state state, unsigned timer);

#endif
