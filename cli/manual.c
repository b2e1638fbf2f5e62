#include "cli/manual.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/shell/bindings.h"
#include "cli/cli_support.h"
#include "cli/manual_page.h"
#include "tui/shell/screen_script.h"
#include "base/settings.h"
#include "tui/toolkit/theme.h"
#include "tui/shell/view_table.h"

/* --- sections --- */
static void commands(const struct manual_page *p)
{
	manual_page_item(p, "wavedeck [EXP|PATH.lua]",
		"opens the workbench; without a terminal: measures that or the default experiment");
	manual_page_item(p, "wavedeck --script FILE",
		"drives the screen by action names and dumps it as text; - is standard input");
	manual_page_item(p, "--device D", "either of them on another device");
	manual_page_item(p, "--set NAME=VALUE", "a setting, for any command");
	manual_page_item(p, "--version", "prints the version");
	for (int i = 0; command_at(i); i++) {
		const struct command *c = command_at(i);
		char *usage = xasprintf("wavedeck %s%s%s", c->name, *c->arguments ? " " : "", c->arguments);
		manual_page_item(p, usage, c->summary);
		if (p->roff && *c->help)
			manual_page_lines(p, c->help);
		free(usage);
	}
}

static void config(const struct manual_page *p)
{
	char *path = path_user_config("config"), name[80], help[300];
	manual_page_paragraph(p,
		"Lines NAME = VALUE; a # at the beginning of a line is a comment. A mistake is told with file and line, and the rest works. --set NAME=VALUE "
		"on the command line and :set NAME=VALUE on the screen say the same; :save-settings writes the file.");
	if (!p->roff)
		fprintf(p->out, "The file: %s\n\n", path);
	for (int i = 0; setting_get_info(i); i++) {
		const struct setting_info *r = setting_get_info(i);
		snprintf(name, sizeof name, "%s = %s", r->name, r->values);
		snprintf(help, sizeof help, "%s (default %s)", r->help, r->value);
		manual_page_item(p, name, help);
	}
	free(path);
}

/* What has no key is for the palette, scripts and bindings. */
static void keys(const struct manual_page *p)
{
	char list[80], name[120];
	manual_page_paragraph(
		p, "Every action has a name, for the palette (the key :), for scripts and for bindings of your own.");
	for (size_t i = 0; i < action_count(); i++) {
		const struct action *k = action_at(i);
		binding_format_keys(k, k->where, 4, list, sizeof list);
		snprintf(name, sizeof name, "%s%s%s%s", k->name, *list ? " (" : "", list, *list ? ")" : "");
		manual_page_item(p, name, k->help);
	}
}

static void bindings(const struct manual_page *p)
{
	struct buf places = {0};
	for (int i = 0; scope_name(i); i++)
		buf_printf(&places, "%s%s", i ? ", " : "", scope_name(i));
	manual_page_paragraph(p,
		"Lines KEY = ACTION [ARGUMENT], or unbind KEY; in front of either PLACE: means there only. Later lines win over earlier ones, and all of them "
		"over the program's own keys. Places:");
	manual_page_paragraph(p, places.data);
	manual_page_lines(p, "Ctrl-R = run\nF6 = canvas ascii\nplot: n = cursor-right 4\nunbind q\n");
	buf_free(&places);
}

#define ROLE_ITEM(id, name, letter, help) {name, help},
static const struct {
	const char *name, *help;
} roles[] = {ROLES(ROLE_ITEM)};
#undef ROLE_ITEM

static void themes(const struct manual_page *p)
{
	char **names;
	size_t count = p->roff ? 0 : theme_list(&names);
	for (size_t i = 0; i < count; i++) {
		char *about = theme_read_about(names[i]);
		manual_page_item(p, names[i], about);
		free(about);
		free(names[i]);
	}
	if (!p->roff)
		free(names), fputc('\n', p->out);
	manual_page_paragraph(p,
		"A theme is a file NAME.theme of lines ROLE = COLOUR [on COLOUR] [bold] [dim] [reverse] [underline]; about = TEXT says what it is for and "
		"background = COLOUR paints behind every role. A COLOUR is default (the terminal's own), 16..255 of the 256-colour palette or #rrggbb; behind "
		"slashes stand the colours for terminals with 16 and with 8 of them, as in 245/8/7. Without colours, and with NO_COLOR set, the theme mono "
		"holds. A theme of your own hides the program's of the same name. Roles:");
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		manual_page_item(p, roles[i].name, roles[i].help);
}

