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
#include "tui/toolkit/colors_256.h"

static const char suffix[] = ".theme";

/* --- roles --- */
#define NAME(id, name, letter, help) [ROLE_##id] = {name, letter},
static const struct {
	const char *name;
	char letter;
} roles[ROLE_COUNT] = {ROLES(NAME)};
#undef NAME

const char *role_name(enum role role)
{
	return role < ROLE_COUNT ? roles[role].name : "";
}
char role_letter(enum role role)
{
	return role < ROLE_COUNT ? roles[role].letter : '?';
}

/* --- the theme --- */
enum depth { DEPTH_256, DEPTH_16, DEPTH_8, DEPTHS };
struct colour {
	short of[DEPTHS];
	bool said;
}; /* -1 the terminal's own */
struct theme {
	char name[64];
	struct {
		struct colour fg, bg;
		unsigned attr;
		bool said;
	} role[ROLE_COUNT];
	struct colour background;
};
static struct theme now, mono; /* mono: for no colours at all, whatever the person chose */
static const struct colour own = {{-1, -1, -1}, false};

struct cell_style theme_cell_style(enum role role, int colours)
{
	if (role >= ROLE_COUNT)
		role = ROLE_TEXT;
	if (colours < 8)
		return (struct cell_style){-1, -1, mono.role[role].attr};
	if (!now.role[role].said)
		return (struct cell_style){-1, -1, 0};
	enum depth d = colours >= 256 ? DEPTH_256 : colours >= 16 ? DEPTH_16 : DEPTH_8;
	const struct colour *bg = now.role[role].bg.said ? &now.role[role].bg : &now.background;
	return (struct cell_style){now.role[role].fg.of[d], bg->said ? bg->of[d] : -1, now.role[role].attr};
}

const char *theme_name(void)
{
	return now.name;
}
bool theme_defines_role(enum role role)
{
	return role < ROLE_COUNT && now.role[role].said;
}

/* --- reading one --- */
static bool number(const char *text, int low, int high, short *out)
{
	char *end;
	long v = strtol(text, &end, 10);
	*out = (short)v;
	return isdigit((unsigned char)*text) && !*end && v >= low && v <= high;
}

static bool first_colour(const char *text, short *out)
{
	unsigned rgb;
	if (*text == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6 &&
		sscanf(text + 1, "%6x", &rgb) == 1) {
		*out = (short)palette_nearest_colour(
			(int[3]){(int)(rgb >> 16), (int)(rgb >> 8 & 255), (int)(rgb & 255)}, 16, 256);
		return true;
	}
	return number(text, 16, 255, out);
}

/* "245/8/7" */
static bool read_colour(char *text, struct colour *out, struct err *e)
{
	*out = own;
	out->said = true;
	if (!strcmp(text, "default"))
		return true;
	char *part[DEPTHS] = {text, NULL, NULL};
	for (int d = 1; d < DEPTHS && part[d - 1] && (part[d] = strchr(part[d - 1], '/')); d++)
		*part[d]++ = 0;
	if (!first_colour(part[0], &out->of[DEPTH_256]))
		return err_set(e, ST_REQUEST, "'%.20s' is no colour; write default, 16..255 or #rrggbb", part[0]);
	int rgb[3];
	palette_rgb(out->of[DEPTH_256], rgb);
	out->of[DEPTH_16] = (short)palette_nearest_colour(rgb, 0, 16);
	out->of[DEPTH_8] = (short)palette_nearest_colour(rgb, 0, 8);
	if (part[1] && !number(part[1], 0, 15, &out->of[DEPTH_16]))
		return err_set(e, ST_REQUEST, "'%.20s' is none of 16 colours; write 0..15", part[1]);
	return !part[2] || number(part[2], 0, 7, &out->of[DEPTH_8]) ||
		err_set(e, ST_REQUEST, "'%.20s' is none of 8 colours; write 0..7", part[2]);
}

