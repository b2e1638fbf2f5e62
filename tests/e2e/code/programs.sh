#!/usr/bin/env bash
# `wavedeck isa FILE [KERNEL]`: the kernels of a HIP program, a library, an object file, a bundle and a code object that
# this machine's hipcc builds. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=/proc/none
has() { # what pattern arguments...
	local what=$1 pattern=$2
	shift 2
	timeout $patience "$wavedeck" isa "$@" >"$tmp/log" 2>&1 && grep -qE -- "$pattern" "$tmp/log"
	result $? "$what"
}
refuses() { # what pattern arguments...: status 2 and one line
	local what=$1 pattern=$2
	shift 2
	timeout $patience "$wavedeck" isa "$@" >/dev/null 2>"$tmp/log"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qE -- "$pattern" "$tmp/log"
	result $? "$what"
}

cat >"$tmp/app.hip" <<'HIP'
#include <hip/hip_runtime.h>
template <typename T> __global__ void copy(T *to, const T *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = from[i];
}
__global__ void add(int *a, int n)
{
	__shared__ int part[64];
	part[threadIdx.x] = a[threadIdx.x];
	__syncthreads();
	for (int i = 0; i < n; i++)
		a[threadIdx.x] += part[(threadIdx.x + i) & 63];
}
void start(int *a)
{
	copy<int><<<1, 64>>>(a, a, 4);
	copy<float><<<1, 64>>>((float *)a, (float *)a, 4);
	add<<<1, 64>>>(a, 4);
}
HIP
long=long_$(printf 'x%.0s' {1..200})
# A program that leaves a file when it runs, and the kernels of two files.
cat >"$tmp/main.hip" <<HIP
#include <hip/hip_runtime.h>
#include <cstdio>
void start(int *);
__global__ void fill(char *a) { a[threadIdx.x] = 1; }
__global__ void $long() {}
static FILE *mark = fopen("$tmp/was-run", "w");
int main() { fill<<<1, 1>>>(nullptr); $long<<<1, 1>>>(); start(nullptr); return !mark; }
HIP
build() { # OUTPUT, arguments of hipcc
	local output=$1
	shift
	kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" -g -O3 -Wno-unused-result -Wno-unused-value "$@" -o "$tmp/$output" >"$tmp/log" 2>&1 ||
		result 1 "$output compiles"
}
build app --offload-arch=gfx906:xnack- --offload-arch=gfx900 "$tmp/main.hip" "$tmp/app.hip"
build libapp.so --offload-arch=gfx908 -shared -fPIC "$tmp/app.hip"
build app.o --offload-arch=gfx900 -c "$tmp/app.hip"
build app.co --offload-arch=gfx900 --offload-arch=gfx1030 --genco "$tmp/app.hip"

row='^gfx900 +[0-9]+ +16 +256 +0 +[0-9]+  add\(int\*, int\)$'
has 'a program: its kernels with their registers, LDS and code' "$row" "$tmp/app"
equal 'a row for each kernel and target of both files' 10 "$(grep -cE '^gfx90[06]' "$tmp/log")"
grep -qE '^target +VGPRs SGPRs   LDS/B scratch/B   code/B  kernel$' "$tmp/log" &&
	grep -qE '^gfx906:xnack- .*  void copy<float>\(float\*, float const\*, int\)$' "$tmp/log"
result $? 'names as in the source, below a heading'
[ ! -e "$tmp/was-run" ]
result $? 'the program does not run'
has 'a name of any length' "^gfx900 .*  $long\(\)$" "$tmp/app"
has 'a library' '^gfx908 .*add\(int' "$tmp/libapp.so"
has 'an object file' "$row" "$tmp/app.o"
has 'a bundle of --genco' "$row" "$tmp/app.co"
grep -qE '^gfx1030 ' "$tmp/log"
result $? 'with the code for a target that is not simulated'
has 'a code object' '^gfx900 .*  channel_store$' "$BUILD/kernels/gfx900/store.co"
has '--arch chooses rows' '^gfx906:xnack- ' "$tmp/app" --arch gfx906
! grep -q gfx900 "$tmp/log"
result $? 'and leaves the others out'