static void scripts(const struct manual_page *p)
{
	manual_page_paragraph(p,
		"wavedeck --script FILE reads lines; those that begin with # are comments. The first line that goes wrong ends the script with its line number.");
	const char *arguments, *help;
	char usage[120];
	for (int i = 0; script_command(i, &arguments, &help); i++) {
		snprintf(usage, sizeof usage, "%s%s%s", script_command(i, &arguments, &help), *arguments ? " " : "",
			arguments);
		manual_page_item(p, usage, help);
	}
}

static void files(const struct manual_page *p)
{
	static const struct {
		const char *name, *about;
	} list[] = {
		{"$XDG_CONFIG_HOME/wavedeck/config", "settings (~/.config where the variable is not set)"},
		{"$XDG_CONFIG_HOME/wavedeck/keys", "key bindings"},
		{"$XDG_CONFIG_HOME/wavedeck/themes/NAME.theme", "themes of your own"},
		{"$XDG_DATA_HOME/wavedeck/sessions",
			"recorded sessions (~/.local/share where the variable is not set)"},
		{"$XDG_DATA_HOME/wavedeck/edited", "edited copies of kernels"},
		{"$XDG_CACHE_HOME/wavedeck", "compiled kernels; may be deleted at any time"},
		{"PREFIX/share/wavedeck", "the experiments, kernels, lessons, themes and published measurements"},
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		manual_page_item(p, list[i].name, list[i].about);
}

static void environment(const struct manual_page *p)
{
	manual_page_item(p, "NO_COLOR", "no colours when it is set and not empty");
	manual_page_item(p, "LC_ALL, LC_CTYPE, LANG", "a UTF-8 locale gives frames and dots, any other ASCII");
	manual_page_item(p, "VISUAL, EDITOR", "the editor of `edit` and of the key e");
	manual_page_item(p, "SOFTGPU_TRACE", "1 or 2: what the libraries ask of the software GPU, on standard error");
	manual_page_item(p, "SOFTGPU_STATISTICS", "1: what a run cost the host");
}

static void statuses(const struct manual_page *p)
{
	manual_page_item(p, "0", "done");
	manual_page_item(p, "1", "the measurement failed");
	manual_page_item(p, "2", "the request was wrong: one line on standard error, with the mend");
	manual_page_item(p, "130", "interrupted; what was measured is kept");
}

/* --- the whole --- */
static const struct {
	const char *topic, *title, *about;
	void (*write)(const struct manual_page *p);
} sections[] = {
	{"commands", "Commands", "every command with its arguments", commands},
	{"keys", "Actions and keys", "every action of the screen with its keys", keys},
	{"config", "Settings", "the settings, their values and defaults", config},
	{"bindings", "Key bindings", "the file of your own keys", bindings},
	{"themes", "Themes", "colours, and how to write a theme", themes},
	{"scripts", "Scripts", "the lines of --script", scripts},
	{"files", "Files", "where things are", files},
	{"environment", "Environment", "variables that are looked at", environment},
	{"status", "Exit status", "what the exit status means", statuses},
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
	printf(".\\\" Made by `wavedeck help --man`.\n.TH WAVEDECK 1 \"\" \"wavedeck %s\" \"User Commands\"\n",
		WAVEDECK_VERSION);
	manual_page_heading(&p, "Name");
	printf("wavedeck \\- experiments on a GPU, real or in software\n");
	manual_page_heading(&p, "Synopsis");
	printf(".B wavedeck\n[\\fIEXP\\fR|\\fIPATH.lua\\fR] [\\fB\\-\\-device\\fR \\fID\\fR] [\\fB\\-\\-set\\fR \\fINAME=VALUE\\fR]\n.br\n"
	       ".B wavedeck\n\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n");
	manual_page_heading(&p, "Description");
	manual_page_paragraph(&p,
		"A terminal workbench for GPU experiments: pick one, turn its parameters, and watch latency and throughput move, with the clock readings of every "
		"point below the curve. Without a GPU the default device is a Radeon Instinct MI25 in software, below the driver boundary.");
	for (size_t i = 0; i < SECTIONS; i++) {
		manual_page_heading(&p, sections[i].title);
		sections[i].write(&p);
	}
}
