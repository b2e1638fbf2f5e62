/* What was found, in words. */
#ifndef CHECKS_CHECK_WORDS_H
#define CHECKS_CHECK_WORDS_H

#include "base/buf.h"
#include "checks/check_record.h"

/* "81,920" */
void count_append(struct buf *b, uint64_t n);
/* "81,920 times"; "once" */
void count_append_times(struct buf *b, uint64_t n);
/* "reads 4 bytes, 764 bytes past the end of the workgroup's 256 bytes of LDS" */
void access_append_words(struct buf *b, const struct check_record *r);
/* The same for the other side: "writes 4 bytes there before" */
void other_append_words(struct buf *b, const struct check_record *r);
/* "work-item 3,1 of workgroup 35,0 (wave 0, lane 3)"; without the workgroup if it is that of the first side. */
void item_append_words(struct buf *b, const struct check_record *r, const struct check_access *a);

#endif
