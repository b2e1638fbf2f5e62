/* The glossary page: all terms by section; the requested one first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/course/glossary.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/shell/legend.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/shell.h"
#include "tui/shell/text_page.h"

extern const struct view view_glossary;

#define ACTION ACTION_FUNCTION
#include "tui/views/glossary/glossary_keys.def"
#undef ACTION

enum { TERM_COLUMNS = 28, TERM_COLUMNS_NARROW = 20, WIDE = 100, CHOSEN_MAX = 64 };

struct glossary_page {
	int chosen[CHOSEN_MAX]; /* indexes of entries: the requested terms */
	int count;
};

static const struct glossary_page *glossary_page_of(const struct app *a)
{
	static const struct glossary_page none;
	const struct glossary_page *g = app_view_state(a, &view_glossary);
	return g ? g : &none;
}

/* --- drawing --- */
/* "AMD: wavefront; NVIDIA: warp", where they use words of their own. */
static void append_other_names(const struct glossary_entry *e, struct buf *out)
{
	const struct {
		const char *maker, *name;
	} names[] = {{"AMD", e->amd}, {"NVIDIA", e->nvidia}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (*names[i].name && strcmp(names[i].name, e->terms) != 0)
			buf_printf(out, " %s: %s.", names[i].maker, names[i].name);
}

static void add_entry(struct text_page *page, const struct glossary_entry *e, int role)
{
	struct buf text = {0};
	int column = page->in.r.w >= WIDE ? TERM_COLUMNS : TERM_COLUMNS_NARROW;
	buf_printf(&text, "%s.", e->meaning);
	append_other_names(e, &text);
	if (text_width(e->terms) + 2 > column) { /* a long term has a row of its own */
		text_page_add(page, ROLE_KEY, "", 1, ROLE_KEY, e->terms);
		text_page_add(page, ROLE_KEY, "", column, role, text.data);
	} else
		text_page_add(page, ROLE_KEY, e->terms, column, role, text.data);
	buf_free(&text);
}

static void add_glossary_rows(const struct app *a, struct text_page *page)
{
	const struct glossary_page *g = glossary_page_of(a);
	const struct glossary_entry *e;
	const char *section = "";
	for (int i = 0; i < g->count; i++)
		add_entry(page, glossary_at(g->chosen[i]), ROLE_TITLE);
	for (int i = 0; (e = glossary_at(i)); i++) {
		if (strcmp(section, e->section) != 0) {
			if (page->count)
				text_page_add(page, ROLE_TEXT, "", 1, ROLE_TEXT, "");
			text_page_add(page, ROLE_TITLE, "", 1, ROLE_TITLE, e->section);
		}
		section = e->section;
		add_entry(page, e, ROLE_TEXT);
	}
}

static void draw_glossary(const struct app *a, struct area at)
{
	struct area in = area_inner(at);
	struct text_page counter = text_page_counter(in, a->page_filter);
	add_glossary_rows(a, &counter);
	struct text_page page = {
		.in = in, .skip = text_page_limit_scroll(a->scroll, counter.count, in.r.h), .filter = a->page_filter};
	text_page_draw_frame(at, "Glossary", &page, counter.count);
	add_glossary_rows(a, &page);
	if (!counter.count)
		area_draw_text(in, 1, 0, ROLE_DIM, "no term or meaning contains this text");
}

static void add_glossary_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_KEY, "wave, block", "a term; several of one row mean the same");
	legend_add(page, ROLE_TEXT, "AMD: NVIDIA:", "their names for it, where they differ");
	if (glossary_page_of(a)->count)
		legend_add(
			page, ROLE_TITLE, "first rows", "the terms that were asked for, or those of the lesson's page");
}

/* --- the view --- */
static void choose_term(struct app *a, struct glossary_page *g, const char *term)
{
	const char *near = glossary_nearest_term(term);
	int found = glossary_find(term);
	if (found >= 0 && g->count < CHOSEN_MAX)
		g->chosen[g->count++] = found;
	if (found < 0)
		app_show_message(a, ROLE_WARN, "the glossary has no '%s'%s%s%s", term, near ? "; did you mean '" : "",
			near ? near : "", near ? "'?" : "; / finds a text");
}

/* The terms are separated by commas. */
static void choose_terms(struct app *a, const char *terms)
{
	struct glossary_page *g = app_view_state(a, &view_glossary);
	g->count = 0;
	a->scroll = 0;
	while (terms && *terms) {
		size_t n = strcspn(terms, ",");
		char *term = xasprintf("%.*s", (int)n, terms);
		choose_term(a, g, term);
		free(term);
		terms += n;
		terms += strspn(terms, ", ");
	}
}

void act_glossary(struct app *a, const char *argument)
{
	if (!app_view_state(a, &view_glossary))
		app_set_view_state(a, &view_glossary, xcalloc(1, sizeof(struct glossary_page)));
	if (a->view != &view_glossary || !argument)
		app_show_view(a, &view_glossary);
	choose_terms(a, argument);
}

static void close_glossary(struct app *a)
{
	free(app_view_state(a, &view_glossary));
	app_set_view_state(a, &view_glossary, NULL);
}

/* One entry for each row: its first term. */
static void offer_terms(const struct app *a, struct palette *offers)
{
	(void)a;
	const struct glossary_entry *e;
	for (int i = 0; (e = glossary_at(i)); i++)
		palette_offer(offers, e->meaning, "glossary %.*s", (int)strcspn(e->terms, ",("), e->terms);
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/glossary/glossary_keys.def"
#undef ACTION
};

const struct view view_glossary = {
	.name = "glossary",
	.title = "Glossary",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_page = true,
	.draw = draw_glossary,
	.close = close_glossary,
	.offer = offer_terms,
	.legend = add_glossary_legend,
};
