#include "tui/toolkit/theme.h"

#include <ctype.h>
#include <dirent.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/toolkit/theme_colors.h"

static const char suffix[] = ".theme";

/* --- roles --- */
#define ROLE_ROW(id, name, letter, help) [ROLE_##id] = {name, letter},
static const struct {
	const char *name;
	char letter;
} roles[ROLE_COUNT] = {ROLES(ROLE_ROW)};
#undef ROLE_ROW

char role_letter(enum role role)
{
	return role < ROLE_COUNT ? roles[role].letter : '?';
}

/* --- the current theme --- */
struct theme {
	char name[64];
	struct {
		struct theme_color fg, bg;
		unsigned attr;
		bool is_set;
	} role[ROLE_COUNT];
	struct theme_color background;
};
static struct theme current, mono; /* mono: used without colors, whatever theme is selected */

struct cell_style theme_cell_style(enum role role, int colors)
{
	if (role >= ROLE_COUNT)
		role = ROLE_TEXT;
	if (colors < 8)
		return (struct cell_style){-1, -1, mono.role[role].attr};
	if (!current.role[role].is_set)
		return (struct cell_style){-1, -1, 0};
	enum color_depth d = colors >= 256 ? DEPTH_256 : colors >= 16 ? DEPTH_16 : DEPTH_8;
	const struct theme_color *bg = current.role[role].bg.is_set ? &current.role[role].bg : &current.background;
	return (struct cell_style){current.role[role].fg.at[d], bg->is_set ? bg->at[d] : -1, current.role[role].attr};
}

const char *theme_name(void)
{
	return current.name;
}

/* --- reading a theme file --- */
static bool parse_attribute(const char *word, unsigned *attr, struct err *e)
{
	static const struct {
		const char *name;
		unsigned attr;
	} names[] = {
		{"bold", STYLE_ATTR_BOLD},
		{"dim", STYLE_ATTR_DIM},
		{"reverse", STYLE_ATTR_REVERSE},
		{"underline", STYLE_ATTR_UNDERLINE},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(word, names[i].name)) {
			*attr |= names[i].attr;
			return true;
		}
	return err_set(e, ST_REQUEST, "unknown attribute '%.20s'; use bold, dim, reverse or underline", word);
}

static bool find_role(const char *name, enum role *out, struct err *e)
{
	const char *names[ROLE_COUNT];
	for (int r = 0; r < ROLE_COUNT; r++) {
		names[r] = roles[r].name;
		*out = (enum role)r;
		if (!strcmp(name, names[r]))
			return true;
	}
	const char *near = find_nearest_name(name, names, ROLE_COUNT);
	return err_set(e, ST_REQUEST, "unknown role '%.40s'%s%s%s", name, near ? "; did you mean '" : "",
		near ? near : "", near ? "'?" : "");
}

/* A line of the file. */
static bool read_theme_line(void *ctx, char *name, char *value, struct err *e)
{
	struct theme *t = ctx;
	enum role r;
	char *rest, *word = strtok_r(value, " \t", &rest);
	struct theme_color fg, bg = THEME_TERMINAL_COLOR;
	unsigned attr = 0;
	if (!strcmp(name, "about"))
		return true;
	if (!word)
		return err_set(
			e, ST_REQUEST, "'%.40s' has no color; write for example %.40s = default bold", name, name);
	if (!strcmp(name, "background"))
		return theme_color_parse(word, &t->background, e);
	if (!find_role(name, &r, e) || !theme_color_parse(word, &fg, e))
		return false;
	while ((word = strtok_r(NULL, " \t", &rest)))
		if (strcmp(word, "on") ? !parse_attribute(word, &attr, e)
				       : !(word = strtok_r(NULL, " \t", &rest)) || !theme_color_parse(word, &bg, e))
			return word ? false : err_set(e, ST_REQUEST, "no color after 'on'");
	t->role[r].fg = fg;
	t->role[r].bg = bg;
	t->role[r].attr = attr;
	t->role[r].is_set = true;
	return true;
}

/* --- finding theme files --- */
/* Frees `folder`. */
static char *theme_path_in(char *folder, const char *name)
{
	char *path = xasprintf("%s/%s%s", folder, name, suffix);
	free(folder);
	return path;
}

/* A theme of the user hides the program's theme of the same name. */
static char *find_theme_file(const char *name)
{
	char *path = theme_path_in(path_user_config("themes"), name);
	if (!access(path, R_OK))
		return path;
	free(path);
	return theme_path_in(path_share("themes"), name);
}

