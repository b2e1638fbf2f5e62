#include "cli/completion_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/softgpu-link/model_table.h"
#include "experiments/sweep/sweep.h"
#include "cli/cli_support.h"
#include "cli/manual.h"
#include "base/settings.h"
#include "tui/toolkit/theme.h"

struct candidates {
	const char *word;
	struct buf *out;
};

static void offer(const struct candidates *c, const char *text)
{
	if (!strncmp(text, c->word, strlen(c->word)))
		buf_printf(c->out, "%s\n", text);
}

static void offer_joined(const struct candidates *c, const char *name, const char *middle, const char *value)
{
	char *text = xasprintf("%s%s%s", name, middle, value);
	offer(c, text);
	free(text);
}

/* "a|b|c", each behind `front`. */
static void offer_choices(const struct candidates *c, const char *front, const char *choices)
{
	for (; choices && *choices; choices += strcspn(choices, "|"), choices += *choices == '|') {
		char *one = xasprintf("%.*s", (int)strcspn(choices, "|"), choices);
		offer_joined(c, front, "", one);
		free(one);
	}
}

/* --- experiments --- */
static bool open_catalog(struct catalog *c)
{
	char *folder = path_catalog();
	bool ok = catalog_open(folder, c, NULL, NULL, NULL);
	free(folder);
	return ok;
}

static void offer_experiments(const struct candidates *c, struct catalog *all)
{
	char **ids;
	int count = catalog_list_ids(all, &ids);
	for (int i = 0; i < count; i++) {
		offer(c, ids[i]);
		free(ids[i]);
	}
	free(ids);
}

static void offer_parameters(const struct candidates *c, const struct experiment *x)
{
	const char *equals = strchr(c->word, '=');
	for (int i = 0; plan_preset_name(x, i); i++)
		offer_joined(c, "@", "", plan_preset_name(x, i));
	for (int i = 0; i < x->param_count; i++) {
		const struct param *p = &x->params[i];
		bool this = equals && strlen(p->id) == (size_t)(equals - c->word) &&
			!strncmp(p->id, c->word, strlen(p->id));
		if (!this)
			offer_joined(c, p->id, "=", "");
		for (int k = 0; this && k < p->choice_count; k++)
			offer_joined(c, p->id, "=", p->choices[k]);
	}
}

/* --- options --- */
/* The options that a command's help tells of. */
static void offer_options(const struct candidates *c, const char *help)
{
	char option[40];
	for (const char *at = help; (at = strstr(at, "--")); at += 2) {
		size_t n = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
		if (n < 4 || n >= sizeof option || (at > help && !strchr(" [|", at[-1]) && at[-1] != '\n'))
			continue;
		snprintf(option, sizeof option, "%.*s", (int)n, at);
		size_t len = c->out->len;
		offer(c, option);
		/* Told twice, offered once. */
		char *line = xasprintf("%s\n", option), *first = c->out->data ? strstr(c->out->data, line) : NULL;
		if (first && first < c->out->data + len)
			c->out->data[c->out->len = len] = 0;
		free(line);
	}
}

static void offer_settings(const struct candidates *c)
{
	char **themes;
	for (int i = 0; setting_get_info(i); i++) {
		const struct setting_info *r = setting_get_info(i);
		char *front = xasprintf("%s=", r->name);
		if (strncmp(c->word, front, strlen(front)))
			offer(c, front);
		else if (r->kind == SETTING_CHOICE || r->kind == SETTING_SWITCH)
			offer_choices(c, front, r->values);
		else if (i == SETTING_THEME)
			for (size_t k = 0, n = theme_list(&themes); k < n; k++)
				offer_joined(c, front, "", themes[k]), free(themes[k]);
		free(front);
	}
}

static void offer_models(const struct candidates *c)
{
	struct soft_model models[SOFT_MODELS_MAX];
	size_t count = softgpu_list_models(models);
	for (size_t i = 0; i < count; i++)
		offer(c, device_rest(models[i].device));
}

/* The devices found here; of a backend that lists none, its prefix. */
static void offer_devices(const struct candidates *c)
{
	char names[DEVICES_MAX][DEVICE_SHORT_NAME];
	size_t count = backends_list_devices(names, DEVICES_MAX, true);
	for (size_t i = 0; i < count; i++)
		offer(c, names[i]);
	for (size_t i = 0; backend_get(i); i++)
		if (!backend_get(i)->list)
			offer_joined(c, backend_get(i)->prefix, ":", "");
}

/* Options that want a file's name or words that are not known here. */
static bool is_free(const char *option)
{
	static const char *const names[] = {"--record", "--resume", "--limit", "--counters", "--timeline", "--cu",
		"--diff", "--output", "-o", "--script"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], option))
			return true;
	return false;
}

/* What an option wants behind it; true when it wants something. */
static bool offer_value(const struct candidates *c, const char *command, const char *option)
{
	if (!strcmp(option, "--set"))
		offer_settings(c);
	else if (!strcmp(option, "--device") || !strcmp(option, "--model"))
		option[2] == 'd' ? offer_devices(c) : offer_models(c);
	else if (!strcmp(option, "--format"))
		offer_choices(c, "", !strcmp(command, "export") ? "csv|json|gnuplot|svg|html" : "table|csv|json|plot");
	else if (!strcmp(option, "--arch"))
		offer_choices(c, "", "gfx900|gfx906|gfx908|gfx90a|gfx1030|gfx1100");
	else
		return is_free(option);
	return true;
}

/* --- the line --- */
static void first_word(const struct candidates *c, struct catalog *all)
{
	for (int i = 0; command_at(i); i++)
		offer(c, command_at(i)->name);
	if (*c->word == '-')
		offer_choices(c, "", "--device|--script|--set|--help|--version");
	else
		offer_experiments(c, all);
}

static void help_words(const struct candidates *c)
{
	const char *topic, *about;
	for (int i = 0; command_at(i); i++)
		offer(c, command_at(i)->name);
	for (int i = 0; (topic = manual_topic_name(i, &about)); i++)
		offer(c, topic);
}

static struct experiment *named(struct catalog *all, const char *const *words, int count)
{
	struct experiment *x = NULL;
	for (int i = 1; !x && i < count; i++)
		if (*words[i] != '-' && (strchr(words[i], '/') || catalog_contains(all, words[i])))
			x = catalog_find(all, words[i], NULL);
	return x;
}

static void command_words_of(const struct candidates *c, const struct command *command, const char *const *words,
	int before, struct catalog *all)
{
	bool many = !strcmp(command->name, "validate");
	if (*c->word == '-') {
		offer_options(c, command->arguments);
		offer_options(c, command->help);
		offer(c, "--set");
	} else if (!strcmp(command->name, "help"))
		help_words(c);
	else if (!strcmp(command->name, "completion"))
		offer_choices(c, "", "bash|zsh");
	else if (strstr(command->arguments, "EXP")) {
		struct experiment *x = many ? NULL : named(all, words, before);
		x ? offer_parameters(c, x) : offer_experiments(c, all);
	}
}

void completion_list_words(const char *const *words, int count, struct buf *out)
{
	struct candidates c = {count ? words[count - 1] : "", out};
	struct catalog all;
	if (!open_catalog(&all))
		return;
	const struct command *command = count > 1 ? command_find(words[0], NULL) : NULL;
	if (count < 2)
		first_word(&c, &all);
	else if (!offer_value(&c, words[0], words[count - 2]) && command)
		command_words_of(&c, command, words, count - 1, &all);
	catalog_free(&all);
}
