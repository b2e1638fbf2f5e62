#!/usr/bin/env bash
# A new view is one folder and one line: adds one to a copy of the tree, builds it, and opens it by script. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
copy_tree
wavedeck=$tree/build/wavedeck

mkdir "$tree/tui/views/greeting"
cat >"$tree/tui/views/greeting/greeting_keys.def" <<'DEF'
ACTION(PLAIN, greeting,       "greeting",       EVERYWHERE, 'Z', TK_NONE, "",      "the greeting view of this test")
ACTION(PLAIN, greeting_again, "greeting-again", ALL_PLACES, 'n', TK_NONE, "again", "count one more greeting")
DEF
cat >"$tree/tui/views/greeting/greeting_view.c" <<'C'
/* A view that greets and counts. */
#include <stdlib.h>

#include "base/buf.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/grid.h"

extern const struct view view_greeting;

#define ACTION ACTION_FUNCTION
#include "tui/views/greeting/greeting_keys.def"
#undef ACTION

static void open_greeting(struct app *a)
{
	if (!app_view_state(a, &view_greeting))
		app_set_view_state(a, &view_greeting, xcalloc(1, sizeof(int)));
}

static void close_greeting(struct app *a)
{
	free(app_view_state(a, &view_greeting));
}

static void draw_greeting(const struct app *a, struct area at)
{
	area_draw_frame(at, true, "Greeting", "");
	area_printf(area_inner(at), 1, 0, ROLE_TEXT, "hello, %d times", *(int *)app_view_state(a, &view_greeting));
}

void act_greeting(struct app *a)
{
	app_show_view(a, &view_greeting);
}

void act_greeting_again(struct app *a)
{
	++*(int *)app_view_state(a, &view_greeting);
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/greeting/greeting_keys.def"
#undef ACTION
};

const struct view view_greeting = {
	.name = "greeting",
	.title = "Greeting",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.open = open_greeting,
	.close = close_greeting,
	.draw = draw_greeting,
};
C
echo 'VIEW(greeting)' >>"$tree/tui/views/views.def"
build_copy 2 build/wavedeck
result $? 'one folder and one line build, and nothing else is compiled but the list of views'

cd "$tree" || exit 1
play() { # lines of a script
	printf 'size 120x1000\nglyphs ascii\n%b' "$1" | "$wavedeck" --script - >"$tmp/log" 2>&1
}
play 'key Z\nexpect Greeting\nexpect hello, 0 times\nkey n\naction greeting-again\nexpect hello, 2 times\n'
result $? 'the view opens by its key, draws, and has keys of its own'
play 'action greeting\nexpect n again\nkey Esc\nexpect Experiments\n'
result $? 'the key line shows its hint; Esc returns to the workbench'
play 'action help\ndump\n' && grep -qE '^\| Z +the greeting view of this test' "$tmp/log" &&
	grep -qE '^\| n +count one more greeting' "$tmp/log"
result $? 'the help page lists its keys'
"$wavedeck" help keys >"$tmp/log" 2>&1
grep -qE '^  greeting \(Z\)' "$tmp/log" && grep -qE '^  greeting-again \(n\)' "$tmp/log"
result $? 'the manual lists its keys'
play 'key :\ntype greeting\ndump\n' && grep -q 'greeting-again' "$tmp/log"
result $? 'the command palette offers its actions'
finish
