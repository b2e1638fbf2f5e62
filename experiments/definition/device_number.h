/* Numbers of a device that can be the default of a parameter: `device = "units"` in an experiment file. They are known
 * when the device is open. */
#ifndef EXPERIMENTS_DEFINITION_DEVICE_NUMBER_H
#define EXPERIMENTS_DEFINITION_DEVICE_NUMBER_H

#include <jansson.h>

struct experiment;

enum device_number {
	DEVICE_NUMBER_NONE,
	DEVICE_NUMBER_UNITS,     /* what runs blocks: CUs, WGPs of RDNA, SMs */
	DEVICE_NUMBER_CUS,       /* of two in each WGP */
	DEVICE_NUMBER_BANDWIDTH, /* peak of its memory, GB/s */
	DEVICE_NUMBER_FMA,       /* f32 multiply-adds in a cycle, of what runs blocks */
};

enum device_number device_number_of(const char *name); /* DEVICE_NUMBER_NONE if unknown */
/* From now on these are the defaults of `x`. `device`: its record; NULL: none is open. */
void experiment_use_device(struct experiment *x, const json_t *device);

#endif
