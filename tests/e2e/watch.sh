#!/usr/bin/env bash
# Watch mode: a saved kernel or Lua file is measured again; a mistake in it changes nothing. On the software GPU. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config

mkdir "$tmp/own"
cd "$tmp/own" || exit 1
cat >add.hip <<'EOS'
#include <hip/hip_runtime.h>
extern "C" __global__ void add(float *out, int n)
{
	float v = 0;
	for (int i = 0; i < n; i++)
		v += (float)i;
	out[threadIdx.x] = v;
}
EOS
cat >add.lua <<'EOS'
return {
  title = "Additions",
  params = { { "n", min = 1, max = 64, step = "x2", default = 8, unit = "trips", sweep = true } },
  kernel = { file = "add.hip", entry = "add" },
  buffers = { out = { type = "float", count = 64 } },
  launch = { grid = 1, block = 64 },
  args = { "float *out", "int n" },
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
EOS

# Runs a script. When it waits for a save, sed's EDIT of FILE replaces it.
saved() { # what, file, edit, script lines after the save
	rm -f "$tmp/ready"
	sed "$3" "$2" >"$tmp/new"
	{
		printf 'size 120x36\nwait sweep\nexpect 7/7 points\naction watch\nexpect watching add.lua and add.hip\n'
		printf 'dump %s\nwait saved %s\n%b' "$tmp/ready" "$patience" "$4"
	} >"$tmp/script"
	"$wavedeck" ./add.lua --device soft:mi25 --script "$tmp/script" >"$tmp/log" 2>&1 </dev/null &
	local screen=$!
	until [ -s "$tmp/ready" ] || ! kill -0 $screen 2>/dev/null; do sleep 0.1; done
	cp "$tmp/new" "$2"
	wait $screen
	result $? "$1"
}
again="wait sweep $patience\naction redraw\nexpect 7/7 points\nexpect watching its files\n"
saved 'a saved kernel is measured again' add.hip 's/(float)i;/(float)(i * i);/' \
	"expect add.hip was saved; measuring again\n$again"
grep -q 'i \* i' add.hip
result $? 'the kernel is the saved one' add.hip
saved 'a mistake in the kernel is shown' add.hip 's/(float)(i/(bug)(i/' \
	"wait sweep $patience\nexpect 7 failed\nexpect undeclared identifier\n"
sed -i 's/(bug)(i/(float)(i/' add.hip
saved 'a saved Lua file is read again' add.lua 's/Additions/Sums of squares/' "${again}expect Sums of squares\n"
saved 'another range is swept' add.lua 's/max = 64/max = 16/' "wait sweep $patience\nexpect 5/5 points\n"
sed -i 's/max = 16/max = 64/' add.lua
mkdir sub
echo '#include "sum.cuh"' >sub/first.h
echo '#define SQUARE(i) ((i) * (i))' >sub/sum.cuh
sed -i 's/^extern/#include "sub\/first.h"\n&/; s/(i \* i)/SQUARE(i)/' add.hip
saved 'a file that is included from a folder below' sub/sum.cuh 's/(i) \* (i)/(i) + (i)/' \
	"expect sum.cuh was saved; measuring again\n$again"
cat >sums.c <<'EOS'
void add(float *out, int n) { for (unsigned t = 0; t < blockDim.x; t++) out[t] = (float)(n * (n - 1)); }
EOS
sed -i 's/^  metrics/  reference = { c = "sums.c", entry = "add" },\n&/' add.lua
"$wavedeck" run ./add.lua n=2 --trust --device soft:mi25 >"$tmp/log" 2>&1
result $? 'the C reference is right' "$tmp/log"
saved 'the C file of the reference; the screen asks again' sums.c 's/(n \* (n - 1))/(n \* (n - 1) + 1)/' \
	"wait idle\nexpect runs native code of sums.c\nkey y\nwait sweep $patience\nexpect wrong result\n"
sed -i '/reference = /d' add.lua
saved 'a mistake in the Lua file changes nothing' add.lua 's/title =/tilte =/' \
	"expect did you mean 'title'\nexpect 7/7 points\n"
finish
