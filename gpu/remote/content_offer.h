/* The front end's side of the files that a worker elsewhere needs: a job names them by their hashes, and the content
 * follows once, when the worker asks for it. */
#ifndef GPU_REMOTE_CONTENT_OFFER_H
#define GPU_REMOTE_CONTENT_OFFER_H

#include <jansson.h>

/* What was offered to one worker. */
struct content_offer {
	json_t *paths; /* by hash; null once the content was sent */
};

/* A copy of the job whose kernel has `content`; `arch` is the device's target. The caller owns it. */
json_t *content_offer_job(struct content_offer *o, const json_t *job, const char *arch);
/* The record with this content; NULL if it was not offered, or sent already. */
json_t *content_offer_take(struct content_offer *o, const char *hash);
void content_offer_free(struct content_offer *o);

#endif
