/* A recorded session as a device: it answers a job with the recorded point that has the same experiment and parameters.
 */
#ifndef GPU_BACKENDS_REPLAY_H
#define GPU_BACKENDS_REPLAY_H

#include <jansson.h>

#include "base/err.h"

struct replay;

/* NULL with an error if the file cannot be read or is not a session. */
struct replay *replay_open(const char *path, struct err *e);
void replay_close(struct replay *r);
/* The recorded device record; the caller owns it. */
json_t *replay_device_record(const struct replay *r);
/* False with an error that names the recorded experiment if it is another one. */
bool replay_has_experiment(const struct replay *r, const char *experiment, struct err *e);
/* The point record for a job record; the caller owns it. */
json_t *replay_point_record(const struct replay *r, const json_t *job);

#endif
