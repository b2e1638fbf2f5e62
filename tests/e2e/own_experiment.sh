#!/usr/bin/env bash
# An experiment of the user's own with a mistake: arguments that do not fit the kernel, accesses outside of a buffer.
# Each is one line that names the place, no point is plotted, and the worker stays. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck readme=$PWD/README.md
export HOME=$tmp
cd "$tmp" || exit 1

# The example of the README.
awk '/^```cpp/ { out = "copy.hip"; next } /^```lua/ { out = "copy.lua"; next } /^```/ { out = ""; next } out { print > out }' "$readme"
grep -q 'to\[i\] = from\[i\]' copy.hip && grep -q '"int stride"' copy.lua
result $? 'the README has the example' "$readme"
line=$(grep -n 'args ' copy.lua | cut -d: -f1) store=$(grep -n 'to\[i\] = ' copy.hip | cut -d: -f1)

# NAME SED-EXPRESSION...: a copy of the definition with a mistake
variant() {
	sed -e "$2" copy.lua >"$1.lua"
	! cmp -s copy.lua "$1.lua"
	result $? "the mistake is made: $1"
}
# NAME STATUS TEXT...: every measured point fails with this text; `run` has no row with a rate
fails() {
	"$wavedeck" run "./$1.lua" --device "${device:-soft:mi25}" --format json >"$tmp/json" 2>"$tmp/log"
	equal "$1: the exit status" "$2" $?
	grep -qF -- "$3" "$tmp/log"
	result $? "$1: $3"
	! grep -q '"status": *"ok"' "$tmp/json"
	result $? "$1: no point is measured" "$tmp/json"
}

"$wavedeck" run ./copy.lua --device soft:mi25 >"$tmp/log" 2>&1; result $? 'the example runs'

# --- arguments ---
takes='kernel copy takes (const int *, int *, int), but args declares'
variant wide 's/"int stride"/"double stride"/'
fails wide 2 "./wide.lua:$line: $takes (const int *from, int *to, double stride): argument 3 'stride' has 4 bytes in the kernel and 8 in args; fix the type"
variant real 's/"int stride"/"float stride"/'
fails real 2 "./real.lua:$line: $takes (const int *from, int *to, float stride): argument 3 'stride' is int in the kernel and float in args; fix the type"
variant points 's/"const int \*from"/"const float *from"/'
fails points 2 "argument 1 'from' points to int in the kernel and float in args; fix the type"
variant few 's/, "int stride"//'
fails few 2 "./few.lua:$line: $takes (const int *from, int *to): 2 arguments instead of 3"
variant more 's/"int stride"/"int stride", "int most"/; s/^  launch .*/&\n  values = function(p) return { most = 1 } end,/'
fails more 2 "$takes (const int *from, int *to, int stride, int most): 4 arguments instead of 3"
variant swapped 's/"int \*to", "int stride"/"int stride", "int *to"/'
fails swapped 2 "argument 2 'stride' is a pointer in the kernel and a value in args; fix the type"
variant sign 's/"int stride"/"unsigned stride"/'
"$wavedeck" run ./sign.lua --device soft:mi25 >"$tmp/log" 2>&1; result $? 'a different sign is accepted'
variant bytes 's/"const int \*from"/"const char *from"/'
"$wavedeck" run ./bytes.lua --device soft:mi25 >"$tmp/log" 2>&1; result $? 'a pointer to bytes fits any pointer'
sed 's/"int stride"/"long stride"/' copy.lua | awk '/"long stride"/ { gsub(/, "/, ",\n\""); } { print }' >lines.lua
fails lines 2 "./lines.lua:$((line + 2)): "

