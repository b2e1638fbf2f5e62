/* The user's files: settings, key bindings, themes. Mistakes are reported with file and line, and the other lines
 * work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/bindings.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/color_distance.h"
#include "base/settings.h"
#include "gpu/backends/backend.h"
#include "tui/toolkit/theme.h"
#include "tui/shell/screen_draw.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static void write_file(const char *name, const char *text)
{
	char path[200];
	snprintf(path, sizeof path, "%s/wavedeck/%s", folder, name);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static char *read_file(const char *name)
{
	char path[200], *text = calloc(1, 4096);
	snprintf(path, sizeof path, "%s/wavedeck/%s", folder, name);
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	size_t n = fread(text, 1, 4095, in);
	text[n] = 0;
	fclose(in);
	return text;
}

static int make_folder(void **state)
{
	(void)state;
	char path[200];
	snprintf(path, sizeof path, "%s/wavedeck/themes", mkdtemp(scratch_path(folder, "settings-XXXXXX")));
	setenv("XDG_CONFIG_HOME", folder, 1);
	*strrchr(path, '/') = 0;
	return mkdir(path, 0700) || mkdir(strcat(path, "/themes"), 0700);
}

static int remove_folder(void **state)
{
	(void)state;
	char command[200];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static void note(void *ctx, const char *line)
{
	buf_printf(ctx, "%s\n", line);
}

/* --- settings --- */
static bool check_device(const char *value, struct err *e)
{
	return !strcmp(value, "auto") || device_name_check(value, e);
}

static void every_setting_has_a_valid_default(void **state)
{
	(void)state;
	struct err e;
	for (int i = 0; setting_get_info(i); i++) {
		enum setting which;
		if (!setting_set(setting_get_info(i)->name, setting_get_info(i)->value, &which, &e))
			fail_msg("%s: %s", setting_get_info(i)->name, e.text);
		assert_int_equal(which, i);
		assert_true(strlen(setting_get_info(i)->help) > 5);
		assert_false(setting_set(setting_get_info(i)->name, "", NULL, &e));
	}
}

static void mistakes_are_reported_with_their_line(void **state)
{
	(void)state;
	struct buf bad = {0};
	write_file("config",
		"# mine\ncanvas = dots\n\nlog-y=on\nframes = 500\nlogy = on\nframes = 12\ntheme = no-such\ndevice = sofd:mi25\nmouse\n");
	assert_true(settings_read(note, &bad));
	assert_true(setting_is_on(SETTING_LOG_Y));
	assert_int_equal(setting_int_value(SETTING_FRAMES), 12);
	assert_true(setting_equals(SETTING_CANVAS, "auto"));
	static const char *const told[] = {"config:2: canvas must be auto|braille|blocks|ascii, not 'dots'",
		"config:5: frames must be a number in 1..120", "config:6: ", "did you mean 'log-y'",
		"config:8: unknown theme 'no-such'; use one of ", "config:9: ", "config:10: mouse needs a value"};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (!strstr(bad.data, told[i]))
			fail_msg("'%s' is not told in\n%s", told[i], bad.data);
	buf_free(&bad);
}

static void saving_keeps_other_lines(void **state)
{
	(void)state;
	struct err e;
	char *path;
	write_file("config", "# my own words\ncanvas = blocks\nfuture = thing\nfuture-too\n");
	settings_read(note, &(struct buf){0});
	assert_true(setting_set("canvas", "ascii", NULL, &e) && setting_set("log-y", "on", NULL, &e) &&
		setting_set("frames", "30", NULL, &e));
	assert_true(settings_save(&path, &e));
	free(path);
	char *text = read_file("config");
	assert_string_equal(text, "# my own words\ncanvas = ascii\nfuture = thing\nfuture-too\nlog-y = on\n");
	free(text);
	setting_set("canvas", "braille", NULL, &e);
	setting_set("log-y", "off", NULL, &e);
}

static void assignments_are_checked(void **state)
{
	(void)state;
	struct err e;
	enum setting which;
	assert_true(setting_assign("mouse=off", &which, &e) && which == SETTING_MOUSE && !setting_is_on(SETTING_MOUSE));
	assert_false(setting_assign("mouse", NULL, &e));
	assert_false(setting_assign("mouse=o", NULL, &e)); /* a prefix of a choice is not accepted */
	assert_false(setting_assign("mouse=on|off", NULL, &e));
	assert_false(setting_assign("frames=12x", NULL, &e));
	assert_true(setting_assign("mouse=on", NULL, &e));
}

/* --- bindings --- */
static unsigned in_pane(enum focus f)
{
	return view_place_scope(views[0], (int)f);
}

static const char *meaning(int key, uint64_t where)
{
	const char *argument;
	const struct action *k = binding_for_key(key, where, &argument);
	return k ? k->name : "";
}

static void forget_bindings(void)
{
	write_file("keys", "");
	assert_true(bindings_read(NULL, NULL));
}

