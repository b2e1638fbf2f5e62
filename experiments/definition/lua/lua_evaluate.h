/* Parts of evaluating a definition at a point, one per file. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_EVALUATE_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_EVALUATE_H

#include "experiments/definition/lua/lua_call.h"

void lua_eval_contract(const struct lua_invocation *c);
/* Counters, launches per sample, work, tolerances. */
void lua_eval_sampling(const struct lua_invocation *c);
/* The sequence of copies and launches; after buffers and launch, which it uses. */
void lua_eval_steps(const struct lua_invocation *c);
/* The captured launch, if the experiment has one instead of a launch. */
void lua_eval_captured(const struct lua_invocation *c);
/* What the results are compared with; after kernel and launch, which it uses. */
void lua_eval_reference(const struct lua_invocation *c);
/* Reads the value on top: a number, or a list of up to three. */
void lua_read_shape(const struct lua_invocation *c, const char *at, double out[3]);

#endif
