#!/usr/bin/env bash
# References of the user's own: a simpler kernel, functions of the experiment file, a C file. A reduction without a
# barrier and one with a wrong index are wrong with each of them. Native code does not run without a yes. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export HOME=$tmp XDG_DATA_HOME=$tmp/data
cd "$tmp" || exit 1

# The later waves sleep before they store, so that wave 0 reads what is not there yet.
cat >sum.hip <<'END'
#include <hip/hip_runtime.h>
template <bool barrier, int first> __device__ void add(const int *in, int *out)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = 0;
	__syncthreads();
	for (int k = 0; k < t / 64 * 4; k++)
		__builtin_amdgcn_s_sleep(127);
	s[t] = in[blockIdx.x * 256 + t];
	if (barrier)
		__syncthreads();
	for (int half = 128; half >= first; half /= 2) {
		if (t < half)
			s[t] += s[t + half];
		if (barrier)
			__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = s[0];
}
extern "C" __global__ void sum(const int *in, int *out) { add<true, 1>(in, out); }
extern "C" __global__ void no_barrier(const int *in, int *out) { add<false, 1>(in, out); }
extern "C" __global__ void wrong_index(const int *in, int *out) { add<true, 2>(in, out); }
END
cat >plain.hip <<'END'
#include <hip/hip_runtime.h>
extern "C" __global__ void plain(const int *in, int *out)
{
	out[blockIdx.x] = 0;
	for (int i = 0; i < 256; i++)
		out[blockIdx.x] += in[blockIdx.x * 256 + i];
}
END
cat >plain.c <<'END'
void plain(const int *in, int *out)
{
	for (unsigned b = 0; b < gridDim.x; b++) {
		out[b] = 0;
		for (unsigned t = 0; t < blockDim.x; t++)
			out[b] += in[b * blockDim.x + t];
	}
}
END
definition() { # NAME REFERENCE
	cat >"$1.lua" <<END
return {
  title = "Sums of blocks",
  kernel = { file = "sum.hip", entry = function(p) return p.form end },
  params = {
    { "blocks", min = 1, max = 4096, step = "x2", default = 4, sweep = { 2, 4 } },
    { "form", choices = { "sum", "no_barrier", "wrong_index" }, default = "sum" } },
  buffers = {
    input = { type = "int", count = function(p) return 256 * p.blocks end, fill = "index" },
    out = { type = "int", count = function(p) return p.blocks end } },
  args = { "const int *input", "int *out" },
  launch = { grid = function(p) return p.blocks end, block = 256 },
  metrics = { { "rate", unit = "GB/s", function(m, p) return 1024 * p.blocks / m.seconds / 1e9 end } },
  reference = $2,
}
END
}
# NAME ARGUMENT...: `run` without a terminal
measure() {
	local name=$1
	shift
	"$wavedeck" run "./$name.lua" --device soft:mi25 --format csv "$@" >"$tmp/csv" 2>"$tmp/log" </dev/null
}
# NAME STATUS TEXT [ARGUMENT...]: one line on standard error, which has the text
says() {
	local name=$1 status=$2 text=$3
	shift 3
	measure "$name" "$@"
	equal "$name $*: the exit status" "$status" $?
	sed -i '/a point has been running for/d; /no clock readings yet/d' "$tmp/log" # on a busy machine
	grep -qF -- "$text" "$tmp/log" && [ "$(wc -l <"$tmp/log")" -eq 1 ]
	result $? "$name $*: $text"
}

definition kernel '{ kernel = "plain", file = "plain.hip", block = 1 }'
definition expect '{ expect = { out = function(i, inputs)
    local sum = 0
    for k = 256 * i, 256 * i + 255 do sum = sum + inputs.input[k] end
    return sum
  end } }'
definition native '{ c = "plain.c", entry = "plain" }'

