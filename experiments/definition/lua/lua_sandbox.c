#include "experiments/definition/lua/lua_sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/paths.h"
#include "experiments/definition/lua/syntax_hint.h"

enum {
	MEMORY_LIMIT = 8 << 20,        /* bytes per state */
	HOOK_EVERY = 20,               /* instructions between two checks of the budget */
	LOAD_BUDGET = 5 * 1000 * 1000, /* instructions for loading a file: about 50 ms */
	CALL_BUDGET = 2 * 1000 * 1000, /* instructions per call of a definition's function */
	SWEEP_LIMIT_MS = 5000,         /* CPU time of all long calls of a sweep together */
	LONG_CALL_MS = 20,             /* a call that takes longer is long */
	CPU_LIMIT_MS = 1000,           /* single instructions can be slow, such as comparing long strings */
	STRING_LIMIT = 1 << 20,        /* bytes that string.rep may produce */
};

struct sandbox {
	lua_State *L;
	size_t used;
	long budget;        /* instructions left */
	long cpu_ms;        /* CPU time at the end of the last long call, or when the outer one that runs began */
	double began;       /* now_seconds() when the call that runs began; until CPU_LIMIT_MS later it cannot have used
	                     * its CPU time */
	long long_calls_ms; /* CPU time of the long calls of this sweep */
	bool stopped;       /* the last call, because stop.is_due */
	char *path;
	char chunk[64];
};

static const char missing_key; /* its address is the error value for a missing reading */

/* --- limits --- */
static void *allocate_limited(void *ctx, void *old, size_t old_size, size_t size)
{
	struct sandbox *s = ctx;
	if (!old)
		old_size = 0;
	if (size > old_size && s->used + (size - old_size) > MEMORY_LIMIT)
		return NULL;
	if (!size) {
		free(old);
		s->used -= old_size;
		return NULL;
	}
	void *p = realloc(old, size);
	if (p)
		s->used = s->used - old_size + size;
	return p;
}

static long thread_cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct sandbox *sandbox_of(lua_State *L)
{
	return *(struct sandbox **)lua_getextraspace(L);
}

long sandbox_budget_left(lua_State *L)
{
	return sandbox_of(L)->budget;
}

/* Ends calls of all definitions; NULL: none. */
static struct {
	bool (*is_due)(void *ctx);
	void *ctx;
} stop;

void sandbox_stop_when(bool (*is_due)(void *ctx), void *ctx)
{
	stop.is_due = is_due;
	stop.ctx = ctx;
}

/* The clock of a thread's CPU time is a system call, that of the host is not, and no thread uses more CPU time than has
 * passed. */
static bool is_cpu_time_used(const struct sandbox *s)
{
	return now_seconds() >= s->began + CPU_LIMIT_MS * 1e-3 && thread_cpu_ms() >= s->cpu_ms + CPU_LIMIT_MS;
}

static void stop_over_budget(lua_State *L, lua_Debug *ar)
{
	(void)ar;
	struct sandbox *s = sandbox_of(L);
	s->budget -= HOOK_EVERY;
	s->stopped = stop.is_due && stop.is_due(stop.ctx);
	if (!s->stopped && s->budget >= 0 && !is_cpu_time_used(s))
		return;
	luaL_where(L, 0);
	lua_pushstring(
		L, s->stopped ? "stopped with the run" : "runs too long; check for an endless or very long loop");
	lua_concat(L, 2);
	lua_error(L);
}

static void set_budget(struct sandbox *s, long instructions)
{
	s->budget = instructions;
	s->stopped = false;
	s->began = now_seconds();
}

/* --- functions that a definition may call --- */
static int print_to_log(lua_State *L)
{
	char line[200] = "";
	size_t used = 0;
	int count = lua_gettop(L);
	for (int i = 1; i <= count && used < sizeof line - 1; i++) {
		int n = snprintf(line + used, sizeof line - used, "%s%s", i > 1 ? " " : "", luaL_tolstring(L, i, NULL));
		used += n < 0 ? 0 : (size_t)n;
		lua_pop(L, 1);
	}
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	log_printf(LOG_INFO, "%s: %s", sandbox_of(L)->chunk, line);
	return 0;
}

