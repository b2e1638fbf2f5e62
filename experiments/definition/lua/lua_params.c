/* Reads the parameters of a definition: ranges, choices, steps, defaults and the default sweep. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/definition/lua/lua_load.h"

/* --- lists of elements with an id --- */
void definition_load_id(struct definition_load *l, const char *path, char *out, size_t size)
{
	char at[FIELD_PATH];
	fields_index_path(at, path, 1);
	lua_rawgeti(l->f.L, -1, 1);
	if (lua_isnil(l->f.L, -1))
		fields_raise_error(&l->f, path, "missing id; write it first, for example { \"stride\", ... }");
	fields_read_text(&l->f, at, out, size);
	lua_pop(l->f.L, 1);
	if (!is_c_identifier(out))
		fields_raise_error(&l->f, at, "invalid id '%s'; use letters, digits and _", out);
	for (int i = 0; i < l->x->param_count; i++)
		if (l->x->params[i].id != out && !strcmp(l->x->params[i].id, out))
			fields_raise_error(&l->f, at, "duplicate id '%s'; a parameter already has it", out);
	for (int i = 0; i < l->x->metric_count; i++)
		if (l->x->metrics[i].id != out && !strcmp(l->x->metrics[i].id, out))
			fields_raise_error(&l->f, at, "duplicate id '%s'; a metric already has it", out);
}

int definition_push_list(struct definition_load *l, const char *name, int most)
{
	if (!fields_push_named(&l->f, name))
		return -1;
	fields_check_type(&l->f, name, LUA_TTABLE, "{ ... }");
	static const char *const none[] = {NULL};
	fields_check_names(&l->f, name, none, most);
	return (int)lua_rawlen(l->f.L, -1);
}

void definition_push_element(struct definition_load *l, const char *list, int i, char path[FIELD_PATH])
{
	fields_index_path(path, list, i);
	lua_rawgeti(l->f.L, -1, i);
	fields_check_type(&l->f, path, LUA_TTABLE, "{ \"id\", ... }");
}

/* --- parameters --- */
static void read_choice_list(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH], one[FIELD_PATH];
	fields_join_path(at, path, "choices");
	fields_check_type(&l->f, at, LUA_TTABLE, "{ \"a\", \"b\" }");
	int count = (int)lua_rawlen(l->f.L, -1);
	if (count < 1 || count > CHOICES_MAX)
		fields_raise_error(&l->f, at, "has %d names; give 1 to %d", count, CHOICES_MAX);
	for (int i = 0; i < count; i++) {
		lua_rawgeti(l->f.L, -1, i + 1);
		fields_read_text(&l->f, fields_index_path(one, at, i + 1), p->choices[i], sizeof p->choices[i]);
		lua_pop(l->f.L, 1);
		if (!*p->choices[i] || strpbrk(p->choices[i], ", =\"") || strstr(p->choices[i], ".."))
			fields_raise_error(&l->f, one,
				"invalid choice '%s'; it must not be empty or contain blanks, commas, quotes, = or ..",
				p->choices[i]);
		for (int j = 0; j < i; j++)
			if (!strcmp(p->choices[i], p->choices[j]))
				fields_raise_error(&l->f, one, "duplicate choice '%s'", p->choices[i]);
	}
	p->choice_count = count;
	p->kind = PARAM_STEP_CHOICE;
	p->high = count - 1;
	p->step = 1;
}

double definition_read_value(const struct lua_fields *f, const char *path, const struct param *p)
{
	char text[80];
	struct err why;
	double v;
	if (p->kind == PARAM_STEP_CHOICE) {
		fields_read_text(f, path, text, sizeof text);
		if (!param_parse(p, text, &v, &why))
			fields_raise_error(f, path, "%s", why.text);
		return v;
	}
	v = fields_read_number(f, path, p->unit);
	if (v < p->low || v > p->high) {
		char given[40], low[40], high[40];
		fields_raise_error(f, path, "%s is out of range; min is %s, max is %s",
			param_format(p, v, given, sizeof given), param_format(p, p->low, low, sizeof low),
			param_format(p, p->high, high, sizeof high));
	}
	return v;
}

static void read_param_step(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH];
	fields_join_path(at, path, "step");
	p->step = 1;
	if (!fields_push_named(&l->f, "step"))
		return;
	const char *text = lua_type(l->f.L, -1) == LUA_TSTRING ? lua_tostring(l->f.L, -1) : "";
	if (*text == 'x' || *text == '+') {
		p->kind = *text == 'x' ? PARAM_STEP_MULTIPLY : PARAM_STEP_ADD;
		lua_pushstring(l->f.L, text + 1);
		lua_replace(l->f.L, -2);
	} else if (*text && !isdigit((unsigned char)*text))
		fields_raise_error(&l->f, at, "'%.40s' is not a step; write \"x2\" to double, \"+16\" to add 16", text);
	p->step = fields_read_number(&l->f, at, p->kind == PARAM_STEP_MULTIPLY ? "" : p->unit);
	lua_pop(l->f.L, 1);
	if (p->step <= (p->kind == PARAM_STEP_MULTIPLY ? 1 : 0))
		fields_raise_error(&l->f, at, "too small to advance; write for example \"x2\" to double or 16 to add");
}

