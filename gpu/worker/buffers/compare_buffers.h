/* Compares the device buffers of a point with what is expected, and sets `difference` of the buffers. If they agree
 * within the tolerance, *differences is 0 and `text` describes the largest difference ("" if all are equal); otherwise
 * `text` names the first that differ: "out[3] is 17, expected 18; 12 of 256 differ". */
#ifndef GPU_WORKER_BUFFERS_COMPARE_BUFFERS_H
#define GPU_WORKER_BUFFERS_COMPARE_BUFFERS_H

#include "gpu/worker/buffers/job_buffers.h"

/* With the host copies. */
bool buffers_compare(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e);
/* With the elements that the job's reference expects; `text` also says how many of how many were compared. */
bool buffers_compare_expected(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e);

#endif