static void keys_are_bound_per_scope(void **state)
{
	(void)state;
	struct buf bad = {0};
	const char *argument;
	char text[80];
	write_file("keys",
		"Ctrl-R = run\nplot: n = cursor-right 4\nunbind q\nplot: unbind p\nplot: n = zoom\nparameters: n = x-axis\n= = zoom\n: = help\n"
		"Ctrl-C = quit\nF13 = run\nx = rnu\nattic: x = run\nhelp: x = run\nz\n");
	assert_true(bindings_read(note, &bad));
	assert_string_equal(meaning('R' - '@', in_pane(FOCUS_PLOT)), "run");
	assert_string_equal(meaning('R' - '@', view_scope(view_find("log"))),
		""); /* a binding has no meaning where its action does not work */
	assert_string_equal(meaning('n', in_pane(FOCUS_PLOT)), "zoom"); /* later lines win */
	assert_string_equal(meaning('n', in_pane(FOCUS_PARAMS)), "x-axis");
	assert_string_equal(meaning('n', in_pane(FOCUS_LIST)), "");
	assert_string_equal(meaning('q', in_pane(FOCUS_LIST)), "");
	assert_string_equal(meaning('p', in_pane(FOCUS_PLOT)), "");
	assert_string_equal(meaning('p', in_pane(FOCUS_LIST)), "pin");
	assert_string_equal(meaning('=', in_pane(FOCUS_PLOT)), "zoom");
	assert_string_equal(meaning(':', in_pane(FOCUS_PLOT)), "help");
	assert_string_equal(binding_format_keys(action_by_name("run"), in_pane(FOCUS_PLOT), 4, text, sizeof text),
		"Ctrl-R or Space");
	assert_string_equal(binding_format_keys(action_by_name("quit"), in_pane(FOCUS_PLOT), 4, text, sizeof text), "");
	static const char *const told[] = {"keys:9: Ctrl-C interrupts", "keys:10: not a key: 'F13'",
		"keys:11: unknown action 'rnu'; did you mean 'run'?", "keys:12: unknown scope 'attic'",
		"keys:13: action 'run' does not work in this scope", "keys:14: key 'z' has no action"};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (!strstr(bad.data, told[i]))
			fail_msg("'%s' is not told in\n%s", told[i], bad.data);
	forget_bindings();
	assert_string_equal(meaning('q', in_pane(FOCUS_LIST)), "quit");
	struct err e;
	assert_true(binding_add("plot: n", "cursor-right 4", &e));
	assert_string_equal(binding_for_key('n', in_pane(FOCUS_PLOT), &argument)->name, "cursor-right");
	assert_string_equal(argument, "4");
	forget_bindings();
	buf_free(&bad);
}

static void help_and_hints_show_user_keys(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	struct err e;
	made_app(&a, &x, 3, 120, 100);
	a.ascii = true;
	grid_resize(&g, 120, 100);
	assert_true(binding_add("Ctrl-R", "run", &e) && binding_add("unbind Space", "", &e) &&
		binding_add("F9", "quit", &e));
	screen_draw(&a, &g);
	char *text = grid_dump_text(&g);
	assert_non_null(strstr(text, "Ctrl-R sweep"));
	assert_non_null(strstr(text, "F9 quit"));
	assert_null(strstr(text, "Space"));
	free(text);
	a.view = view_find("help");
	screen_draw(&a, &g);
	text = grid_dump_text(&g);
	const char *row = strstr(text, "Ctrl-R  ");
	assert_non_null(row);
	row += strlen("Ctrl-R");
	assert_memory_equal(row + strspn(row, " "), "measure the sweep", strlen("measure the sweep"));
	free(text);
	forget_bindings();
	grid_free(&g);
	made_free(&a);
}

/* --- themes --- */
static struct {
	const char *name;
	int assumed;
	double least;
} themes[] = {
	/* assumed where the theme sets no background */
	{"dark", 16, 4.5},
	{"light", 231, 4.5},
	{"contrast", 16, 7},
	{"colorblind", 16, 4.5},
};

/* Text has the contrast that WCAG requires; frames, previous curves and rulers are not text. */
static bool is_text(enum role r)
{
	return r != ROLE_FRAME && r != ROLE_PREVIOUS && r != ROLE_RULER;
}

