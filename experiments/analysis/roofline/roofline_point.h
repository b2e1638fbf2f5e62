/* Where a measured point is on a roofline: operations and bytes of its launch, and the limits of its device. The record
 * needs the counters of roofline_counters; for FLOPs also a profile. */
#ifndef EXPERIMENTS_ANALYSIS_ROOFLINE_POINT_H
#define EXPERIMENTS_ANALYSIS_ROOFLINE_POINT_H

#include <jansson.h>

#include "base/err.h"
#include "experiments/analysis/roofline/float_roofs.h"

extern const char *const roofline_counters[]; /* ends with NULL */

/* What is counted: floating-point operations, as in the classic roofline; or wave instructions of the ALUs, as in the
 * instruction roofline for AMD GPUs (arXiv 2110.08221), which also places integer kernels. */
enum roofline_unit { ROOFLINE_FLOPS, ROOFLINE_INSTRUCTIONS, ROOFLINE_UNIT_COUNT };

struct roofline_point {
	double seconds;                         /* median time of the launch */
	double bytes;                           /* read from and written to memory */
	double operations[ROOFLINE_UNIT_COUNT]; /* FLOPs count all lanes of a wave, also those that are masked off */
	double peak[ROOFLINE_UNIT_COUNT];       /* operations per second of the device at the measured clock */
	enum float_kind kind;           /* on which the kernel's FLOPs take most of the time; its peak is the roof */
	double roofs[FLOAT_KIND_COUNT]; /* FLOPs per second of each kind; 0: the device has none */
	double bandwidth;               /* bytes per second of its memory */
	double l2_bytes, l2_bandwidth;  /* the same between L2 and the CUs; 0: not known */
};

/* False with one line if the record lacks what is needed. */
bool roofline_point_read(const json_t *record, const json_t *device, struct roofline_point *out, struct err *e);
/* CUs, or of RDNA WGPs, as HIP counts them. */
double roofline_count_processors(const char *arch, double cus);
/* Sets peaks, roofs and bandwidth for out->kind, at the clock of the record, or without one (NULL) of the device. False
 * if something is not known. */
bool roofline_read_limits(const json_t *record, const json_t *device, struct roofline_point *out);
double roofline_intensity(const struct roofline_point *p, enum roofline_unit unit); /* operations per byte */
double roofline_l2_intensity(
	const struct roofline_point *p, enum roofline_unit unit);                  /* per byte of L2; 0: not known */
double roofline_achieved(const struct roofline_point *p, enum roofline_unit unit); /* operations per second */
/* The lower roof at that intensity, in operations per second. */
double roofline_limit(const struct roofline_point *p, enum roofline_unit unit, double intensity);
/* "memory-bound: 87 % of the memory bandwidth"; below half of the roof "latency-bound": another unit or latency limits.
 */
char *roofline_format_verdict(const struct roofline_point *p, enum roofline_unit unit, char *out, size_t size);

#endif
