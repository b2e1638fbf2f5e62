/* The page that a phone shows: the question with a button for each choice. */
#ifndef TUI_CLASSROOM_VOTE_PAGE_H
#define TUI_CLASSROOM_VOTE_PAGE_H

#include "base/buf.h"
#include "tui/classroom/vote_box.h"

/* `number` identifies the question; `chosen` is the device's vote, from 1, or 0. */
void vote_page_write(struct buf *out, const struct vote_question *q, unsigned number, bool open, int chosen);

#endif