# --- native code needs a yes ---
cat >marker.c <<END
#include <stdio.h>
__attribute__((constructor)) static void mark(void) { fclose(fopen("$tmp/ran", "w")); }
void plain(const int *in, int *out) { (void)in; (void)out; }
END
definition marker '{ c = "marker.c", entry = "plain" }'
says marker 2 'marker.lua runs native code of marker.c; --trust allows it, --no-verify measures without it'
! [ -e ran ]; result $? 'it does not run without a yes'
measure marker --no-verify; result $? 'without verification it is not needed'
! [ -e ran ]; result $? 'and does not run'
terminal() { # ANSWER: `run` on a terminal
	printf '%s\n' "$1" | script -qec "'$wavedeck' run ./marker.lua blocks=2 --device soft:mi25" /dev/null >"$tmp/screen" 2>&1
}
if command -v script >/dev/null; then
	terminal n
	grep -qF 'marker.lua runs native code of marker.c (3 lines), outside of the sandbox and with your rights [y/N]' "$tmp/screen" &&
		grep -qF 'which you have not allowed' "$tmp/screen" && ! [ -e ran ]
	result $? 'a terminal is asked, and the answer is no' "$tmp/screen"
	terminal y
	grep -qF '[y/N]' "$tmp/screen" && [ -e ran ]
	result $? 'a yes runs it' "$tmp/screen"
	rm -f ran
	terminal n
	! grep -qF '[y/N]' "$tmp/screen" && [ -e ran ]
	result $? 'it is asked once' "$tmp/screen"
	rm -f ran
else
	skip 'the question on a terminal' 'script is not installed'
fi
says marker 1 'wrong result: out[0] is 32640, expected 0' --trust blocks=4
[ -e ran ]; result $? 'with --trust it runs'
rm ran
echo '/* changed */' >>marker.c
says marker 2 'marker.lua runs native code of marker.c; --trust allows it'
! [ -e ran ]; result $? 'another content needs another yes'
says native 2 'native.lua runs native code of plain.c; --trust allows it'

# --- the workbench asks, --each, batch and fleet do not ---
screen() { # NAME: the script on standard input
	"$wavedeck" --device soft:mi25 --script - "./$1.lua" >"$tmp/log" 2>&1
}
cat >asked.c <<'END'
void plain(const int *in, int *out)
{
	for (unsigned b = 0; b < gridDim.x; b++)
		for (unsigned t = out[b] = 0; t < blockDim.x; t++)
			out[b] += in[b * blockDim.x + t];
}
END
definition asked '{ c = "asked.c", entry = "plain" }'
"$wavedeck" run ./asked.lua --each --device soft:mi25 --device soft:mi210 --folder "$tmp/each" >"$tmp/log" 2>&1 </dev/null
equal '--each: the exit status' 2 $?
grep -qF 'asked.lua runs native code of asked.c; --trust allows it' "$tmp/log"
result $? '--each is refused without --trust' "$tmp/log"
screen asked <<'END'
size 120x36
wait idle
expect runs native code of asked.c, outside of the sandbox: y yes, n no
key n
wait idle
expect not verified: native code of asked.c may not run
expect not verified
END
result $? 'the screen asks; after a no, nothing is verified' "$tmp/log"
screen asked <<'END'
size 120x36
wait idle
expect runs native code of asked.c
key y
wait idle
expect 2/2 points verified
END
result $? 'after a yes, the points are verified' "$tmp/log"
screen asked <<'END'
size 120x36
wait idle
expect 2/2 points verified
END
result $? 'the screen asks once' "$tmp/log"

