/* Writes an experiment file for a kernel from what the compiler knows about it. What it cannot know, such as how many
 * elements a buffer has, is a guess, and marked as one. */
#ifndef EXPERIMENTS_DRAFT_DRAFT_EXPERIMENT_H
#define EXPERIMENTS_DRAFT_DRAFT_EXPERIMENT_H

#include "base/buf.h"
#include "kernels/compile/syntax/kernel_signature.h"
#include "kernels/inspect/code_object.h"

struct draft_kernel {
	const char *file;     /* its name in the folder of the experiment */
	const char *name;     /* as in the source, without its parameters */
	const char *comments; /* above its declaration in the source, as lines of Lua comments; "": none */
	const struct kernel_info *info;
	const struct kernel_signature *signature;
};

/* Appends the file's text. False if an experiment cannot pass one of its arguments. */
bool draft_experiment_write(const struct draft_kernel *k, struct buf *out, struct err *e);

#endif