# --- the kernel's name ---
name_line=$(grep -n 'entry = ' copy.lua | cut -d: -f1)
variant cpoy 's/entry = "copy"/entry = "cpoy"/'
fails cpoy 2 "./cpoy.lua:$name_line: copy.hip has no kernel 'cpoy'; did you mean 'copy'?"
"$wavedeck" isa ./cpoy.lua >"$tmp/out" 2>"$tmp/log"
equal 'isa fails for a kernel that is not there' 2 $?
grep -qxF "wavedeck: copy.hip has no kernel 'cpoy'; did you mean 'copy'?" "$tmp/log"; result $? 'and says why' "$tmp/log"
variant mangled 's/copy.hip/mangled.hip/'
sed 's/extern "C" //' copy.hip >mangled.hip
fails mangled 2 "./mangled.lua:$name_line: mangled.hip has copy under a C++ name; write extern \"C\" before its __global__"
variant template 's/copy.hip/template.hip/'
{
	sed 's/extern "C" /template <class T> /; s/const int \*/const T */' copy.hip
	echo 'template __global__ void copy<int>(const int *, int *, int);'
} >template.hip
fails template 2 "template.hip has copy only as a template; call it from a kernel"

# --- buffers ---
at="copy.hip:$store"
variant small 's/to   = { type = "int", count = .* end }/to   = { type = "int", count = 16 }/'
fails small 1 "$at writes 4 bytes at to[16]; buffer to has 16 elements (workgroup 0, work-item 16)"
grep -q '^wavedeck: 6 of 6 points failed: copy.hip:.* (1 point); the rows show the reasons of the other 3$' "$tmp/log"
result $? 'one line for all points'
device=soft:mi25,timing=0 fails small 1 "$at writes 4 bytes at to[16]; buffer to has 16 elements (workgroup 0, work-item 16)"
variant short 's/from = { type = "int", count = .* end, fill/from = { type = "int", count = 20, fill/'
fails short 1 "$at reads 4 bytes at from[20]; buffer from has 20 elements (workgroup 0, work-item 20)"
variant page 's/from = { type = "int", count = .* end, fill/from = { type = "int", count = 1024, fill/; s/to   = { type = "int", count = .* end }/to   = { type = "int", count = 1024 }/'
fails page 1 "$at reads 4 bytes at from[1024]; buffer from has 1024 elements (workgroup 4, work-item 0)"
variant last 's/16384 \* p.stride end/16384 * p.stride - p.stride + 1 end/g'
"$wavedeck" run ./last.lua --device soft:mi25 >"$tmp/log" 2>&1; result $? 'the last element is inside'
variant one 's/16384 \* p.stride end/16384 * p.stride - p.stride end/g'
fails one 1 'reads 4 bytes at from[16383]; buffer from has 16383 elements (workgroup 63, work-item 255)'
variant some 's/count = function(p) return 16384 \* p.stride end/count = 65536/g; s/return i % p.stride == 0/return i < 16384 * p.stride and i % p.stride == 0/'
"$wavedeck" run ./some.lua --device soft:mi25 --format csv >"$tmp/csv" 2>"$tmp/log"
equal 'the exit status if some points fail' 1 $?
equal 'points whose accesses are inside are measured' 3 "$(csv_column rate "$tmp/csv" | wc -w)"

