#!/usr/bin/env bash
# A new view is one folder and one line: adds one to a copy of the tree, builds it, and opens it by script. TAP.
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD build=${BUILD:-$tree/build}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
n=0 status=0
check() { # description, exit status, output
	n=$((n + 1))
	if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; printf '%s\n' "$3" | tail -20 | sed 's/^/# /'; status=1; fi
}

# The copy reuses what is built: make compiles the new file and views.c only.
for f in Makefile LICENSE README.md wavedeck.c base cli experiments gpu kernels plot sessions share softgpu tui; do cp -a "$tree/$f" "$copy/" || exit 1; done
mkdir "$copy/build"
for f in wavedeck libwavedeck.a libsoftgpu.so obj kernels; do cp -a "$build/$f" "$copy/build/" || exit 1; done

mkdir "$copy/tui/views/greeting"
cat >"$copy/tui/views/greeting/greeting_keys.def" <<'DEF'
ACTION(greeting,       "greeting",       EVERYWHERE, 'Z', TK_NONE, "",      "the greeting view of this test")
ACTION(greeting_again, "greeting-again", ALL_PLACES, 'n', TK_NONE, "again", "count one more greeting")
DEF
cat >"$copy/tui/views/greeting/greeting_view.c" <<'C'
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

void act_greeting(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	app_show_view(a, &view_greeting);
}

void act_greeting_again(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
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
echo 'VIEW(greeting)' >>"$copy/tui/views/views.def"

out=$(make -C "$copy" CC="${CC:-gcc}" BUILD=build MODE="${MODE:-release}" build/wavedeck 2>&1)
check 'one folder and one line build' $? "$out"
compiled=$(printf '%s\n' "$out" | grep -c ' CC ')
[ "$compiled" -le 2 ]
check 'make compiles at most 2 files' $? "$out"

cd "$copy" || exit 1
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$copy XDG_CONFIG_HOME=$copy
play() { printf 'size 120x300\nglyphs ascii\n%b' "$1" | build/wavedeck --script - 2>&1 </dev/stdin; }
out=$(play 'key Z\nexpect Greeting\nexpect hello, 0 times\nkey n\naction greeting-again\nexpect hello, 2 times\n')
check 'the view opens by its key, draws, and has keys of its own' $? "$out"
out=$(play 'action greeting\nexpect n again\nkey Esc\nexpect Experiments\n')
check 'the key line shows its hint; Esc returns to the workbench' $? "$out"
out=$(play 'action help\ndump\n')
printf '%s\n' "$out" | grep -qE '^\| Z +the greeting view of this test' && printf '%s\n' "$out" | grep -qE '^\| n +count one more greeting'
check 'the help page lists its keys' $? "$out"
out=$(build/wavedeck help keys 2>&1)
printf '%s\n' "$out" | grep -qE '^  greeting \(Z\)' && printf '%s\n' "$out" | grep -qE '^  greeting-again \(n\)'
check 'the manual lists its keys' $? "$out"
out=$(play 'key :\ntype greeting\ndump\n')
printf '%s\n' "$out" | grep -q 'greeting-again'
check 'the command palette offers its actions' $? "$out"
echo "1..$n"
exit $status