/* Lua's own string.rep loops in C, where the count hook cannot stop it, even for an empty string. */
static int bounded_rep(lua_State *L)
{
	size_t len, between;
	const char *text = luaL_checklstring(L, 1, &len), *separator = luaL_optlstring(L, 3, "", &between);
	lua_Integer n = luaL_checkinteger(L, 2);
	luaL_Buffer b;
	if (n > STRING_LIMIT || (n > 0 && (len + between) * (size_t)n > STRING_LIMIT))
		return luaL_error(L, "string.rep would make more than %d KiB", STRING_LIMIT >> 10);
	luaL_buffinit(L, &b);
	for (lua_Integer i = 0; i < n; i++) {
		if (i)
			luaL_addlstring(&b, separator, between);
		luaL_addlstring(&b, text, len);
	}
	luaL_pushresult(&b);
	return 1;
}

/* Only these functions are available. Excluded on purpose: pcall (it would catch the end of the budget), setmetatable
 * (__gc runs without hooks), patterns and table.move (long loops in C), math.random (definitions must be
 * deterministic). */
static const char *const base_names[] = {
	"assert", "error", "ipairs", "next", "pairs", "select", "tonumber", "tostring", "type", NULL};
static const char *const math_names[] = {"abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod",
	"huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "sin", "sqrt", "tan", "tointeger",
	"type", "ult", NULL};
static const char *const string_names[] = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", NULL};
static const char *const table_names[] = {"concat", "pack", "sort", NULL};

/* Removes all other fields from the table on top. */
static void keep_named_fields(lua_State *L, const char *const *names)
{
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING && name_list_index(lua_tostring(L, -1), names) >= 0)
			continue;
		lua_pushvalue(L, -1);
		lua_pushnil(L);
		lua_rawset(L, -4); /* clearing fields during traversal is allowed */
	}
}

/* The length of a table with holes can be 2^62, and Lua's own table.insert and table.remove would loop over it in C,
 * where the hook cannot stop them. */
static lua_Integer checked_length(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
	if (n < 0 || n > STRING_LIMIT)
		luaL_error(L, "the table has holes");
	return n;
}

static int bounded_insert(lua_State *L)
{
	lua_Integer last = checked_length(L) + 1, at = last;
	if (lua_gettop(L) < 2 || lua_gettop(L) > 3)
		return luaL_error(L, "table.insert takes a table, an optional position, and a value");
	if (lua_gettop(L) == 3)
		at = luaL_checkinteger(L, 2);
	luaL_argcheck(L, at >= 1 && at <= last, 2, "position out of bounds");
	for (lua_Integer i = last; i > at; i--) {
		lua_rawgeti(L, 1, i - 1);
		lua_rawseti(L, 1, i);
	}
	lua_rawseti(L, 1, at);
	return 0;
}

static int bounded_remove(lua_State *L)
{
	lua_Integer last = checked_length(L), at = luaL_optinteger(L, 2, last);
	luaL_argcheck(L, last == 0 || (at >= 1 && at <= last), 2, "position out of bounds");
	lua_rawgeti(L, 1, at);
	for (lua_Integer i = at; i < last; i++) {
		lua_rawgeti(L, 1, i + 1);
		lua_rawseti(L, 1, i);
	}
	if (last) {
		lua_pushnil(L);
		lua_rawseti(L, 1, last);
	}
	return 1;
}

static int bounded_unpack(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer from = luaL_optinteger(L, 2, 1),
		    to = luaL_opt(L, luaL_checkinteger, 3, (lua_Integer)lua_rawlen(L, 1));
	if (from > to)
		return 0;
	if ((lua_Unsigned)to - (lua_Unsigned)from >= 1000 || !lua_checkstack(L, (int)(to - from) + 1))
		return luaL_error(L, "table.unpack is limited to 1000 values");
	for (lua_Integer i = from; i < to; i++)
		lua_rawgeti(L, 1, i);
	lua_rawgeti(L, 1, to);
	return (int)(to - from) + 1;
}

static void open_lua_library(lua_State *L, const char *name, lua_CFunction open, const char *const *names)
{
	luaL_requiref(L, name, open, 1);
	keep_named_fields(L, names);
	if (!strcmp(name, LUA_GNAME)) {
		lua_pushcfunction(L, print_to_log);
		lua_setfield(L, -2, "print");
	} else if (!strcmp(name, LUA_STRLIBNAME)) {
		lua_pushcfunction(L, bounded_rep);
		lua_setfield(L, -2, "rep");
	} else if (!strcmp(name, LUA_TABLIBNAME)) {
		lua_pushcfunction(L, bounded_insert);
		lua_setfield(L, -2, "insert");
		lua_pushcfunction(L, bounded_remove);
		lua_setfield(L, -2, "remove");
		lua_pushcfunction(L, bounded_unpack);
		lua_setfield(L, -2, "unpack");
	}
	lua_pop(L, 1);
}

