/* The parts of an evaluation, each in a file of its own. */
#ifndef EXPERIMENTS_LUA_EVALUATE_H
#define EXPERIMENTS_LUA_EVALUATE_H

#include "experiments/lua_call.h"

void evaluate_contract(const struct call *c);
/* Counters, launches in a sample, tolerances. */
void evaluate_sampling(const struct call *c);
/* The sequence of copies and launches, behind the buffers and the launch. */
void evaluate_steps(const struct call *c);
/* The value on top as a number or a list of up to three. */
void call_shape(const struct call *c, const char *at, double out[3]);

#endif
