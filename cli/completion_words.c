#include "cli/completion_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/settings.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/remote/worker_places.h"
#include "gpu/softgpu-link/model_table.h"
#include "experiments/sweep/sweep.h"
#include "cli/cli_support.h"
#include "cli/frontend.h"
#include "cli/manual.h"
#include "sessions/export/exporters.h"

struct candidates {
	const char *word;
	struct buf *out;
};

static void offer_word(const struct candidates *c, const char *text)
{
	if (!strncmp(text, c->word, strlen(c->word)))
		buf_printf(c->out, "%s\n", text);
}

static void offer_joined(const struct candidates *c, const char *name, const char *middle, const char *value)
{
	char *text = xasprintf("%s%s%s", name, middle, value);
	offer_word(c, text);
	free(text);
}

/* `choices` is "a|b|c"; each one follows `front`. */
static void offer_choices(const struct candidates *c, const char *front, const char *choices)
{
	for (; choices && *choices; choices += strcspn(choices, "|"), choices += *choices == '|') {
		char *one = xasprintf("%.*s", (int)strcspn(choices, "|"), choices);
		offer_joined(c, front, "", one);
		free(one);
	}
}

/* --- experiments --- */
static bool open_word_catalog(struct catalog *c)
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
		offer_word(c, ids[i]);
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
/* The options in a command's arguments or help. */
static void offer_options(const struct candidates *c, const char *help)
{
	char option[40];
	for (const char *at = help; (at = strstr(at, "--")); at += 2) {
		size_t n = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
		if (n < 4 || n >= sizeof option || (at > help && !strchr(" [|", at[-1]) && at[-1] != '\n'))
			continue;
		snprintf(option, sizeof option, "%.*s", (int)n, at);
		size_t len = c->out->len;
		offer_word(c, option);
		/* An option that the text has twice is offered once. */
		char *line = xasprintf("%s\n", option), *first = c->out->data ? strstr(c->out->data, line) : NULL;
		if (first && first < c->out->data + len)
			c->out->data[c->out->len = len] = 0;
		free(line);
	}
}

static void offer_setting_words(const struct candidates *c)
{
	char **themes;
	for (int i = 0; setting_get_info(i); i++) {
		const struct setting_info *r = setting_get_info(i);
		char *front = xasprintf("%s=", r->name);
		if (strncmp(c->word, front, strlen(front)))
			offer_word(c, front);
		else if (r->kind == SETTING_CHOICE || r->kind == SETTING_SWITCH)
			offer_choices(c, front, r->values);
		else if (i == SETTING_THEME)
			for (size_t k = 0, n = cli_frontend()->list_themes(&themes); k < n; k++)
				offer_joined(c, front, "", themes[k]), free(themes[k]);
		free(front);
	}
}

static void offer_models(const struct candidates *c)
{
	struct soft_model models[SOFT_MODELS_MAX];
	size_t count = softgpu_list_models(models);
	for (size_t i = 0; i < count; i++)
		offer_word(c, device_rest(models[i].device));
}

static void offer_hosts(const struct candidates *c)
{
	char **names;
	int count = worker_hosts_list(&names);
	offer_word(c, "local");
	for (int i = 0; i < count; i++) {
		offer_word(c, names[i]);
		free(names[i]);
	}
	free(names);
}

/* The devices of this machine; for a backend that lists none, its prefix. */
static void offer_devices(const struct candidates *c)
{
	char names[DEVICES_MAX][DEVICE_SHORT_NAME];
	size_t count = backends_list_devices(names, DEVICES_MAX, true);
	for (size_t i = 0; i < count; i++)
		offer_word(c, names[i]);
	for (size_t i = 0; backend_get(i); i++)
		if (!backend_get(i)->list)
			offer_joined(c, backend_get(i)->prefix, ":", "");
}

static void offer_formats(const struct candidates *c, const char *command_name)
{
	const struct command *command = command_find(command_name, NULL);
	if (!strcmp(command_name, "list"))
		offer_choices(c, "", "table|json|csv");
	for (int i = 0; command && exporter_at(i); i++)
		if (exporter_at(i)->contents & command->formats)
			offer_word(c, exporter_at(i)->name);
}

/* Options whose value is a file name or text that cannot be completed here. */
static bool takes_free_text(const char *option)
{
	static const char *const names[] = {"--record", "--resume", "--limit", "--counters", "--timeline", "--cu",
		"--diff", "--output", "-o", "--script", "--folder", "--chunk", "--metric", "--error-exitcode",
		"--suppress", "--check-limit", "--check-json", "--check-junit"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], option))
			return true;
	return false;
}

/* Offers the values of an option; false if it takes none. */
static bool offer_option_values(const struct candidates *c, const char *command, const char *option)
{
	if (!strcmp(option, "--set"))
		offer_setting_words(c);
	else if (!strcmp(option, "--device") || !strcmp(option, "--model"))
		option[2] == 'd' ? offer_devices(c) : offer_models(c);
	else if (!strcmp(option, "--via"))
		offer_hosts(c);
	else if (!strcmp(option, "--workers"))
		offer_word(c, "auto");
	else if (!strcmp(option, "--format"))
		offer_formats(c, command);
	else if (!strcmp(option, "--arch"))
		offer_choices(c, "", "gfx900|gfx906|gfx908|gfx90a|gfx1030|gfx1100");
	else
		return takes_free_text(option);
	return true;
}

/* --- the line --- */
static void offer_first_words(const struct candidates *c, struct catalog *all)
{
	for (int i = 0; command_at(i); i++)
		offer_word(c, command_at(i)->name);
	if (*c->word == '-')
		offer_choices(c, "", "--device|--script|--set|--help|--version");
	else
		offer_experiments(c, all);
}

static void offer_help_topics(const struct candidates *c)
{
	const char *topic, *about;
	for (int i = 0; command_at(i); i++)
		offer_word(c, command_at(i)->name);
	for (int i = 0; (topic = manual_topic_name(i, &about)); i++)
		offer_word(c, topic);
}

static struct experiment *find_named_experiment(struct catalog *all, const char *const *words, int count)
{
	struct experiment *x = NULL;
	for (int i = 1; !x && i < count; i++)
		if (*words[i] != '-' && (strchr(words[i], '/') || catalog_contains(all, words[i])))
			x = catalog_find(all, words[i], NULL);
	return x;
}

static void offer_command_words(const struct candidates *c, const struct command *command, const char *const *words,
	int before, struct catalog *all)
{
	bool many = !strcmp(command->name, "validate");
	if (*c->word == '-') {
		offer_options(c, command->arguments);
		offer_options(c, command->help);
		offer_word(c, "--set");
	} else if (!strcmp(command->name, "help"))
		offer_help_topics(c);
	else if (!strcmp(command->name, "completion"))
		offer_choices(c, "", "bash|zsh");
	else if (strstr(command->arguments, "EXP")) {
		struct experiment *x = many ? NULL : find_named_experiment(all, words, before);
		x ? offer_parameters(c, x) : offer_experiments(c, all);
	}
}

void completion_list_words(const char *const *words, int count, struct buf *out)
{
	struct candidates c = {count ? words[count - 1] : "", out};
	struct catalog all;
	if (!open_word_catalog(&all))
		return;
	const struct command *command = count > 1 ? command_find(words[0], NULL) : NULL;
	if (count < 2)
		offer_first_words(&c, &all);
	else if (!offer_option_values(&c, words[0], words[count - 2]) && command)
		offer_command_words(&c, command, words, count - 1, &all);
	catalog_free(&all);
}
