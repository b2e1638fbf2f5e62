#include "cli/manual.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "base/settings.h"
#include "cli/cli_support.h"
#include "cli/frontend.h"
#include "cli/manual_page.h"

/* --- sections --- */

static void write_commands(const struct manual_page *p)
{
	manual_page_item(p, "wavedeck [EXP|PATH.lua]",
		"open the workbench; without a terminal, measure that experiment or the default one");
	manual_page_item(p, "wavedeck ./app ARGUMENTS",
		"open it on a HIP program; any word with a slash that can be executed is one");
	manual_page_item(p, "wavedeck --args 'n={n}' ./app n=1..64",
		"open it on a sweep over the program's arguments, as run measures it");
	manual_page_item(p, "wavedeck FILE.wbc", "open it on captured launches");
	manual_page_item(p, "wavedeck FILE.wbs", "open it on a recorded session; the same as wavedeck open FILE.wbs");
	manual_page_item(p, "wavedeck --script FILE",
		"run the actions in FILE and dump the screen as text; - reads standard input");
	manual_page_item(p, "--device D", "the device for the workbench or the script");
	manual_page_item(p, "--set NAME=VALUE", "change a setting, for any command");
	manual_page_item(p, "--version", "print the version");
	for (int i = 0; command_at(i); i++) {
		const struct command *c = command_at(i);
		char *usage = command_format_usage(c), *help = p->roff ? command_format_help(c) : NULL;
		manual_page_item(p, usage, c->summary);
		if (help && *help)
			manual_page_lines(p, help);
		free(usage);
		free(help);
	}
}

static void write_settings(const struct manual_page *p)
{
	char *path = path_user_config("config"), name[80], help[300];
	manual_page_paragraph(p,
		"The file has lines NAME = VALUE; a line that begins with # is a comment. A mistake is reported with its file and line, and all other lines are used. "
		"--set NAME=VALUE on the command line and :set NAME=VALUE on the screen change a setting for this run; :save-settings writes the file.");
	if (!p->roff)
		fprintf(p->out, "File: %s\n\n", path);
	for (int i = 0; setting_get_info(i); i++) {
		const struct setting_info *r = setting_get_info(i);
		snprintf(name, sizeof name, "%s = %s", r->name, r->values);
		snprintf(help, sizeof help, "%s (default %s)", r->help, r->value);
		manual_page_item(p, name, help);
	}
	free(path);
}

static void write_table(const struct manual_page *p, frontend_table *table)
{
	struct frontend_entry row;
	for (int i = 0; table(i, &row); i++)
		manual_page_item(p, row.name, row.help);
}

static void write_keys(const struct manual_page *p)
{
	manual_page_paragraph(p,
		"Every action has a name. Use it in the command palette (key :), in scripts and in your own key bindings.");
	write_table(p, cli_frontend()->actions);
}

static void write_bindings(const struct manual_page *p)
{
	struct buf scopes = {0};
	struct frontend_entry row;
	for (int i = 0; cli_frontend()->scopes(i, &row); i++)
		buf_printf(&scopes, "%s%s", i ? ", " : "", row.name);
	manual_page_paragraph(p,
		"The file has lines KEY = ACTION [ARGUMENT] or unbind KEY. SCOPE: at the start of a line limits it to one view or pane. Later lines override "
		"earlier ones, and all of them override the default keys. Scopes:");
	manual_page_paragraph(p, scopes.data ? scopes.data : "");
	manual_page_lines(p, "Ctrl-R = run\nF6 = canvas ascii\nplot: n = cursor-right 4\nunbind q\n");
	buf_free(&scopes);
}

static void write_themes(const struct manual_page *p)
{
	char **names;
	size_t count = p->roff ? 0 : cli_frontend()->list_themes(&names);
	for (size_t i = 0; i < count; i++) {
		char *about = cli_frontend()->read_theme_about(names[i]);
		manual_page_item(p, names[i], about);
		free(about);
		free(names[i]);
	}
	if (!p->roff)
		free(names), fputc('\n', p->out);
	manual_page_paragraph(p,
		"A theme is a file NAME.theme with lines ROLE = COLOR [on COLOR] [bold] [dim] [reverse] [underline]. about = TEXT describes the theme, and "
		"background = COLOR sets the background of every role. A COLOR is default (the terminal's own), 16..255 of the 256-color palette, or #rrggbb. "
		"Add colors for terminals with 16 and 8 colors after slashes, as in 245/8/7. On a terminal without colors, or if NO_COLOR is set, the theme "
		"mono is used. A theme file of your own replaces the installed theme of the same name. Roles:");
	write_table(p, cli_frontend()->roles);
}

static void write_scripts(const struct manual_page *p)
{
	manual_page_paragraph(p,
		"wavedeck --script FILE runs the lines of FILE; a line that begins with # is a comment. The script stops at the first line that fails and "
		"reports its line number.");
	write_table(p, cli_frontend()->script_lines);
}