static bool read_attribute(const char *word, unsigned *attr, struct err *e)
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
	return err_set(e, ST_REQUEST, "'%.20s' is no attribute; there are bold, dim, reverse, underline", word);
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
	return err_set(
		e, ST_REQUEST, "there is no role '%.40s'%s%s", name, near ? ", did you mean " : "", near ? near : "");
}

static bool take(void *ctx, char *name, char *value, struct err *e)
{
	struct theme *t = ctx;
	enum role r;
	char *rest, *word = strtok_r(value, " \t", &rest);
	struct colour fg, bg = own;
	unsigned attr = 0;
	if (!strcmp(name, "about"))
		return true;
	if (!word)
		return err_set(
			e, ST_REQUEST, "'%.40s' has no colour; write for example %.40s = default bold", name, name);
	if (!strcmp(name, "background"))
		return read_colour(word, &t->background, e);
	if (!find_role(name, &r, e) || !read_colour(word, &fg, e))
		return false;
	while ((word = strtok_r(NULL, " \t", &rest)))
		if (strcmp(word, "on") ? !read_attribute(word, &attr, e)
				       : !(word = strtok_r(NULL, " \t", &rest)) || !read_colour(word, &bg, e))
			return word ? false : err_set(e, ST_REQUEST, "a colour is missing behind 'on'");
	t->role[r].fg = fg;
	t->role[r].bg = bg;
	t->role[r].attr = attr;
	t->role[r].said = true;
	return true;
}

/* --- finding them --- */
static char *in_folder(char *folder, const char *name)
{
	char *path = xasprintf("%s/%s%s", folder, name, suffix);
	free(folder);
	return path;
}

/* The person's one of a name hides the program's. */
static char *path_of(const char *name)
{
	char *path = in_folder(path_user_config("themes"), name);
	if (!access(path, R_OK))
		return path;
	free(path);
	return in_folder(path_share("themes"), name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t add_folder(char *folder, char ***names, size_t count)
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
	size_t count = add_folder(path_user_config("themes"), names, 0);
	count = add_folder(path_share("themes"), names, count);
	if (count)
		qsort(*names, count, sizeof **names, by_name);
	return count;
}

static bool take_about(void *ctx, char *name, char *value, struct err *e)
{
	(void)e;
	if (!strcmp(name, "about"))
		snprintf(ctx, 120, "%s", value);
	return true;
}

char *theme_read_about(const char *name)
{
	char *path = path_of(name), *about = xcalloc(1, 120);
	conf_read(path, take_about, about, NULL, NULL);
	free(path);
	return about;
}

static void none_such(const char *name, struct err *e)
{
	char **names;
	size_t count = theme_list(&names);
	struct buf list = {0};
	for (size_t i = 0; i < count; i++) {
		buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
		free(names[i]);
	}
	free(names);
	err_set(e, ST_REQUEST, "there is no theme '%.40s'; there are %s", name,
		list.data ? list.data : "none: install the program again");
	buf_free(&list);
}

bool theme_exists(const char *name, struct err *e)
{
	bool plain = strlen(name) < sizeof now.name && !strchr(name, '/');
	char *path = plain ? path_of(name) : NULL;
	bool there = path && !access(path, R_OK);
	free(path);
	if (!there)
		none_such(name, e);
	return there;
}

static bool read_theme(const char *name, struct theme *out, conf_error_handler *bad, void *ctx, struct err *e)
{
	struct theme t = {.background = own};
	if (!theme_exists(name, e))
		return false;
	char *path = path_of(name);
	snprintf(t.name, sizeof t.name, "%s", name);
	conf_read(path, take, &t, bad, ctx);
	free(path);
	*out = t;
	return true;
}

bool theme_load(const char *name, conf_error_handler *bad, void *ctx, struct err *e)
{
	if (!mono.name[0])
		read_theme("mono", &mono, bad, ctx, NULL);
	return read_theme(name, &now, bad, ctx, e);
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
