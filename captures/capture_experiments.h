/* Experiments of captured launches: a definition for each kernel, as for any other experiment. Its parameters are
 * constants of the device, and the launch if several were captured. */
#ifndef CAPTURES_CAPTURE_EXPERIMENTS_H
#define CAPTURES_CAPTURE_EXPERIMENTS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

enum { CAPTURE_CHOICES_MAX = 32 /* launches of an experiment */, CAPTURE_CHOICE_NAME = 32 /* bytes */ };

/* A kernel of a capture. */
struct captured_kernel {
	char id[64];          /* of its experiment, unique in the capture: "sum_rows" */
	const char *symbol;   /* these three point into the description */
	const char *name;     /* as in the source: "sum_rows(float const*, float*, int)" */
	const char *model;    /* that it ran on: "mi25" */
	const char *reason;   /* why it has no experiment; "": it has one */
	const json_t *launch; /* its slowest launch that can run again; otherwise its slowest */
	int launches;         /* captured */
	double seconds;       /* of all of them */
};
/* The kernels of a description (capture.json), the slowest launch first; the caller frees the list. */
struct captured_kernel *capture_list_kernels(const json_t *capture, int *count);

/* Why this launch of a description cannot run again; "": it can. */
const char *capture_why_not_again(const json_t *launch);
/* The launch as a choice of the parameter `launch` of its kernel's experiment; "" if that is its only launch. False:
 * the experiment does not have it. */
bool capture_find_choice(
	const json_t *capture, const struct captured_kernel *k, const json_t *launch, char name[CAPTURE_CHOICE_NAME]);

/* Writes FOLDER/ID.lua for each kernel that has launches which can run again. */
bool capture_write_experiments(const char *folder, const json_t *capture, struct err *e);

#endif
