/* A device without what it learned from one program: the constants that were fitted on that program's rows have their
 * values before the fit (softgpu/fitted_constants.def), and only those rows are compared. */
#ifndef CLI_VALIDATE_FITTED_PROGRAM_H
#define CLI_VALIDATE_FITTED_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "sessions/compare/published_rows.h"

/* Whether a citation ("Vega64 notes 2.6.3 (4 KiB)") is of the program ("Vega64 notes 2.6.3"): it has these whole words.
 */
bool fitted_program_is_cited(const char *program, const char *citation);

/* The device's name with the values before the fit: "soft:mi25,l1_latency=125". A part of the name of a program, such
 * as "Vega64 notes", takes all constants of the programs that begin with it. The caller frees. NULL with an error: the
 * device has no constants, no constant was fitted on the program (the error lists the programs), or none of this model.
 */
char *fitted_program_take_back(const char *program, const char *device, struct err *e);

/* Keeps the rows of the program, in place. Calibrated ones become checked: no constant of the changed device was fitted
 * to them. False with an error if no row for the target is left ("": not known, any row will do). */
bool fitted_program_keep_rows(const char *program, const char *arch, struct published *set, struct err *e);

/* The i-th constant that the program's values before the fit replace in the device's model: its name, value and why;
 * NULL after the last. */
struct fitted_constant {
	const char *model, *name, *program, *why;
	long long before;
};
const struct fitted_constant *fitted_program_constant(const char *program, const char *device, int i);

#endif
