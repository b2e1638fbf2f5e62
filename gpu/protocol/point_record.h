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
json_t *point_get_profile(const json_t *point);          /* of the kernel: cycles by instruction */
json_t *point_get_measured(const json_t *point);         /* experiment and parameters, if it is another one's point */
const char *point_get_verify(const json_t *point);       /* "ok", "failed", "none" */
const char *point_get_verify_text(const json_t *point);  /* what is wrong */
const char *point_get_contract(const json_t *point);     /* "ok", "broken", "none" */
const char *point_get_contract_text(const json_t *point); /* what is missing */
const char *point_get_compiler_text(const json_t *point); /* why the compiler rejected the kernel */
const char *point_get_verdict(const json_t *point);       /* in words */
const char *point_get_metric_error(const json_t *point);  /* why metrics are missing */
bool point_has_moved_clocks(const json_t *point);         /* by more than 2 % while it was measured */
bool point_is_ok(const json_t *point);                    /* it was measured */

#endif
