/* What the files that read a definition's table share. */
#ifndef EXPERIMENTS_LUA_LOAD_H
#define EXPERIMENTS_LUA_LOAD_H

#include "experiments/definition.h"
#include "experiments/lua_fields.h"

struct load {
	struct experiment *x;
	struct lua_definition *d;
	struct fields f;
	const char *text;
	size_t len;
};

/* The id at position 1 of the table on top: an identifier, and not given yet. `out` lies in the experiment. */
void load_id(struct load *l, const char *path, char *out, size_t size);
/* Pushes the list `name` of the root and returns its length; -1, and nothing pushed, when it is not there. */
int load_list(struct load *l, const char *name, int most);
/* Pushes element i, a table, of the list on top and makes its path. */
void load_element(struct load *l, const char *list, int i, char path[FIELD_PATH]);
struct param *load_new_param(struct load *l, const char *path);
void load_params(struct load *l);
/* What a point is, what device it needs; defects for fields that do not go with it. */
void load_work(struct load *l);
void load_presets(struct load *l);
void load_kernel(struct load *l);
void load_variants(struct load *l);
void load_buffers(struct load *l);
/* The place of the buffer of that name, which `path` asks for; a defect without one. Also of what the definition's
 * functions return. */
int load_buffer_named(const struct fields *f, const struct lua_definition *d, const char *path, const char *name);
void load_args(struct load *l);

#endif