# --- compressed bundles ---
if command -v zstd >/dev/null; then
	head=$(stat -c %s "$tmp/app.co")
	le() { printf '%08x' "$1" | sed -E 's/(..)(..)(..)(..)/\\x\4\\x\3\\x\2\\x\1/'; }
	zstd -q -c "$tmp/app.co" >"$tmp/body"
	{ printf 'CCOB\2\0\1\0'; printf '%b' "$(le $(($(stat -c %s "$tmp/body") + 24)))$(le "$head")"; printf 'hash----'; cat "$tmp/body"; } >"$tmp/packed.co"
	"$wavedeck" isa "$tmp/app.co" >"$tmp/plain" 2>&1
	"$wavedeck" isa "$tmp/packed.co" >"$tmp/log" 2>&1 && cmp -s "$tmp/plain" "$tmp/log"
	result $? 'a compressed bundle shows the same'
else
	skip 'a compressed bundle shows the same' 'zstd is not installed'
fi

# --- one kernel ---
has 'a kernel by its name, for the target of the default device' '^add\(int\*, int\), gfx900, ' "$tmp/app" add
grep -qE '^  ; app\.hip:14  a\[threadIdx\.x\] \+= part' "$tmp/log" && grep -q 'ds_read_b32' "$tmp/log"
result $? 'with its source lines'
has 'a kernel whose first instructions are those of a header' '^  ; app\.hip:6  to\[i\] = from\[i\];' "$tmp/app" 'copy<int>' --all
has 'for another target' '^add\(int\*, int\), gfx906, .*/app \(gfx906:xnack-\)$' "$tmp/app" add --arch gfx906
has 'for the target of a device' '^add\(int\*, int\), gfx906, ' "$tmp/app" add --device soft:mi60
has 'for the only target' '^add\(int\*, int\), gfx908, ' "$tmp/libapp.so" add
has 'with advice' 'advice, from the code alone' "$tmp/app" add --advice
has 'a kernel of a source' '^add\(int\*, int\), gfx900, .*app\.hip' "$tmp/app.hip" add
! grep -q copy "$tmp/log"
result $? 'and no other one'
refuses 'a name of several kernels lists them' \
	"app has several kernels 'copy': void copy<int>\(int\*, int const\*, int\), void copy<float>.*; give more of the name" "$tmp/app" copy
refuses 'an unknown kernel lists those that there are' "app has no kernel 'sub'; it has fill\(char\*\), long_x+\(\), add\(int\*, int\)" "$tmp/app" sub
refuses 'a target without code' \
	'app has no code for gfx908; it has code for gfx900, gfx906:xnack-: use --arch gfx900, or compile with --offload-arch=gfx908$' \
	"$tmp/app" add --arch gfx908
refuses 'a third argument' "unexpected argument 'more'" "$tmp/app" add more
refuses 'a profile of a program' '--profile needs an experiment' "$tmp/app" --profile

# --- files at hand, and others ---
tool=$(realpath "$wavedeck")
mkdir "$tmp/at-hand" && cp "$tmp/app" "$tmp/at-hand/fma-loop" && cp "$tmp/app" "$tmp/at-hand/chase_range" && echo text >"$tmp/at-hand/cacheline-stride"
(cd "$tmp/at-hand" && "$tool" isa fma-loop && "$tool" isa chase_range) >"$tmp/log" 2>&1 && [ "$(grep -c '  fill(char\*)$' "$tmp/log")" = 4 ]
result $? 'a program of the current folder counts before an experiment and a kernel of that name'
(cd "$tmp/at-hand" && "$tool" isa cacheline-stride) >"$tmp/log" 2>&1 && grep -q '^chase_stride, gfx900' "$tmp/log"
result $? 'a file without GPU code does not'
refuses 'a program without GPU code' 'no section \.hip_fatbin' "$tool"
refuses 'a text' 'neither ELF nor a bundle' "$tmp/at-hand/cacheline-stride"
size=$(stat -c %s "$tmp/app")
bad=
for part in 1 3 10 40 90 99; do
	head -c $((size * part / 100)) "$tmp/app" >"$tmp/cut"
	timeout $patience "$wavedeck" isa "$tmp/cut" >/dev/null 2>"$tmp/log"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] || bad="$bad $part"
done
check 'a program that is cut ends with one line' "$bad"
finish
