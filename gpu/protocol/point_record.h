/* Fields of point records, and of the jobs that ask for points (docs/protocol.md). */
#ifndef GPU_PROTOCOL_POINT_RECORD_H
#define GPU_PROTOCOL_POINT_RECORD_H

#include "gpu/protocol/record.h"

/* Texts are "" if missing; objects and lists are borrowed, NULL if missing. */
json_t *record_get_params(const json_t *record);         /* by id; also of a job, a header, and what a point measures */
const char *record_get_experiment(const json_t *record); /* likewise */
json_int_t record_get_job(const json_t *record);         /* number of the job; 0 if missing */
json_int_t record_get_point(const json_t *record);       /* place in the plan */
json_t *record_get_inside(const json_t *record);         /* what is recorded of the launch; of a job: what to record */
const char *point_get_status(const json_t *point);       /* "ok", "failed", "cancelled" */
const char *point_get_error(const json_t *point);        /* why it failed */
json_t *point_get_samples(const json_t *point);          /* times, a list of numbers */
json_t *point_get_metrics(const json_t *point);          /* by id */
json_t *point_get_counters(const json_t *point);         /* by name */
json_t *point_get_code(const json_t *point);             /* instruction counts; in a line of a session its hash */
json_t *point_get_profile(const json_t *point);          /* of the kernel: cycles by instruction */
json_t *point_get_measured(const json_t *point);         /* experiment and parameters, if it is another one's point */
const char *point_get_verify(const json_t *point);       /* "ok", "failed", "none" */
const char *point_get_verify_text(const json_t *point);  /* what is wrong */
const char *point_get_contract(const json_t *point);     /* "ok", "broken", "none" */
const char *point_get_contract_text(const json_t *point); /* what is missing */
const char *point_get_compiler_text(const json_t *point); /* why the compiler rejected the kernel */
const char *point_get_verdict(const json_t *point);       /* in words */
const char *point_get_metric_error(const json_t *point);  /* why metrics are missing */
json_t *point_get_found(const json_t *point);             /* what the checks of its launches found */
bool point_has_moved_clocks(
	const json_t *point); /* by more than 2 % while it was measured, or something limited them */
/* What happened to the clocks of such a point: "clock moved by more than 2 %", "clock limited by power". */
char *point_format_clocks(const json_t *point, char *out, size_t size);
const char *record_get_hash(const json_t *record); /* of content or of code */
bool point_is_ok(const json_t *point);             /* it was measured */

/* --- records "code" of session files of schema 2 ---
 * Most points of a session have the same code (instruction counts): it is written once, in a record with its hash, and
 * points have the hash in its place (docs/protocol.md). */
enum { CODE_HASH_TEXT = 17 }; /* bytes, with the NUL */

/* The hash of a code object, as hexadecimal digits. */
char *code_format_hash(const json_t *code, char out[CODE_HASH_TEXT]);
/* The record of a code object; the caller owns it. */
json_t *code_record_build(const char *hash, json_t *code);
/* Notes the code of a record in the table, an object by hash. */
void code_record_note(json_t *table, const json_t *record);
/* Replaces the hash in a point by its code. Without one in the table (NULL: none), the point has no code. */
void point_resolve_code(json_t *point, const json_t *table);

#endif
