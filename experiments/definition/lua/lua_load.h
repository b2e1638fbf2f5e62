/* What the files that read a definition's table share. */
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

/* The id at position 1 of the table on top: an identifier, and not given yet. `out` lies in the experiment. */
void definition_load_id(struct definition_load *l, const char *path, char *out, size_t size);
/* Pushes the list `name` of the root and returns its length; -1, and nothing pushed, when it is not there. */
int definition_push_list(struct definition_load *l, const char *name, int most);
/* Pushes element i, a table, of the list on top and makes its path. */
void definition_push_element(struct definition_load *l, const char *list, int i, char path[FIELD_PATH]);
struct param *definition_add_param(struct definition_load *l, const char *path);
void definition_load_params(struct definition_load *l);
/* What a point is, what device it needs; defects for fields that do not go with it. */
void definition_load_kind(struct definition_load *l);
void definition_load_presets(struct definition_load *l);
void definition_load_kernel(struct definition_load *l);
void definition_load_variants(struct definition_load *l);
void definition_load_buffers(struct definition_load *l);
/* The place of the buffer of that name, which `path` asks for; a defect without one. Also of what the definition's
 * functions return. */
int definition_find_buffer(
	const struct lua_fields *f, const struct lua_definition *d, const char *path, const char *name);
void definition_load_args(struct definition_load *l);

#endif