static int compare_theme_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the themes of a folder that are not in the list yet; frees `folder`. */
static size_t add_theme_folder(char *folder, char ***names, size_t count)
{
	DIR *d = opendir(folder);
	for (struct dirent *f; d && (f = readdir(d));) {
		size_t n = strlen(f->d_name), end = sizeof suffix - 1, i = 0;
		if (n <= end || strcmp(f->d_name + n - end, suffix) || *f->d_name == '.')
			continue;
		char *name = xasprintf("%.*s", (int)(n - end), f->d_name);
		while (i < count && strcmp((*names)[i], name))
			i++;
		if (i < count) {
			free(name);
			continue;
		}
		*names = xrealloc(*names, (count + 1) * sizeof **names);
		(*names)[count++] = name;
	}
	if (d)
		closedir(d);
	free(folder);
	return count;
}

size_t theme_list(char ***names)
{
	*names = NULL;
	size_t count = add_theme_folder(path_user_config("themes"), names, 0);
	count = add_theme_folder(path_share("themes"), names, count);
	if (count)
		qsort(*names, count, sizeof **names, compare_theme_names);
	return count;
}

static bool read_about_line(void *ctx, char *name, char *value, struct err *e)
{
	(void)e;
	if (!strcmp(name, "about"))
		snprintf(ctx, 120, "%s", value);
	return true;
}

char *theme_read_about(const char *name)
{
	char *path = find_theme_file(name), *about = xcalloc(1, 120);
	conf_read(path, read_about_line, about, NULL, NULL);
	free(path);
	return about;
}

static void report_unknown_theme(const char *name, struct err *e)
{
	char **names;
	size_t count = theme_list(&names);
	struct buf list = {0};
	for (size_t i = 0; i < count; i++) {
		buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
		free(names[i]);
	}
	free(names);
	err_set(e, ST_REQUEST, "unknown theme '%.40s'; %s%s", name,
		list.data ? "use one of " : "no themes are installed: install wavedeck again",
		list.data ? list.data : "");
	buf_free(&list);
}

bool theme_exists(const char *name, struct err *e)
{
	bool plain = strlen(name) < sizeof current.name && !strchr(name, '/');
	char *path = plain ? find_theme_file(name) : NULL;
	bool found = path && !access(path, R_OK);
	free(path);
	if (!found)
		report_unknown_theme(name, e);
	return found;
}

/* A theme that has one color for all pinned curves, or for a group of stall reasons, means all of them. */
static void fill_role_variants(struct theme *t)
{
	for (int r = ROLE_PINNED2; r <= ROLE_PINNED4; r++)
		if (!t->role[r].is_set)
			t->role[r] = t->role[ROLE_PINNED];
	for (int r = ROLE_STALL_ISSUE_2; r <= ROLE_STALL_STORE_3; r++)
		if (!t->role[r].is_set)
			t->role[r] = t->role[ROLE_STALL_ISSUE + (r - ROLE_STALL_ISSUE) % STALL_COLORS];
}

static bool theme_read_file(const char *name, struct theme *out, conf_error_handler *bad, void *ctx, struct err *e)
{
	struct theme t = {.background = THEME_TERMINAL_COLOR};
	if (!theme_exists(name, e))
		return false;
	char *path = find_theme_file(name);
	snprintf(t.name, sizeof t.name, "%s", name);
	conf_read(path, read_theme_line, &t, bad, ctx);
	free(path);
	fill_role_variants(&t);
	*out = t;
	return true;
}

bool theme_load(const char *name, conf_error_handler *bad, void *ctx, struct err *e)
{
	if (!mono.name[0])
		theme_read_file("mono", &mono, bad, ctx, NULL);
	return theme_read_file(name, &current, bad, ctx, e);
}

/* --- glyphs --- */
#define GLYPH_ROW(id, utf8, ascii) [GLYPH_##id] = {utf8, ascii},
static const char *const glyphs[GLYPH_COUNT][2] = {GLYPHS(GLYPH_ROW)};
#undef GLYPH_ROW

const char *glyph_text(bool ascii, enum glyph g)
{
	return glyphs[g][ascii];
}

bool locale_is_utf8(void)
{
	return !strcasecmp(nl_langinfo(CODESET), "UTF-8");
}
