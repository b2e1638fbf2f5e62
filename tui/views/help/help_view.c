/* The help page: the legend of the view, then all keys, generated from the key tables, those of the view first. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "tui/lab/app.h"
#include "tui/shell/bindings.h"
#include "tui/shell/keymap.h"
#include "tui/shell/legend.h"
#include "tui/shell/shell.h"
#include "tui/shell/text_page.h"

extern const struct view view_help;

#define ACTION ACTION_FUNCTION
#include "tui/views/help/help_keys.def"
#undef ACTION

/* --- groups: an action is listed in the largest group whose places it all works in --- */
struct key_group {
	uint64_t scope;
	const char *title;
};
enum { KEY_GROUPS_MAX = VIEWS_MAX * (VIEW_PLACES_MAX + 1) + 3, KEY_COLUMNS = 19 };

static int make_groups(struct key_group *out)
{
	unsigned pages = 0, other_views = 0;
	int n = 0;
	for (int i = 0; views[i]; i++) {
		const struct view *v = views[i];
		out[n++] = (struct key_group){view_scope(v), v->title};
		for (int p = 0; p < v->place_count; p++)
			out[n++] = (struct key_group){view_place_scope(v, p), v->places[p].title};
		pages |= v->is_page ? view_scope(v) : 0;
		other_views |= i ? view_scope(v) : 0;
	}
	out[n++] = (struct key_group){pages, "Help and messages"};
	out[n++] = (struct key_group){other_views, "All views except the workbench"};
	out[n++] = (struct key_group){scope_everywhere(), "Everywhere"};
	return n;
}

static int find_group(const struct key_group *groups, int count, uint64_t scope)
{
	int best = 0, most = -1;
	for (int g = 0; g < count; g++) {
		int places = __builtin_popcount(groups[g].scope);
		if ((scope & groups[g].scope) == groups[g].scope && places > most) {
			most = places;
			best = g;
		}
	}
	return best;
}

/* --- rows --- */
static void add_help_row(struct text_page *page, int role, const char *keys, const char *text)
{
	text_page_add(page, ROLE_KEY, keys, *keys ? KEY_COLUMNS : 1, role, text);
}

/* The group of each action; owned by the caller. */
static int *find_groups_of_actions(const struct key_group *groups, int count)
{
	int *group_of = xcalloc(action_count(), sizeof *group_of);
	for (size_t i = 0; i < action_count(); i++)
		group_of[i] = find_group(groups, count, action_at(i)->where);
	return group_of;
}

static void add_group(struct text_page *page, const char *title, const int *group_of, int group)
{
	char keys[64];
	bool titled = false;
	for (size_t i = 0; i < action_count(); i++) {
		const struct action *k = action_at(i);
		if (group_of[i] != group)
			continue;
		if (!titled && page->count)
			add_help_row(page, ROLE_TEXT, "", "");
		if (!titled)
			add_help_row(page, ROLE_TITLE, "", title);
		titled = true;
		/* The user's own bindings included; an action without a key is run from the palette. */
		if (!*binding_format_keys(k, k->where, 2, keys, sizeof keys))
			snprintf(keys, sizeof keys, ":%s", k->name);
		add_help_row(page, ROLE_TEXT, keys, k->help);
	}
}

/* The view from which the help page was opened, which may be a page over another view. */
struct help_page {
	const struct view *of;
};

static const struct view *helped_view(const struct app *a)
{
	const struct help_page *p = app_view_state(a, &view_help);
	return p ? p->of : views[0];
}

static void add_legend(const struct app *a, struct text_page *page)
{
	const struct view *v = helped_view(a);
	add_help_row(page, ROLE_TITLE, "", "On the screen now");
	v->legend(a, page);
}

static void add_all_groups(const struct app *a, struct text_page *page)
{
	add_legend(a, page);
	struct key_group groups[KEY_GROUPS_MAX];
	int count = make_groups(groups);
	uint64_t here = view_scope(helped_view(a));
	int *group_of = find_groups_of_actions(groups, count);
	for (int others = 0; others < 2; others++)
		for (int g = 0; g < count; g++)
			if (!(groups[g].scope & ~here) == !others)
				add_group(page, groups[g].title, group_of, g);
	free(group_of);
}

static void draw_help(const struct app *a, struct area at)
{
	struct area in = area_inner(at);
	struct text_page counter = text_page_counter(in, a->page_filter);
	add_all_groups(a, &counter);
	struct text_page page = {
		.in = in, .skip = text_page_limit_scroll(a->scroll, counter.count, in.r.h), .filter = a->page_filter};
	text_page_draw_frame(at, "Help", &page, counter.count);
	add_all_groups(a, &page);
}

/* --- the view --- */
void act_help(struct app *a)
{
	struct help_page *p = app_view_state(a, &view_help);
	if (!p)
		app_set_view_state(a, &view_help, p = xcalloc(1, sizeof *p));
	if (a->view != &view_help)
		p->of = a->view;
	app_show_view(a, &view_help);
}

static void close_help(struct app *a)
{
	free(app_view_state(a, &view_help));
	app_set_view_state(a, &view_help, NULL);
}

static void add_help_legend(const struct app *a, struct text_page *page)
{
	(void)a;
	legend_add(page, ROLE_KEY, "keys", "of the view below this page first, with your own key bindings");
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/help/help_keys.def"
#undef ACTION
};

const struct view view_help = {
	.name = "help",
	.title = "Help",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_page = true,
	.draw = draw_help,
	.close = close_help,
	.legend = add_help_legend,
};
