#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/shell/bindings.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/theme.h"
#include "base/settings.h"

void palette_offer(struct palette *p, const char *help, const char *fmt, ...)
{
	char text[200];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	p->all = xrealloc(p->all, (size_t)(p->all_count + 1) * sizeof *p->all);
	p->all[p->all_count++] = (struct palette_entry){.text = xstrdup(text), .help = xstrdup(help)};
}

/* The help of such an action begins with its argument: "NAME=VALUE: ...". */
static bool wants_argument(const struct action *k)
{
	return k->key == TK_NONE && k->help[0] >= 'A' && k->help[0] <= 'Z';
}

static void offer_actions(struct palette *p, unsigned here)
{
	char keys[80], help[300];
	for (int pass = 0; pass < 2; pass++) /* actions of the current place first */
		for (size_t i = 0; i < action_count(); i++) {
			const struct action *k = action_at(i);
			if (action_by_name_at(k->name, here) != k || !strcmp(k->name, "palette") ||
				(k->where & here ? 0 : 1) != pass)
				continue;
			binding_format_keys(k, k->where, 2, keys, sizeof keys);
			snprintf(help, sizeof help, "%s%s%s%s", k->help, *keys ? "  (" : "", keys, *keys ? ")" : "");
			palette_offer(p, help, "%s%s", k->name, wants_argument(k) ? " " : "");
		}
}

/* One entry for each choice, or the name alone for a value to type. */
static void offer_all_settings(struct palette *p)
{
	for (int s = 0; setting_get_info(s); s++) {
		const struct setting_info *r = setting_get_info(s);
		if (r->kind != SETTING_CHOICE && r->kind != SETTING_SWITCH) {
			palette_offer(p, r->help, "set %s=", r->name);
			continue;
		}
		for (const char *c = r->values; c && *c; c += strcspn(c, "|"), c += *c == '|')
			palette_offer(p, r->help, "set %s=%.*s", r->name, (int)strcspn(c, "|"), c);
	}
}

static void offer_themes(struct palette *p)
{
	char **names;
	size_t count = theme_list(&names);
	for (size_t i = 0; i < count; i++) {
		char *about = theme_read_about(names[i]);
		palette_offer(p, about, "theme %s", names[i]);
		free(about);
		free(names[i]);
	}
	free(names);
}

static void offer_params_and_presets(const struct app *a, struct palette *p)
{
	const struct lab *b = app_current_lab(a);
	for (int i = 0; b && i < b->x->param_count; i++)
		palette_offer(p, b->x->params[i].help, "param %s=", b->x->params[i].id);
	for (int i = 0; b && plan_preset_name(b->x, i); i++)
		palette_offer(p, "a preset of parameters", "preset %s", plan_preset_name(b->x, i));
}

void palette_collect_entries(const struct app *a, struct palette *p)
{
	offer_actions(p, app_key_scope(a));
	offer_params_and_presets(a, p);
	for (int i = 0; i < a->lab_count; i++)
		palette_offer(p, a->labs[i].x->title, "experiment %s", a->labs[i].x->id);
	offer_all_settings(p);
	offer_themes(p);
	for (int i = 0; views[i]; i++)
		if (views[i]->offer)
			views[i]->offer(a, p);
}
