/* Reading a definition's table when its file is loaded: the state, and one function per part. */
#ifndef EXPERIMENTS_DEFINITION_LUA_LUA_LOAD_H
#define EXPERIMENTS_DEFINITION_LUA_LUA_LOAD_H

#include "experiments/definition/definition.h"
#include "experiments/definition/lua/lua_fields.h"

struct definition_load {
	struct experiment *x;
	struct lua_definition *d;
	struct lua_fields f;
	const char *text;
	size_t len;
};

/* Reads the id at position 1 of the table on top: an identifier that is not used yet. `out` is in the experiment. */
void definition_load_id(struct definition_load *l, const char *path, char *out, size_t size);
/* Pushes the list `name` of the root and returns its length; -1, with nothing pushed, if it is missing. */
int definition_push_list(struct definition_load *l, const char *name, int most);
/* Pushes element i of the list on top, which must be a table, and sets its path. */
void definition_push_element(struct definition_load *l, const char *list, int i, char path[FIELD_PATH]);
/* Reads the value on top: one of the parameter's choices, or a number in its range. Also used while evaluating. */
double definition_read_value(const struct lua_fields *f, const char *path, const struct param *p);
struct param *definition_add_param(struct definition_load *l, const char *path);
void definition_load_params(struct definition_load *l);
/* The kind of the experiment and the device it needs; errors for fields that do not apply to this kind. */
void definition_load_kind(struct definition_load *l);
void definition_load_presets(struct definition_load *l);
void definition_load_kernel(struct definition_load *l);
void definition_load_variants(struct definition_load *l);
void definition_load_buffers(struct definition_load *l);
/* Index of the buffer `name`, which the field `path` refers to; an error if unknown. Also used while evaluating. */
int definition_find_buffer(
	const struct lua_fields *f, const struct lua_definition *d, const char *path, const char *name);
void definition_load_args(struct definition_load *l);
void definition_load_reference(struct definition_load *l);

/* Whether a text can be the beginning of a target's name: "gfx11", "gfx900", "sm", "sm_90". */
bool target_is_named(const char *beginning);

#endif
