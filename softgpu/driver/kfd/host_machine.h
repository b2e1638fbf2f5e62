/* The GPUs of the simulated machine, from a text such as "mi25", "mi25*2,l1_bytes=65536" or "mi25*2+mi60". */
#ifndef SOFTGPU_DRIVER_KFD_HOST_MACHINE_H
#define SOFTGPU_DRIVER_KFD_HOST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/model_config.h"

/* A host with two sockets and PCIe switches carries eight double-width boards. */
enum { GPUS_MAX = 8 };

struct host_machine {
	unsigned count;
	struct model gpu[GPUS_MAX];
};

/* GPUs are separated by '+'; each is MODEL[*COUNT][,NAME=VALUE]... The constants of `more` ("NAME=VALUE,...", may be
 * empty) apply to every GPU. False with one line in `why`. */
bool machine_parse(struct host_machine *m, const char *text, const char *more, char *why, size_t size);
/* The machine that SOFTGPU, SOFTGPU_SET and SOFTGPU_THREADS (of the host, by launch) specify; NULL (after one line on
 * standard error) if they are invalid. */
const struct host_machine *machine_from_env(void);
/* Its GPU `i`; NULL if there is none. */
const struct model *machine_model(unsigned i);
unsigned machine_gpu_count(void);

#endif
