/* A recorded session as a device: a job is answered with the recorded point of the same experiment and parameters. */
#ifndef GPU_BACKENDS_REPLAY_H
#define GPU_BACKENDS_REPLAY_H

#include <jansson.h>

#include "base/err.h"

struct replay;

/* NULL when the file cannot be read or holds no session. */
struct replay *replay_open(const char *path, struct err *e);
void replay_close(struct replay *r);
/* The recorded device record; the caller owns it. */
json_t *replay_device_record(const struct replay *r);
/* False for another experiment than the recorded one, which is named. */
bool replay_has_experiment(const struct replay *r, const char *experiment, struct err *e);
/* The point record for a job record; the caller owns it. */
json_t *replay_point_record(const struct replay *r, const json_t *job);

#endif