# --- an edited kernel is compared with the original's reference ---
cat >editor <<'END'
#!/bin/sh
sed -i "$CHANGE" "$1"
END
chmod +x editor
export EDITOR=$tmp/editor
unset VISUAL
definition same_file '{ kernel = "sum" }'
export CHANGE='s/s\[t\] = in\[\(.*\)\];/s[t] = in[\1] + 1;/'
sed 's/blockDim.x; t++/blockDim.x; ++t/' asked.c >other.c
definition unasked '{ c = "other.c", entry = "plain" }'
"$wavedeck" edit ./unasked.lua --device soft:mi25 >"$tmp/log" 2>&1 </dev/null
equal 'edit without --trust: the exit status' 2 $?
grep -qF 'unasked.lua runs native code of other.c; --trust allows it' "$tmp/log"
result $? 'edit is refused without --trust' "$tmp/log"
for name in kernel native unasked same_file; do
	"$wavedeck" edit "./$name.lua" --device soft:mi25 --trust >"$tmp/log" 2>&1
	equal "$name: an edited kernel is wrong" 1 $?
	grep -qF 'wrong result' "$tmp/log"
	result $? "$name: the original's reference finds it" "$tmp/log"
done

# --- right and wrong results ---
for name in kernel expect native; do
	measure "$name" --trust
	result $? "$name: the right results pass"
	equal "$name: the points are verified" 'ok ok' "$(csv_column status "$tmp/csv")"
	says "$name" 1 'wrong result: out[0] is ' form=no_barrier
	equal "$name: a missing barrier: the points are wrong" 'wrong result wrong result' "$(csv_column status "$tmp/csv")"
	says "$name" 1 'wrong result: out[0] is 16256, expected 32640; out[1] is 49024, expected 98176; 2 of 2 differ' form=wrong_index
done
measure native --via "env HERE=1 $wavedeck" --via local
result $? 'a C file travels to another machine'
measure kernel --via "env HERE=1 $wavedeck" --via local
result $? 'the kernel of a reference travels, too'

# --- some of many elements ---
definition many '{ expect = { out = function(i, inputs) return 65536 * i + 32640 end } }'
"$wavedeck" run ./many.lua blocks=4096 --device soft:mi25 --format json >"$tmp/json" 2>"$tmp/log"
grep -qF '"verify_text":"1024 of 4096 elements of out were compared"' "$tmp/json"
result $? 'the result says how many of how many were compared' "$tmp/json"
sed -i 's/return 65536 \* i + 32640/return i == 4095 and 1 or 65536 * i + 32640/' many.lua
says many 1 'wrong result: out[4095] is 268402560, expected 1; 1 of 1024 differs; 1024 of 4096 elements of out were compared' blocks=4096
sed -i 's/i == 4095/i == 0/' many.lua
says many 1 'wrong result: out[0] is 32640, expected 1; 1 of 1024 differs' blocks=4096
definition slow '{ expect = { out = function(i, inputs) for k = 1, 20000 do end return 65536 * i + 32640 end } }'
"$wavedeck" run ./slow.lua blocks=4096 --device soft:mi25 --format json >"$tmp/json" 2>"$tmp/log"
grep -qE '"verify":"ok","verify_text":"[1-9][0-9] of 4096 elements of out were compared"' "$tmp/json"
result $? 'a slow function is called for fewer elements' "$tmp/json"

# --- floating point ---
cat >third.hip <<'END'
#include <hip/hip_runtime.h>
extern "C" __global__ void third(const float2 *in, float2 *out)
{
	out[threadIdx.x] = make_float2(in[threadIdx.x].x / 3, in[threadIdx.x].y + 1);
}
END
cat >third.lua <<'END'
return {
  title = "Thirds", kernel = { file = "third.hip", entry = "third" },
  params = { { "n", min = 1, max = 64, default = 64, sweep = { 1, 64 } } },
  buffers = { input = { type = "float2", count = 64, fill = "index" }, out = { type = "float2", count = 64, tolerance = { ulp = 1 } } },
  args = { "const float2 *input", "float2 *out" },
  launch = { grid = 1, block = 64 },
  metrics = { { "time", unit = "s", function(m) return m.seconds end } },
  reference = { expect = { out = function(i, inputs) return { inputs.input[i][1] / 3, inputs.input[i][2] + 1 } end } },
}
END
measure third n=64; result $? 'vectors, with a tolerance'
sed 's/\[1\] \/ 3/[1] \/ 2/' third.lua >half.lua
says half 1 'wrong result: out[1].x is 0.666666' n=64
sed 's/tolerance = { ulp = 1 }/tolerance = { relative = 0.5 }/' half.lua >loose.lua
measure loose n=64; result $? 'a relative tolerance'

