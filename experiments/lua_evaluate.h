/* The parts of an evaluation, each in a file of its own. */
#ifndef EXPERIMENTS_LUA_EVALUATE_H
#define EXPERIMENTS_LUA_EVALUATE_H

#include "experiments/lua_call.h"

void evaluate_contract(const struct call *c);
/* Counters, launches in a sample, tolerances. */
void evaluate_sampling(const struct call *c);

#endif