cat >edge.hip <<'EOF'
extern "C" __global__ void edge(int *counts, const float *table, int dx, int dy)
{
	int x = threadIdx.x - dx, y = threadIdx.y + blockIdx.y * 8;
	if (MODE == 0 && blockIdx.x == 1 && y == 9)
		counts[y * 8 + x] = 1;
	if (MODE == 1)
		atomicAdd(&counts[y * 8 + (int)threadIdx.x + dy], 1);
	if (MODE == 2)
		counts[x & 7] = (int)table[dy];
	if (MODE == 3)
		*(short *)((char *)counts + dy) = 1;
}
EOF
sed -i '1i #include <hip/hip_runtime.h>' edge.hip
edge() { # NAME MODE COUNT DX DY
	cat >"$1.lua" <<EOF
return {
  title = "Edges", kernel = { file = "edge.hip", entry = "edge", defines = "-DMODE=$2" },
  params = { { "n", min = 1, max = 2, default = 1, sweep = true } },
  buffers = { counts = { type = "int", count = $3 }, table = { type = "float", count = 5, fill = "index" } },
  args = { "int *counts", "const float *table", "int dx", "int dy" },
  values = function(p) return { dx = $4, dy = $5 } end,
  launch = { grid = { 2, 2 }, block = { 8, 8 } },
  metrics = { { "time", unit = "s", function(m) return m.seconds end } },
}
EOF
}
edge flat 0 75 0 0
fails flat 1 'edge.hip:6 writes 4 bytes at counts[75]; buffer counts has 75 elements (workgroup (1, 1), work-item (3, 1))'
edge negative 1 128 0 -1
fails negative 1 'edge.hip:8 updates 4 bytes at counts[-1]; buffer counts has 128 elements (workgroup (0, 0), work-item (0, 0))'
edge uniform 2 8 0 5
fails uniform 1 'edge.hip:10 reads 4 bytes at table[5]; buffer table has 5 elements'
edge odd 3 1 0 2
"$wavedeck" run ./odd.lua --device soft:mi25 >"$tmp/log" 2>&1; result $? 'the last bytes of an element are inside'
edge odder 3 1 0 3
fails odder 1 'edge.hip:12 writes 2 bytes at counts[0] + 3 bytes; buffer counts has 1 element (workgroup (0, 0), work-item (0, 0))'

# --- the workbench ---
servers=0
t() { tmux -L "wavedeck$$-$servers" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
screen() { t capture-pane -p; }
details() { screen; }
# Waits until the screen of the workbench with this definition shows the text.
shows() { # TEXT
	local end=$((SECONDS + patience))
	while ! screen | grep -qF -- "$1"; do
		[ $SECONDS -le $end ] || return 1
		sleep 0.02
	done
}
unset NO_COLOR TMUX
export XDG_DATA_HOME=$tmp/data SHELL=/bin/sh
skip_tour "$XDG_DATA_HOME"
opened() { # NAME TEXT WHAT
	t kill-server 2>/dev/null
	servers=$((servers + 1)) # the previous one may still be ending
	t new-session -d -x 200 -y 40 "exec $wavedeck ./$1.lua --device soft:mi25"
	shows "$2"; result $? "the workbench shows $3"
}
opened small 'copy.hip:6 writes 4 bytes at to[16]; buffer to has 16 elements' 'the access outside of a buffer'
shows ' 1  failed'; result $? 'and the value of the parameter'
worker=$(pgrep -P "$(t display -p '#{pane_pid}')" | head -n 1)
shows '6 failed'; result $? 'every point fails'
[ -n "$worker" ] && kill -0 "$worker"; result $? 'the worker stays'
opened wide 'kernel copy takes (const int *, int *, int)' 'both signatures'

# --- a mistake in the Lua file: the workbench waits for the file to be saved, and then watches it ---
variant comma 's/"Strided copy",/"Strided copy"/'
opened comma 'a comma may be missing before it' 'a mistake in the Lua file'
sed 's/title /tittle /' copy.lua >comma.lua
shows "did you mean 'title'?"; result $? 'and the next one after a save'
cp copy.lua comma.lua
shows '6/6 points'; result $? 'and the curve when the mistakes are gone'
sed 's/"Strided copy"/"Copy at a stride"/' copy.lua >comma.lua
shows 'Copy at a stride'; result $? 'and what is saved after that'
sed 's/"Strided copy",/"Strided copy"/' copy.lua >comma.lua
t kill-server 2>/dev/null
servers=$((servers + 1))
t new-session -d -x 200 -y 40 "$wavedeck ./comma.lua --device soft:mi25; echo status \$?; exec sleep $patience"
shows 'Waiting for a save'; result $? 'the workbench waits'
t send-keys q
shows 'status 2'; result $? 'q ends it with the status of a wrong request'
shows "wavedeck: ./comma.lua:4: '}' expected"; result $? 'and the mistake is on the terminal'
finish
