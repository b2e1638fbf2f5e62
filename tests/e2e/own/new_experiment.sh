#!/usr/bin/env bash
# `new` writes an experiment file that runs at once, from what the compiler knows about a kernel: names and types of its
# parameters, dimensions, comments. It replaces no file. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export HOME=$tmp XDG_DATA_HOME=$tmp/data
cd "$tmp" || exit 1
has() { # WHAT TEXT FILE
	grep -qF -- "$2" "$3"
	result $? "$1: $2" "$3"
}

# --- one kernel ---
cat >vadd.hip <<'END'
#include <hip/hip_runtime.h>

/* Adds two vectors
 * of n elements. */
__global__ void vadd(const float *__restrict__ in, const int *b, float *c, size_t n, float scale)
{
	size_t i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = in[i] + scale * b[i];
}
END
"$wavedeck" new vadd.hip >out 2>log
equal 'what it prints' 'wrote ./vadd.lua; run it: wavedeck run ./vadd.lua' "$(cat out)"
has 'a comment of the source' '-- of n elements.' vadd.lua
has 'types and names' 'args = { "const float *in", "const int *b", "float *c", "unsigned long n", "float scale" }' vadd.lua
has 'a word of Lua as a name' '["in"] = { type = "float", count = function(p) return p.n end, fill = "random" }' vadd.lua
has 'a size is a parameter' '{ "n", min = 1, max = 2^24, step = "x2", default = 16384, sweep = { 4096, 65536 } }, -- guess' vadd.lua
has 'other values are guesses' 'values = function(p) return { scale = 1 } end, -- guesses' vadd.lua
has 'a reference to fill in' '-- reference = { expect = { c = function(i, inputs, p) return 0 end } },' vadd.lua
"$wavedeck" run ./vadd.lua --device soft:mi25 >log 2>&1 </dev/null
result $? 'it runs at once' log
sed -i 's/-- reference = .*/reference = { expect = { c = function(i, inputs) return inputs["in"][i] + inputs.b[i] end } }, tolerance = { ulp = 1 },/' vadd.lua
"$wavedeck" run ./vadd.lua --device soft:mi25 --format csv >csv 2>log </dev/null
equal 'with the reference its points are verified' 'ok ok ok ok ok' "$(csv_column status csv)"
cp vadd.lua before
"$wavedeck" new vadd.hip >out 2>log
equal 'a file that exists: the status' 2 $?
has 'a file that exists' './vadd.lua exists, and is not replaced; name another file: -o FILE.lua' log
cmp -s before vadd.lua
result $? 'it is as it was'

# --- several kernels ---
cat >more.hip <<'END'
#include <hip/hip_runtime.h>
struct pair { int a, b; };
enum kind { FIRST, SECOND };
extern "C" __global__ void plain(int *out) { out[threadIdx.x] = 1; }
namespace image {
template <typename T> __global__ void turn(const T *from, T *to, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < width && y < height)
		to[x * height + y] = from[y * width + x];
}
}
__global__ void pairs(pair *list, kind k) { list[threadIdx.x].a = k; }
__global__ void by_value(int *out, pair p) { out[0] = p.a; }
__global__ void pointers(float **rows) { rows[0][0] = 1; }
__global__ void __launch_bounds__(64) small(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() { image::turn<double><<<1, 1>>>(nullptr, nullptr, 1, 1); }
END
"$wavedeck" new more.hip 2>log
has 'several kernels are listed' 'more.hip has several kernels; name one: ' log
"$wavedeck" new more.hip plane 2>log
has 'an unknown kernel' "more.hip has no kernel 'plane'; it has " log
for kernel in plain turn pairs small; do
	"$wavedeck" new more.hip $kernel >out 2>log && "$wavedeck" run ./$kernel.lua --device soft:mi25 >log 2>&1 </dev/null
	result $? "$kernel runs at once" log
done
has 'a kernel with two dimensions' 'grid = function(p) return { (p.width + 15) // 16, (p.height + 15) // 16 } end, block = { 16, 16 }' turn.lua
has 'the type of a template' 'from = { type = "double", count = function(p) return p.width * p.height end' turn.lua
has 'a structure is bytes' 'list = { type = "char", count = function(p) return 16 * p.size end, fill = 0 }, -- guess: bytes of pair *' pairs.lua
has 'the bounds of a launch' 'block = 64' small.lua
"$wavedeck" new more.hip by_value 2>log
has 'a structure by value' "parameter 2 of by_value, 'pair p', is passed by value" log
"$wavedeck" new more.hip pointers 2>log
has 'pointers to pointers' "parameter 1 of pointers, 'float **rows', points to pointers" log
[ ! -e by_value.lua ] && [ ! -e pointers.lua ]
result $? 'nothing is written then'
"$wavedeck" new nothing.hip 2>log
has 'no source' 'cannot read nothing.hip: No such file or directory' log
"$wavedeck" ./vadd.hip >out 2>log </dev/null
equal 'a source without a command: the status' 2 $?
has 'a source without a command' './vadd.hip has the source of a kernel; write an experiment file for it: wavedeck new ./vadd.hip' log

finish