static double relative_luminance(const int rgb[3])
{
	static const double part[3] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double c = rgb[i] / 255.0;
		sum += part[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* WCAG 2.1, 1..21: (lighter + 0.05) / (darker + 0.05) of the relative luminances. */
static double contrast_of_colors(const int a[3], const int b[3])
{
	double x = relative_luminance(a), y = relative_luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static double contrast(enum role r, int assumed)
{
	struct cell_style l = theme_cell_style(r, 256);
	int fg[3], bg[3];
	color_to_rgb(l.bg >= 0 ? l.bg : assumed, bg);
	color_to_rgb(l.fg >= 0 ? l.fg : assumed == 16 ? 252 : 16, fg);
	return contrast_of_colors(fg, bg);
}

#define ROLE_NAME(id, name, ...) name,
static const char *const role_names[] = {ROLES(ROLE_NAME)};
#undef ROLE_NAME

/* The file of a theme has a line for each role. */
static void check_theme_roles(const char *theme)
{
	char *name = xasprintf("themes/%s.theme", theme), *path = path_share(name), line[200];
	bool there[ROLE_COUNT] = {false};
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		for (int r = 0; r < ROLE_COUNT; r++)
			there[r] |= strcspn(line, " =") == strlen(role_names[r]) &&
				!strncmp(line, role_names[r], strlen(role_names[r]));
	fclose(f);
	for (int r = 0; r < ROLE_COUNT; r++)
		if (!there[r])
			fail_msg("the theme %s does not say %s", theme, role_names[r]);
	free(path);
	free(name);
}

static void every_theme_has_every_role_and_its_contrast(void **state)
{
	(void)state;
	struct err e;
	struct buf bad = {0};
	char **names;
	size_t count = theme_list(&names), seen = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(theme_load(names[i], note, &bad, &e));
		check_theme_roles(names[i]);
		char *about = theme_read_about(names[i]);
		assert_true(strlen(about) > 5);
		free(about);
		for (size_t t = 0; t < sizeof themes / sizeof *themes; t++)
			for (int r = 0; !strcmp(names[i], themes[t].name) && r < ROLE_COUNT; seen += !r, r++)
				if ((is_text((enum role)r) || themes[t].least > 4.5) &&
					contrast((enum role)r, themes[t].assumed) < themes[t].least)
					fail_msg("theme %s: %s has a contrast of %.2f", names[i], role_names[r],
						contrast((enum role)r, themes[t].assumed));
		free(names[i]);
	}
	free(names);
	assert_int_equal(seen, 4);
	if (bad.len)
		fail_msg("%s", bad.data);
}

static void roles_have_unique_names_and_letters(void **state)
{
	(void)state;
	for (int r = 0; r < ROLE_COUNT; r++)
		for (int q = 0; q < r; q++) {
			assert_int_not_equal(role_letter((enum role)r), role_letter((enum role)q));
			assert_string_not_equal(role_names[r], role_names[q]);
		}
}

/* 1 and 21 are WCAG's limits; #767676 on white is its best-known pair at the threshold (4.54). */
static void contrast_follows_wcag(void **state)
{
	(void)state;
	assert_true(contrast_of_colors((int[3]){0, 0, 0}, (int[3]){255, 255, 255}) > 20.99);
	assert_true(contrast_of_colors((int[3]){7, 8, 9}, (int[3]){7, 8, 9}) < 1.001);
	double c = contrast_of_colors((int[3]){0x76, 0x76, 0x76}, (int[3]){255, 255, 255});
	assert_true(c > 4.535 && c < 4.545);
}

static void a_user_theme_is_loaded(void **state)
{
	(void)state;
	struct err e;
	struct buf bad = {0};
	write_file("themes/mine.theme",
		"about = mine\ntext = #ffffff on 16/0/0 bold\ndim = 300\nbadd = 17\nkey = 20/99\nwarn = default shiny\nok = 46/10\nbad = 1 on\n");
	assert_true(theme_load("mine", note, &bad, &e));
	struct cell_style text = theme_cell_style(ROLE_TEXT, 256), ok = theme_cell_style(ROLE_OK, 16);
	assert_true(text.fg == 231 && text.bg == 16 && text.attr == STYLE_ATTR_BOLD);
	assert_int_equal(theme_cell_style(ROLE_TEXT, 8).fg, 7);
	assert_int_equal(ok.fg, 10);
	assert_int_equal(theme_cell_style(ROLE_OK, 8).fg, 2); /* the nearest of eight */
	assert_int_equal(
		theme_cell_style(ROLE_SELECTED, 0).attr, STYLE_ATTR_REVERSE); /* without colors, mono applies */
	static const char *const told[] = {"mine.theme:3: not a color: '300'",
		"mine.theme:4: unknown role 'badd'; did you mean 'bad'?", "mine.theme:5: not one of 16 colors: '99'",
		"mine.theme:6: unknown attribute 'shiny'", "mine.theme:8: not a color: '1'"};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (!strstr(bad.data, told[i]))
			fail_msg("'%s' is not told in\n%s", told[i], bad.data);
	buf_free(&bad);
	assert_false(theme_load("../mine", NULL, NULL, &e));
	assert_string_equal(theme_name(), "mine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_setting_has_a_valid_default),
		cmocka_unit_test(mistakes_are_reported_with_their_line),
		cmocka_unit_test(saving_keeps_other_lines),
		cmocka_unit_test(assignments_are_checked),
		cmocka_unit_test(keys_are_bound_per_scope),
		cmocka_unit_test(help_and_hints_show_user_keys),
		cmocka_unit_test(every_theme_has_every_role_and_its_contrast),
		cmocka_unit_test(roles_have_unique_names_and_letters),
		cmocka_unit_test(contrast_follows_wcag),
		cmocka_unit_test(a_user_theme_is_loaded),
	};
	setting_set_check(SETTING_THEME, theme_exists);
	setting_set_check(SETTING_DEVICE, check_device);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
