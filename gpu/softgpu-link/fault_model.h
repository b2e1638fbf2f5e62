/* What goes wrong on a software GPU, as it does on boards: "soft:mi25,fault=idle_clock:300+busy:0.5". So that the
 * measurement and its messages can be tested without such a board. What happens depends only on the number of the point
 * and on the device's work for it, so it is the same in every run, with any number of workers. */
#ifndef GPU_SOFTGPU_LINK_FAULT_MODEL_H
#define GPU_SOFTGPU_LINK_FAULT_MODEL_H

#include <stdbool.h>

#include "base/err.h"

#define FAULT_MARK         ",fault="
#define FAULT_IDLE_SECONDS 0.05 /* of work, after which the clock of an idle device is high */
enum { FAULT_TEXT = 120 };      /* bytes of the text after "fault=" */

struct fault_model {
	double smi_slow;    /* ms that each reading of the sensors takes */
	bool smi_gone;      /* the sensor library answers with errors */
	double idle_clock;  /* MHz at the begin of each point; 0: as under load */
	double hang, error; /* number of the point, from 1, of which a launch never ends, or fails; 0: none */
	double busy;        /* the share of the time that another process has */
};

/* The text after "fault=" of a device's name, cut to the size of `text`; "" if it has none. */
void fault_find_text(const char *device, char text[FAULT_TEXT]);
bool device_has_faults(const char *device);
/* The faults of a device's name; without, none. False with an error if its text is wrong. */
bool fault_parse(const char *device, struct fault_model *out, struct err *e);

#endif