static void read_param_range(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH];
	static const char *const ends[] = {"min", "max"};
	for (int i = 0; i < 2; i++) {
		fields_join_path(at, path, ends[i]);
		if (!fields_push_named(&l->f, ends[i]))
			fields_raise_error(&l->f, at, "missing; a parameter needs min and max, or choices");
		*(i ? &p->high : &p->low) = fields_read_number(&l->f, at, p->unit);
		lua_pop(l->f.L, 1);
	}
	if (p->low > p->high)
		fields_raise_error(&l->f, at, "below min; swap the two");
	read_param_step(l, path, p);
}

bool target_is_named(const char *beginning)
{
	return !strncmp(beginning, "gfx", 3) || !strncmp(beginning, "sm", 2);
}

/* { gfx11 = 48 } in the field `name`: defaults for targets that begin with the name. Returns their number. */
static int read_target_defaults(struct definition_load *l, const char *path, const struct param *p, const char *name,
	struct target_default out[TARGETS_MAX])
{
	char at[FIELD_PATH], one[FIELD_PATH];
	lua_State *L = l->f.L;
	int count = 0;
	if (!fields_push_named(&l->f, name))
		return 0;
	fields_join_path(at, path, name);
	fields_check_type(&l->f, at, LUA_TTABLE, "{ gfx11 = 48 }");
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
		const char *arch = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
		if (!target_is_named(arch) || strlen(arch) >= sizeof out->arch || count == TARGETS_MAX)
			fields_raise_error(
				&l->f, at, "invalid; give at most %d targets: %s = { gfx11 = 48 }", TARGETS_MAX, name);
		struct target_default *d = &out[count++];
		snprintf(d->arch, sizeof d->arch, "%s", arch);
		d->value = definition_read_value(&l->f, fields_join_path(one, at, arch), p);
	}
	lua_pop(L, 1);
	return count;
}

static void read_defaults(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH];
	fields_join_path(at, path, "default");
	if (fields_push_named(&l->f, "default")) {
		p->value = definition_read_value(&l->f, at, p);
		lua_pop(l->f.L, 1);
	} else if (p->kind != PARAM_STEP_CHOICE) {
		fields_raise_error(&l->f, at, "missing; give a number from min to max");
	}
	p->soft = p->value;
	if (fields_push_named(&l->f, "soft")) {
		p->soft = definition_read_value(&l->f, fields_join_path(at, path, "soft"), p);
		lua_pop(l->f.L, 1);
	}
	p->on_count = read_target_defaults(l, path, p, "on", p->on);
	p->soft_on_count = read_target_defaults(l, path, p, "soft_on", p->soft_on);
}

static void read_sweep_list(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH];
	int count = (int)lua_rawlen(l->f.L, -1);
	if (count < 2 || count > SWEEP_LIST_MAX)
		fields_raise_error(
			&l->f, path, "has %d values; use { low, high } or a list of up to %d", count, SWEEP_LIST_MAX);
	for (int i = 0; i < count; i++) {
		lua_rawgeti(l->f.L, -1, i + 1);
		p->sweep_list[i] = definition_read_value(&l->f, fields_index_path(at, path, i + 1), p);
		lua_pop(l->f.L, 1);
	}
	if (count == 2 && p->kind != PARAM_STEP_CHOICE) {
		p->sweep_low = p->sweep_list[0];
		p->sweep_high = p->sweep_list[1];
		if (p->sweep_low > p->sweep_high)
			fields_raise_error(&l->f, path, "the range is reversed; write the lower end first");
	} else {
		p->sweep_list_count = count;
	}
}

static void read_default_sweep(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH];
	p->sweep_low = p->low;
	p->sweep_high = p->high;
	if (!fields_push_named(&l->f, "sweep"))
		return;
	fields_join_path(at, path, "sweep");
	if (lua_type(l->f.L, -1) == LUA_TTABLE)
		read_sweep_list(l, at, p);
	else if (lua_isfunction(l->f.L, -1))
		p->sweep_is_function = true; /* called when the definition is complete */
	else
		fields_check_type(&l->f, at, LUA_TBOOLEAN, "true, { 1, 64 }, a list of values or a function");
	p->sweep = lua_toboolean(l->f.L, -1);
	lua_pop(l->f.L, 1);
	if (!p->sweep)
		return;
	if (p->sweep_is_function && p->kind == PARAM_STEP_CHOICE)
		fields_raise_error(
			&l->f, at, "a function returns numbers, but this parameter has choices; write a list");
	if (l->x->x >= 0)
		fields_raise_error(&l->f, at, "only one parameter can be swept by default; '%s' already is",
			l->x->params[l->x->x].id);
	l->x->x = (int)(p - l->x->params);
}

