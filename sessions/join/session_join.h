/* Joins sessions that contain parts of one plan into the session that a single run would have recorded. A point has its
 * place in the plan ("point"). */
#ifndef SESSIONS_JOIN_SESSION_JOIN_H
#define SESSIONS_JOIN_SESSION_JOIN_H

#include "gpu/protocol/kernel_agreement.h"
#include "sessions/session.h"

struct session_join {
	const json_t *plan;
	json_t *header;             /* of the first session, without "batch"; NULL: none yet */
	size_t count, have, failed; /* points of the plan; those with a record; of these, not measured */
	struct point_list points;   /* NULL: missing */
	struct kernel_agreement kernels;
	char **from;       /* for each point: the file of its record */
	char *header_from; /* the file of the header */
	char *remark;      /* what differs between the sessions and need not be equal; NULL: nothing */
};

/* The member in which two headers differ so that their points are not one measurement: the experiment, its definition
 * and parameters, or what follows. NULL: none. */
const char *session_find_difference(const json_t *a, const json_t *b);
/* The same of the device, whichever number it has: its name and target, the constants of a model, the build of the
 * software GPU. */
const char *session_find_device_difference(const json_t *a, const json_t *b);

/* `plan`: "definition", "params" and "sweep" that the headers must have, but for the values of the
 * parameters that "open" lists; borrowed; NULL: those of the first. */
void session_join_init(struct session_join *j, size_t count, const json_t *plan);
void session_join_free(struct session_join *j);
/* Adds the points of a file. A file that is empty, has no complete header or ends within a line was being written when
 * its program was killed: what is complete counts. A measured point replaces a failed one. False with one line if the
 * file is of another measurement, or if a deterministic device has measured a point twice with different results. */
bool session_join_add(struct session_join *j, const char *path, struct err *e);
bool session_join_has(const struct session_join *j, size_t point);    /* it has a record */
bool session_join_failed(const struct session_join *j, size_t point); /* its record is a failure */
/* Writes the session in the order of the plan, with the job numbers of a single run. An existing file is replaced only
 * if it is a session of the same measurement. */
bool session_join_write(const struct session_join *j, const char *path, struct err *e);

#endif