static int open_libraries(lua_State *L)
{
	open_lua_library(L, LUA_GNAME, luaopen_base, base_names); /* first, because it clears the global table */
	open_lua_library(L, LUA_MATHLIBNAME, luaopen_math, math_names);
	open_lua_library(L, LUA_STRLIBNAME, luaopen_string, string_names);
	open_lua_library(L, LUA_TABLIBNAME, luaopen_table, table_names);
	return 0;
}

struct global_function {
	const char *name;
	lua_CFunction function;
	void *ctx;
};

static int set_global_body(lua_State *L)
{
	const struct global_function *o = lua_touserdata(L, 1);
	lua_pushlightuserdata(L, o->ctx);
	if (o->function)
		lua_pushcclosure(L, o->function, 1);
	else
		lua_pushnil(L);
	lua_setglobal(L, o->name);
	return 0;
}

/* --- open, close, run --- */
struct sandbox *sandbox_open(const char *path)
{
	struct sandbox *s = xcalloc(1, sizeof *s);
	s->path = xstrdup(path);
	snprintf(s->chunk, sizeof s->chunk, "%.58s", path_basename(path));
	s->L = lua_newstate(allocate_limited, s);
	if (s->L) {
		*(struct sandbox **)lua_getextraspace(s->L) = s;
		lua_pushcfunction(s->L, open_libraries);
		if (lua_pcall(s->L, 0, 0, 0) == LUA_OK) {
			lua_sethook(s->L, stop_over_budget, LUA_MASKCOUNT, HOOK_EVERY);
			return s;
		}
	}
	sandbox_close(s);
	return NULL;
}

void sandbox_close(struct sandbox *s)
{
	if (!s)
		return;
	if (s->L)
		lua_close(s->L);
	free(s->path);
	free(s);
}

void sandbox_set_function(struct sandbox *s, const char *name, lua_CFunction function, void *ctx)
{
	struct global_function o = {name, function, ctx};
	lua_pushcfunction(s->L, set_global_body);
	lua_pushlightuserdata(s->L, &o);
	lua_pcall(s->L, 1, 0, 0); /* fails only if out of memory; then the definition does not find the function */
	lua_settop(s->L, 0);
}

const char *sandbox_chunk(const struct sandbox *s)
{
	return s->chunk;
}

int sandbox_raise_missing(lua_State *L)
{
	lua_pushlightuserdata(L, (void *)&missing_key);
	return lua_error(L);
}

/* Replaces "attempt to index a nil value (global 'os')" by a message that explains the sandbox. */
static void explain_missing_global(char *text, size_t size)
{
	static const char *const absent[] = {"os", "io", "require", "package", "debug", "load", "loadstring",
		"loadfile", "dofile", "setmetatable", "getmetatable", "rawget", "rawset", "pcall", "xpcall",
		"coroutine", "utf8", "collectgarbage", NULL};
	char name[32], *attempt = strstr(text, "attempt to "),
		       *global = attempt ? strstr(attempt, " a nil value (global '") : NULL;
	if (global && sscanf(global, " a nil value (global '%31[a-z0-9]')", name) == 1 &&
		name_list_index(name, absent) >= 0)
		snprintf(attempt, size - (size_t)(attempt - text),
			"%s is not available in the sandbox; use math, string and table", name);
}