static bool are_targets_whole(const struct target_default *d, int count)
{
	for (int i = 0; i < count; i++)
		if (d[i].value != floor(d[i].value))
			return false;
	return true;
}

static bool are_all_whole(const struct param *p)
{
	const double values[] = {p->low, p->high, p->kind == PARAM_STEP_MULTIPLY ? 1 : p->step, p->value, p->soft,
		p->sweep_low, p->sweep_high};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (values[i] != floor(values[i]))
			return false;
	for (int i = 0; i < p->sweep_list_count; i++)
		if (p->sweep_list[i] != floor(p->sweep_list[i]))
			return false;
	return are_targets_whole(p->on, p->on_count) && are_targets_whole(p->soft_on, p->soft_on_count);
}

static void reject_range_with_choices(struct definition_load *l, const char *path)
{
	static const char *const numeric[] = {"min", "max", "step", "unit"};
	char at[FIELD_PATH];
	for (size_t i = 0; i < sizeof numeric / sizeof *numeric; i++)
		if (fields_push_named(&l->f, numeric[i]))
			fields_raise_error(
				&l->f, fields_join_path(at, path, numeric[i]), "not allowed with choices; remove it");
}

struct param *definition_add_param(struct definition_load *l, const char *path)
{
	if (l->x->param_count == PARAMS_MAX)
		fields_raise_error(&l->f, path, "too many parameters; at most %d are allowed", PARAMS_MAX);
	struct param *p = &l->x->params[l->x->param_count++];
	p->kind = PARAM_STEP_ADD;
	return p;
}

static void read_meaning(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH], text[24] = "";
	fields_read_text_field(&l->f, path, "means", text, sizeof text, false);
	if (!*text)
		return;
	fields_join_path(at, path, "means");
	p->means = param_meaning_of(text);
	if (p->means == PARAM_MEANS_NOTHING)
		fields_raise_error(&l->f, at, "unknown meaning '%s'; use \"footprint\" or \"stride\"", text);
	if (strcmp(p->unit, "B"))
		fields_raise_error(&l->f, at, "requires unit = \"B\", because cache sizes are in bytes");
}

static void read_device_number(struct definition_load *l, const char *path, struct param *p)
{
	char at[FIELD_PATH], text[24] = "";
	fields_read_text_field(&l->f, path, "device", text, sizeof text, false);
	if (!*text)
		return;
	p->of_device = device_number_of(text);
	fields_join_path(at, path, "device");
	if (p->of_device == DEVICE_NUMBER_NONE)
		fields_raise_error(
			&l->f, at, "unknown number '%s'; use \"units\", \"cus\", \"bandwidth\" or \"fma\"", text);
	if (p->kind == PARAM_STEP_CHOICE)
		fields_raise_error(&l->f, at, "not allowed with choices; remove it");
}

static void read_param(struct definition_load *l, const char *path)
{
	static const char *const known[] = {"unit", "min", "max", "step", "default", "soft", "on", "soft_on", "device",
		"sweep", "choices", "help", "means", NULL};
	struct param *p = definition_add_param(l, path);
	fields_check_names(&l->f, path, known, 1);
	definition_load_id(l, path, p->id, sizeof p->id);
	fields_read_text_field(&l->f, path, "unit", p->unit, sizeof p->unit, false);
	fields_read_text_field(&l->f, path, "help", p->help, sizeof p->help, false);
	if (fields_push_named(&l->f, "choices")) {
		read_choice_list(l, path, p);
		lua_pop(l->f.L, 1);
		reject_range_with_choices(l, path);
	} else {
		read_param_range(l, path, p);
	}
	read_meaning(l, path, p);
	read_defaults(l, path, p);
	read_device_number(l, path, p);
	read_default_sweep(l, path, p);
	p->whole = are_all_whole(p);
}

void definition_load_params(struct definition_load *l)
{
	char path[FIELD_PATH];
	int count = definition_push_list(l, "params", PARAMS_MAX);
	for (int i = 1; i <= count; i++) {
		definition_push_element(l, "params", i, path);
		read_param(l, path);
		lua_pop(l->f.L, 1);
	}
	if (count >= 0)
		lua_pop(l->f.L, 1);
}