static void write_files(const struct manual_page *p)
{
	static const struct {
		const char *name, *about;
	} list[] = {
		{"$XDG_CONFIG_HOME/wavedeck/config", "settings (in ~/.config if the variable is not set)"},
		{"$XDG_CONFIG_HOME/wavedeck/keys", "key bindings"},
		{"$XDG_CONFIG_HOME/wavedeck/themes/NAME.theme", "your own themes"},
		{"$XDG_DATA_HOME/wavedeck/sessions",
			"recorded sessions (in ~/.local/share if the variable is not set)"},
		{"$XDG_DATA_HOME/wavedeck/classes", "the votes of classes, a CSV file for each session in class mode"},
		{"$XDG_DATA_HOME/wavedeck/edited", "edited copies of kernels"},
		{"$XDG_CACHE_HOME/wavedeck", "compiled kernels and headers; can be deleted at any time"},
		{"PREFIX/share/wavedeck", "experiments, kernels, lessons, themes and published measurements"},
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		manual_page_item(p, list[i].name, list[i].about);
}

static void write_environment(const struct manual_page *p)
{
	manual_page_item(p, "NO_COLOR", "if set and not empty: no colors");
	manual_page_item(p, "LC_ALL, LC_CTYPE, LANG", "a UTF-8 locale gives Unicode frames and dots, any other ASCII");
	manual_page_item(p, "VISUAL, EDITOR", "the editor for `edit` and for the key e");
	manual_page_item(p, "WAVEDECK_CLANG",
		"the clang that compiles kernels, a name or a path; by default the first of clang 15, 17, 16, 18 to 23 and "
		"ROCm's that has device libraries");
	manual_page_item(p, "WAVEDECK_CUDA_COMPILER",
		"nvrtc, nvcc or clang: what compiles kernels for NVIDIA's GPUs; by default the first of them that is found");
	manual_page_item(p, "SOFTGPU_TRACE", "1 or 2: log the driver calls to the software GPU on standard error");
	manual_page_item(p, "SOFTGPU_STATISTICS",
		"1: print launches, wave instructions and seconds by kernel when a program ends");
	manual_page_item(p, "SOFTGPU_THREADS", "threads of this machine that simulate a launch, as `exec --threads`");
	manual_page_item(p, "SOFTGPU_LONG_LAUNCH",
		"seconds after which `exec` names a launch that still runs, where standard error is not a terminal; by "
		"default 60");
}

static void write_statuses(const struct manual_page *p)
{
	manual_page_item(p, "0", "success");
	manual_page_item(p, "1", "a measurement failed");
	manual_page_item(p, "2", "the request was wrong; one line on standard error explains how to fix it");
	manual_page_item(p, "130", "interrupted; points measured so far are kept");
}

/* --- the whole manual --- */

static const struct {
	const char *topic, *title, *about;
	void (*write)(const struct manual_page *p);
} sections[] = {
	{"commands", "Commands", "every command with its arguments", write_commands},
	{"keys", "Actions and keys", "every action of the screen with its keys", write_keys},
	{"config", "Settings", "settings, their values and defaults", write_settings},
	{"bindings", "Key bindings", "the file with your own key bindings", write_bindings},
	{"themes", "Themes", "colors, and how to write a theme", write_themes},
	{"scripts", "Scripts", "the lines of a --script file", write_scripts},
	{"files", "Files", "where wavedeck keeps its files", write_files},
	{"environment", "Environment", "environment variables", write_environment},
	{"status", "Exit status", "what the exit status means", write_statuses},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

const char *manual_topic_name(int i, const char **about)
{
	if (i < 0 || i >= SECTIONS)
		return NULL;
	*about = sections[i].about;
	return sections[i].topic;
}

bool manual_print_topic(const char *name)
{
	struct manual_page p = {stdout, false};
	for (size_t i = 0; i < SECTIONS; i++)
		if (!strcmp(name, sections[i].topic)) {
			sections[i].write(&p);
			return true;
		}
	return false;
}

void manual_print_roff(void)
{
	struct manual_page p = {stdout, true};
	printf(".\\\" Generated by `wavedeck help --man`.\n.TH WAVEDECK 1 \"\" \"wavedeck %s\" \"User Commands\"\n",
		WAVEDECK_VERSION);
	manual_page_heading(&p, "Name");
	printf("wavedeck \\- experiments on a GPU, real or in software\n");
	manual_page_heading(&p, "Synopsis");
	printf(".B wavedeck\n[\\fIEXP\\fR|\\fIPATH.lua\\fR] [\\fB\\-\\-device\\fR \\fID\\fR] [\\fB\\-\\-set\\fR \\fINAME=VALUE\\fR]\n.br\n"
	       ".B wavedeck\n\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n");
	manual_page_heading(&p, "Description");
	manual_page_paragraph(&p,
		"A terminal workbench for GPU experiments: choose an experiment, change its parameters, and see how latency and throughput react, with the clocks, "
		"temperature and power of every point below the curve. On a machine without a GPU, the default device is a software model of a Radeon Instinct "
		"MI25 that runs below the driver interface.");
	for (size_t i = 0; i < SECTIONS; i++) {
		manual_page_heading(&p, sections[i].title);
		sections[i].write(&p);
	}
}
