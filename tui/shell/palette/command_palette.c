#include "tui/shell/palette/command_palette.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"

/* --- search --- */
enum { FITS = 1, AT_START = 160, AT_WORD = 48, IN_A_ROW = 32 };

int palette_match_score(const char *letters, const char *text)
{
	const char *at = text, *last = NULL;
	int score = FITS;
	for (; *letters; letters++) {
		if (*letters == ' ')
			continue;
		while (*at && tolower((unsigned char)*at) != tolower((unsigned char)*letters))
			at++;
		if (!*at)
			return -1;
		if (at == text)
			score += AT_START;
		else if (last && at == last + 1)
			score += IN_A_ROW;
		else if (!isalnum((unsigned char)at[-1]))
			score += AT_WORD;
		last = at++;
	}
	score -= (int)strlen(text); /* of two equal matches the shorter one wins */
	return score > FITS ? score : FITS;
}

static bool contains_words(const char *words, const char *text)
{
	char word[160];
	for (; *words; words += strlen(word) + strspn(words + strlen(word), " ")) {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
		if (!*word || !strcasestr(text, word))
			return !*word;
	}
	return true;
}

static int compare_scores(const void *a, const void *b)
{
	const struct palette_entry *x = *(struct palette_entry *const *)a, *y = *(struct palette_entry *const *)b;
	return x->score != y->score ? y->score - x->score : x < y ? -1 : 1;
}

static void find_matching_entries(struct palette *p)
{
	p->shown_count = p->selected = 0;
	for (int i = 0; i < p->all_count; i++) {
		struct palette_entry *o = &p->all[i];
		/* Scattered letters match names only; they would match any sentence. */
		o->score = palette_match_score(p->text, o->text);
		if (o->score < 0 && contains_words(p->text, o->help))
			o->score = 0;
		if (o->score >= 0)
			p->shown[p->shown_count++] = o;
	}
	if (*p->text)
		qsort(p->shown, (size_t)p->shown_count, sizeof *p->shown, compare_scores);
}

/* --- history, until the program ends --- */
enum { HISTORY = 50 };
static char history[HISTORY][sizeof((struct palette *)0)->text];
static int history_count;

static void remember_command(const char *text)
{
	if (history_count && !strcmp(history[history_count - 1], text))
		return;
	if (history_count == HISTORY)
		memmove(history[0], history[1], sizeof history - sizeof *history), history_count--;
	snprintf(history[history_count++], sizeof *history, "%s", text);
}

static void recall_history(struct palette *p, int by)
{
	int back = p->back + by;
	if (back < 0 || back > history_count)
		return;
	p->back = back;
	snprintf(p->text, sizeof p->text, "%s", back ? history[history_count - back] : "");
	find_matching_entries(p);
}

/* --- open, close, run --- */
void palette_open(struct app *a)
{
	if (a->palette)
		return;
	struct palette *p = a->palette = xcalloc(1, sizeof *p);
	palette_collect_entries(a, p);
	p->shown = xcalloc((size_t)p->all_count + 1, sizeof *p->shown);
	find_matching_entries(p);
}

void palette_close(struct app *a)
{
	struct palette *p = a->palette;
	if (!p)
		return;
	for (int i = 0; i < p->all_count; i++) {
		free(p->all[i].text);
		free(p->all[i].help);
	}
	free(p->all);
	free(p->shown);
	free(p);
	a->palette = NULL;
}

bool palette_run(struct app *a, const char *text, struct err *e)
{
	char name[64];
	text += strspn(text, " ");
	size_t n = strcspn(text, " ");
	snprintf(name, sizeof name, "%.*s", (int)n, text);
	const char *argument = text + n + strspn(text + n, " ");
	const struct action *k = action_by_name_at(name, app_key_scope(a));
	if (k)
		app_focus_scope(a, k->where);
	return app_run_action(a, name, *argument ? argument : NULL, e);
}

static bool wants_more(const char *text)
{
	size_t n = strlen(text);
	return n && (text[n - 1] == '=' || text[n - 1] == ' ');
}

/* Typed in full, with an argument: runs as it is. */
static bool is_whole(const char *text)
{
	char name[64];
	size_t n = strcspn(text, " ");
	snprintf(name, sizeof name, "%.*s", (int)n, text);
	return action_by_name(name) && text[n + strspn(text + n, " ")];
}

static void complete_entry(struct palette *p)
{
	if (p->selected >= p->shown_count)
		return;
	snprintf(p->text, sizeof p->text, "%s", p->shown[p->selected]->text);
	find_matching_entries(p);
}

static void run_entry(struct app *a)
{
	struct palette *p = a->palette;
	char text[sizeof p->text];
	struct err e;
	if (!is_whole(p->text) && p->selected < p->shown_count) {
		if (wants_more(p->shown[p->selected]->text)) {
			complete_entry(p);
			return;
		}
		snprintf(text, sizeof text, "%s", p->shown[p->selected]->text);
	} else
		snprintf(text, sizeof text, "%s", p->text);
	palette_close(a);
	if (!text[strspn(text, " ")])
		return;
	remember_command(text);
	if (!palette_run(a, text, &e))
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

void palette_handle_key(struct app *a, int key)
{
	struct palette *p = a->palette;
	switch (key) {
	case TK_ESC: palette_close(a); return;
	case TK_ENTER: run_entry(a); return;
	case TK_TAB: complete_entry(p); return;
	case TK_UP:
		if (p->selected)
			p->selected--;
		else
			recall_history(p, 1);
		return;
	case TK_DOWN:
		if (p->back)
			recall_history(p, -1);
		else if (p->selected + 1 < p->shown_count)
			p->selected++;
		return;
	default:
		if (!text_edit_key(p->text, sizeof p->text, key))
			return;
		p->back = 0;
		find_matching_entries(p);
	}
}
