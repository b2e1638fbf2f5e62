/* Whether captured launches run again and do the same: checked once, when they are captured. */
#ifndef CAPTURES_REPLAY_CHECK_H
#define CAPTURES_REPLAY_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* Runs the launches of a description, whose files are in the folder, in processes of their own, as many as the machine
 * has cores. A launch that does something else, or ends its process, gets that as its reason. `progress`, which may be
 * NULL, is called several times a second; false cancels the check (ST_INTERRUPTED). */
bool replay_check_launches(const char *folder, json_t *launches, bool (*progress)(void *ctx, size_t done, size_t total),
	void *ctx, struct err *e);

#endif
