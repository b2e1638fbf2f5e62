#!/usr/bin/env bash
# A theme, an experiment and a lesson are added to a copy of the tree with a file each (the lesson with a line in the
# course, too), without a compiler, and the program knows them. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
here=$PWD
tree=$tmp/tree
mkdir -p "$tree/build" "$tree/experiments" "$tree/sessions"
cp -a "$BUILD/wavedeck" "$BUILD/libsoftgpu.so" "$BUILD/kernels" "$tree/build/"
cp -a share kernels "$tree/" && cp -a experiments/catalog "$tree/experiments/" && cp -a sessions/published "$tree/sessions/"
wavedeck=$tree/build/wavedeck
export HOME=$tmp XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=$tmp/cache
cd "$tmp" || exit 1

# --- a theme: one file ---
sed 's/^about .*/about = a theme for the test/' "$tree/share/themes/dark.theme" >"$tree/share/themes/test-theme.theme"
"$wavedeck" help themes >"$tmp/log" 2>&1
grep -q 'test-theme  *a theme for the test' "$tmp/log"; result $? 'a theme: the help lists it'
"$wavedeck" completion words wavedeck --set theme= >"$tmp/log" 2>&1
grep -qx 'theme=test-theme' "$tmp/log"; result $? 'a theme: the completion offers it'
printf 'theme test-theme\ndump\n' | "$wavedeck" --script - >"$tmp/log" 2>&1; result $? 'a theme: the screen takes it'

# --- an experiment: one file ---
cat >"$tree/experiments/catalog/memory/test-experiment.lua" <<'LUA'
return {
  title    = "A test experiment",
  question = "Does one file suffice?",
  kernel   = { file = "copy.hip", entry = "copy" },
  params   = { { "stride", unit = "", min = 1, max = 8, step = "x2", default = 1, sweep = true } },
  buffers  = { from = { type = "int", count = function(p) return 4096 * p.stride end, fill = "index" },
               to   = { type = "int", count = function(p) return 4096 * p.stride end } },
  args     = { "const int *from", "int *to", "int stride" },
  values   = function(p) return { stride = p.stride } end,
  launch   = { grid = 16, block = 256 },
  metrics  = { { "time", unit = "us", axis = "left", function(m, p, v) return m.seconds * 1e6 end } },
}
LUA
awk -v RS='```' '/^cpp\n/ { sub(/^cpp\n/, ""); printf "%s", $0 > "copy.hip" }' "$here/README.md"
cp copy.hip "$tree/experiments/catalog/memory/"
"$wavedeck" list >"$tmp/log" 2>&1
grep -q 'test-experiment' "$tmp/log"; result $? 'an experiment: list shows it'
"$wavedeck" run test-experiment stride=1,2 --format csv >"$tmp/log" 2>&1
[ "$(grep -c '^[12],' "$tmp/log")" = 2 ]; result $? 'an experiment: run measures it'
printf 'experiment test-experiment\ndump\n' | "$wavedeck" --script - >"$tmp/log" 2>&1
grep -q 'A test experiment' "$tmp/log"; result $? 'an experiment: the screen shows it'

# --- a lesson: one file, and one line in the course ---
sed 's/^# .*/# A test lesson/' "$tree/share/lessons/lds.md" >"$tree/share/lessons/test-lesson.md"
last=$(grep -nE '^[0-9]+\. \[' "$tree/share/lessons/README.md" | tail -n 1 | cut -d: -f1)
sed -i "${last}a 99. [A test lesson](test-lesson.md)" "$tree/share/lessons/README.md"
"$wavedeck" lesson >"$tmp/log" 2>&1
grep -q 'A test lesson' "$tmp/log"; result $? 'a lesson: the course lists it'
"$wavedeck" lesson test-lesson >"$tmp/log" 2>&1
grep -q 'A test lesson' "$tmp/log"; result $? 'a lesson: its text is printed'
finish