/* Sets the error with the file's full path in front, without control characters. */
static void set_lua_error(struct sandbox *s, int status, struct err *e)
{
	const char *text =
		lua_type(s->L, -1) == LUA_TSTRING ? lua_tostring(s->L, -1) : "error() was called without a message";
	size_t chunk = strlen(s->chunk);
	if (status == LUA_ERRMEM)
		err_set(e, ST_REQUEST, "%s: uses more than %d MiB of memory; make its tables and texts smaller",
			s->path, MEMORY_LIMIT >> 20);
	else if (!strncmp(text, s->chunk, chunk) && text[chunk] == ':')
		err_set(e, ST_REQUEST, "%s%s", s->path, text + chunk);
	else
		err_set(e, ST_REQUEST, "%s: %s", s->path, text);
	if (e && status == LUA_ERRRUN)
		explain_missing_global(e->text, sizeof e->text);
	for (char *c = e ? e->text : ""; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = *c == '\t' ? ' ' : '?';
}

/* Calls the function below `arguments` values on the stack and removes them all. */
static bool run_protected(struct sandbox *s, int arguments, bool *missing, struct err *e)
{
	int top = lua_gettop(s->L) - arguments - 1;
	int status = lua_pcall(s->L, arguments, 0, 0);
	bool absent = status == LUA_ERRRUN && lua_touserdata(s->L, -1) == &missing_key;
	if (missing)
		*missing = absent;
	if (status != LUA_OK && !(absent && missing))
		set_lua_error(s, status, e);
	if (status != LUA_OK && s->stopped && e)
		e->status = ST_INTERRUPTED;
	lua_settop(s->L, top);
	return status == LUA_OK;
}

void sandbox_begin_sweep(struct sandbox *s)
{
	s->long_calls_ms = 0;
}

/* A short call takes no look at the CPU time, which costs as much as a simple metric. Its time then seems to be that of
 * the next call, which took no more than has passed. */
static void note_long_call(struct sandbox *s)
{
	double passed = (now_seconds() - s->began) * 1e3;
	if (passed < LONG_CALL_MS)
		return;
	long ended = thread_cpu_ms(), used = ended - s->cpu_ms;
	used = (double)used < passed ? used : (long)passed;
	if (used > LONG_CALL_MS)
		s->long_calls_ms += used;
	s->cpu_ms = ended;
}

/* With the budget of one call. */
static bool run_within_budget(struct sandbox *s, int arguments, bool *missing, struct err *e)
{
	set_budget(s, CALL_BUDGET);
	bool ok = run_protected(s, arguments, missing, e);
	note_long_call(s);
	return ok;
}

/* False with an error if the long calls of the sweep have used their time. */
static bool has_sweep_time(const struct sandbox *s, bool *missing, struct err *e)
{
	if (s->long_calls_ms >= SWEEP_LIMIT_MS) {
		if (missing)
			*missing = false;
		return err_set(e, ST_REQUEST,
			"%s: its functions took more than %d s in this sweep; check for very long loops", s->path,
			SWEEP_LIMIT_MS / 1000);
	}
	return true;
}

bool sandbox_call(struct sandbox *s, lua_CFunction body, void *ctx, bool *missing, struct err *e)
{
	if (!has_sweep_time(s, missing, e))
		return false;
	s->cpu_ms = thread_cpu_ms();
	lua_pushcfunction(s->L, body);
	lua_pushlightuserdata(s->L, ctx);
	return run_within_budget(s, 1, missing, e);
}

bool sandbox_call_inside(lua_State *L, int arguments, bool *missing, struct err *e)
{
	struct sandbox *s = sandbox_of(L);
	if (has_sweep_time(s, missing, e))
		return run_within_budget(s, arguments, missing, e);
	lua_pop(L, arguments + 1);
	return false;
}

struct load {
	struct sandbox *s;
	const char *text;
	size_t len;
	lua_CFunction keep;
	void *ctx;
};

static int load_body(lua_State *L)
{
	const struct load *l = lua_touserdata(L, 1);
	char name[80];
	snprintf(name, sizeof name, "@%s", l->s->chunk);
	lua_settop(L, 0);
	if (luaL_loadbufferx(L, l->text, l->len, name, "t") != LUA_OK) {
		syntax_hint_append(L, l->text, l->len);
		return lua_error(L);
	}
	lua_call(L, 0, 1);
	lua_pushcfunction(L, l->keep);
	lua_insert(L, 1);
	lua_pushlightuserdata(L, l->ctx);
	lua_call(L, 2, 0);
	return 0;
}

bool sandbox_load(struct sandbox *s, const char *text, size_t len, lua_CFunction keep, void *ctx, struct err *e)
{
	struct load l = {s, text, len, keep, ctx};
	s->cpu_ms = thread_cpu_ms();
	set_budget(s, LOAD_BUDGET);
	lua_pushcfunction(s->L, load_body);
	lua_pushlightuserdata(s->L, &l);
	return run_protected(s, 1, NULL, e);
}