# --- mistakes ---
mistake() { # NAME STATUS TEXT REFERENCE
	definition "$1" "$4"
	says "$1" "$2" "$3" --trust
}
mistake misspelled 2 "./misspelled.lua:13: plain.hip has no kernel 'plian'; did you mean 'plain'?" '{ kernel = "plian", file = "plain.hip", block = 1 }'
mistake no_file 2 "reference: kernel file 'none.hip' not found in the definition's folder" '{ kernel = "plain", file = "none.hip" }'
mistake no_block 2 'reference.block: invalid size 2000 in x' '{ kernel = "plain", file = "plain.hip", block = 2000 }'
mistake no_kind 2 'reference: expected one of kernel, expect and c' '{ file = "plain.hip" }'
mistake two_kinds 2 'reference: expected one of kernel, expect and c' '{ kernel = "plain", c = "plain.c" }'
mistake no_field 2 "reference.kernal: unknown field; did you mean 'kernel'?" '{ kernal = "plain" }'
mistake no_buffer 2 "reference.expect.uot: unknown buffer 'uot'; did you mean 'out'?" '{ expect = { uot = function() return 1 end } }'
mistake no_name 2 "unknown C reference 'own'; for a reference of your own write { kernel = \"own\" }" '"own"'
mistake computed 2 'a function returns the name of a C reference or { kernel = "plain" }' 'function() return { c = "plain.c" } end'
mistake none 2 'reference.expect.out: nil for element 0; return a number for each element' '{ expect = { out = function() end } }'
mistake nan 2 'reference.expect.out: NaN for element 0; return a finite number' '{ expect = { out = function() return 0 / 0 end } }'
mistake part 2 '0.5 for element 0 is not a whole number, but int needs one; divide with //' '{ expect = { out = function() return 0.5 end } }'
mistake lua 2 "lua.lua:13: unknown buffer 'inptu'; did you mean 'input'?" '{ expect = { out = function(i, inputs) return inputs.inptu[0] end } }'
mistake past 2 'inputs.input[1024]: the buffer has elements 0 to 1023' '{ expect = { out = function(i, inputs) return inputs.input[1024 + i] end } }'
mistake endless 2 'runs too long; check for an endless or very long loop' '{ expect = { out = function() while true do end end } }'
mistake no_c 2 "reference.c: cannot read 'none.c' in the definition's folder" '{ c = "none.c" }'
mistake other_folder 2 "reference.c: invalid file '../plain.c'" '{ c = "../plain.c" }'
echo 'void plain(const int *in, float *out) { }' >types.c
mistake types 2 "types.lua:10:8: error: incompatible function pointer types initializing 'void (*)(const int *, int *)'" '{ c = "types.c", entry = "plain" }'
echo 'void plain(const int *in, int *out) { out[0] = x; }' >syntax.c
mistake syntax 2 "syntax.c:1:48: error: use of undeclared identifier 'x'; fix syntax.c" '{ c = "syntax.c", entry = "plain" }'
echo 'void plain(const int *in, int *out) { *(volatile int *)8 = 1; }' >crash.c
definition crash '{ c = "crash.c", entry = "plain" }'
measure crash --trust blocks=2
equal 'a C function that crashes: the exit status' 1 $?
grep -qF 'worker killed by SIGSEGV while running point 1: calling plain of crash.c' "$tmp/log"
result $? 'a C function that crashes is named'

finish
