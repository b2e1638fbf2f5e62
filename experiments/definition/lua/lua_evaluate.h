/* The parts of an evaluation, each in a file of its own. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_EVALUATE_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_EVALUATE_H

#include "experiments/definition/lua/lua_call.h"

void lua_eval_contract(const struct lua_invocation *c);
/* Counters, launches in a sample, tolerances. */
void lua_eval_sampling(const struct lua_invocation *c);
/* The sequence of copies and launches, behind the buffers and the launch. */
void lua_eval_steps(const struct lua_invocation *c);
/* The value on top as a number or a list of up to three. */
void lua_read_shape(const struct lua_invocation *c, const char *at, double out[3]);

#endif
