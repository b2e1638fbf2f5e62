#!/usr/bin/env bash
# `exec` looks at the targets of each program that starts: which model it takes, and which programs it refuses. TAP.
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"

# Assembly code of a bundle with 16 bytes of code for each target.
bundle() { # targets
	local at=4096 id
	printf '.section .hip_fatbin,"a",@progbits\n.p2align 12\n.ascii "__CLANG_OFFLOAD_BUNDLE__"\n.quad %d\n' $(($# + 1))
	id=host-x86_64-unknown-linux--
	printf '.quad %d, 0, %d\n.ascii "%s"\n' $at ${#id} $id
	for target in "$@"; do
		id=hipv4-amdgcn-amd-amdhsa--$target
		printf '.quad %d, 16, %d\n.ascii "%s"\n' $at ${#id} "$id"
		at=$((at + 16))
	done
	printf '.p2align 12\n.zero %d\n' $((16 * $#))
}
compressed() { printf '.section .hip_fatbin,"a",@progbits\n.p2align 12\n.ascii "CCOB"\n.short 2, 1\n.zero 100\n'; }
# A program that prints the target of its GPU and goes on as another program, with bundles from standard input; further arguments are the compiler's.
cat >"$tmp/main.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char line[128];
	FILE *f = fopen("/sys/class/kfd/kfd/topology/nodes/1/properties", "r");
	puts("main");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "gfx_target_version", 18))
			fputs(line, stdout);
	fflush(stdout);
	return argc > 1 ? execv(argv[1], argv + 1) : 0;
}
C
compile_bundled() { # NAME, arguments of the compiler; bundles from standard input
	local name=$1
	shift
	cat >"$tmp/code.s" && ${CC:-gcc} -o "$tmp/$name" "$@" "$tmp/code.s" >"$log" 2>&1 || result 1 "$name compiles"
}
program() { compile_bundled "$1" "$tmp/main.c"; }

# Without a model, unless $model is set.
model=
run() { timeout -k 5 $patience "$wavedeck" exec ${model:+--model "$model"} -- "$@" >"$log" 2>&1 </dev/null; }
gets() { # NAME, version of the target
	run "$tmp/$1" && says '^main$' && says "^gfx_target_version $2$" && ! says '^softgpu:'
}
refused() { # NAME, the line
	run "$tmp/$1"
	[ $? = 2 ] && ! says '^main$' && grep -qxF "softgpu: $2" "$log"
}

# --- no model is given ---
while read -r target version; do
	bundle "$target" | program "for-$target"
	gets "for-$target" "$version"
	result $? "a program for $target gets the first model that runs it"
done <<-TARGETS
	gfx900 90000
	gfx900:xnack- 90000
	gfx906 90006
	gfx908 90008
	gfx908:sramecc+:xnack- 90008
TARGETS
bundle gfx1100 | program for-gfx1100
run "$tmp/for-gfx1100" && says '^main$' && says '^gfx_target_version 110000$'
result $? "a program for gfx1100 gets the first model that runs it"
bundle gfx803 gfx908 gfx906 | program several
gets several 90006
result $? "of several targets, the first model counts"
{ bundle gfx900 gfx906; bundle gfx906; } | program two-files
gets two-files 90006
result $? "of several files, the first model that runs all"
{ bundle gfx906; bundle gfx900; bundle gfx906; } | program unequal-files
run "$tmp/unequal-files" && says '^gfx_target_version 90000$' &&
	says '^softgpu: 2 of 3 files in unequal-files have no code for gfx900; compile all with --offload-arch=gfx900$'
result $? "files without a target in common are reported"
program none </dev/null
gets none 90000
result $? "a program without GPU code gets the default model"

for target in gfx803 gfx940 gfx900:xnack+ gfx908:sramecc- gfx9-generic; do
	bundle $target | program "for-$target"
	refused "for-$target" "for-$target has code for $target; compile with --offload-arch=gfx900"
	result $? "a program for $target is not started"
done
compressed | program for-compressed
refused for-compressed 'for-compressed has compressed code, which HIP 5 does not read; compile with --no-offload-compress'
result $? "a program with compressed code is not started"
# The file name is all that is looked at.
compile_bundled libamdhip64.so.6 -shared -Wl,-soname,libamdhip64.so.6 </dev/null
compressed | compile_bundled newer-hip "$tmp/main.c" -Wl,--no-as-needed "$tmp/libamdhip64.so.6" "-Wl,-rpath,$tmp"
gets newer-hip 90000
result $? "with HIP 6 or newer, it is"
bundle gfx900 | program damaged && truncate -s 5000 "$tmp/damaged"
run "$tmp/damaged"
[ $? -gt 2 ] || says 'cannot run|cannot execute'
result $? "a damaged program fails as without exec"

# --- a model is given ---
model=mi25
refused for-gfx906 'for-gfx906 has code for gfx906, and mi25 is gfx900; compile with --offload-arch=gfx900, or use --model mi60'
result $? "a program for another model is not started, and the line names that model"
model=mi25
refused for-gfx803 'for-gfx803 has code for gfx803, and mi25 is gfx900; compile with --offload-arch=gfx900'
result $? "a program for no model is not started"
model=mi100,timing=0
gets several 90008
result $? "a program for several targets gets the model of the user, not the first one"
model=mi60+mi25
run "$tmp/for-gfx906" && says '^gfx_target_version 90006$' && [ "$(grep -c '^softgpu:' "$log")" = 1 ] &&
	says '^softgpu: for-gfx906 has no code for mi25 \(gfx900\), one of the GPUs; compile with --offload-arch=gfx900, too$'
result $? "a program that only one of two GPUs can run is started, with a line"
model=

# --- other programs start it ---
printf '#!/bin/sh\ncd %s || exit\n./for-gfx906\n./for-gfx803\necho "status $?"\n./for-gfx908\n' "$tmp" >"$tmp/script"
chmod +x "$tmp/script"
run "$tmp/script" && says '^gfx_target_version 90006$' && says '^gfx_target_version 90008$' && says '^status 2$' &&
	says '^softgpu: for-gfx803 has code for gfx803; compile with --offload-arch=gfx900$'
result $? "a script: each of its programs gets its own model, or is refused"

run "$tmp/for-gfx906" "$tmp/none" && [ "$(grep -c '^gfx_target_version 90006$' "$log")" = 2 ]
result $? "a program without code that such a program starts gets the same model"
run "$tmp/for-gfx906" "$tmp/for-gfx908" && says '^gfx_target_version 90006$' && says '^gfx_target_version 90008$'
result $? "one with code gets its own"

# --- libraries ---
bundle gfx906 | compile_bundled libcode.so -shared
bundle gfx803 | compile_bundled libold.so -shared
compile_bundled linked "$tmp/main.c" -Wl,--no-as-needed "$tmp/libcode.so" "-Wl,-rpath,$tmp" </dev/null
gets linked 90006
result $? "a program whose code is in a library gets the model for that"
bundle gfx908 | compile_bundled linked-own "$tmp/main.c" -Wl,--no-as-needed "$tmp/libcode.so" "-Wl,-rpath,$tmp"
gets linked-own 90008
result $? "the program's own code counts first"
compile_bundled linked-old "$tmp/main.c" -Wl,--no-as-needed "$tmp/libold.so" "-Wl,-rpath,$tmp" </dev/null
run "$tmp/linked-old" && says '^main$' && says '^softgpu: libold.so has code for gfx803; compile with --offload-arch=gfx900$'
result $? "a library that no model runs is reported, and the program goes on"
run env LD_PRELOAD= "$tmp/for-gfx803" && says '^main$'
result $? "a program that is started without libsoftgpu.so is not looked at"

# --- the real thing ---
cat >"$tmp/add.cpp" <<'CPP'
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void add_one(int *a) { *a += 1; }
int main()
{
	int *a, h = 41;
	hipDeviceProp_t p = {};
	hipGetDeviceProperties(&p, 0);
	hipMalloc((void **)&a, sizeof h);
	hipMemcpy(a, &h, sizeof h, hipMemcpyHostToDevice);
	add_one<<<1, 1>>>(a);
	hipMemcpy(&h, a, sizeof h, hipMemcpyDeviceToHost);
	printf("%d on %s\n", h, p.gcnArchName);
}
CPP
kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" --offload-arch=gfx908 -Wno-unused-result -o "$tmp/add" "$tmp/add.cpp" >"$log" 2>&1 &&
	run "$tmp/add" && says '^42 on gfx908'
result $? "hipcc's program for gfx908 runs on the MI100"
model=mi25
refused add 'add has code for gfx908, and mi25 is gfx900; compile with --offload-arch=gfx900, or use --model mi100'
result $? "and is refused on the MI25"
finish
