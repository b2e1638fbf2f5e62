/* Writes the code of a session's points once, and again every thousand points: a file that was cut, or whose lines were
 * damaged, loses little of it. Points have its hash instead. */
#ifndef SESSIONS_RECORD_CODE_WRITER_H
#define SESSIONS_RECORD_CODE_WRITER_H

#include <jansson.h>
#include <stdbool.h>

#include "gpu/protocol/point_record.h"

enum { CODE_REPEAT = 1000 /* points */ };

struct code_writer {
	bool keep;    /* the file is of schema 1: points have their code */
	json_t *last; /* the code of the last point, and its hash */
	char hash[CODE_HASH_TEXT];
	json_t *written; /* by hash: the number of the point before which it was written last */
};

/* For a file with that header. */
struct code_writer code_writer_make(const json_t *header);
/* Replaces the code in point number `at` of the file by its hash. Returns the record to be written before the point,
 * which the caller owns; NULL: none. */
json_t *code_writer_refer(struct code_writer *w, json_t *point, size_t at);
void code_writer_free(struct code_writer *w);

#endif
