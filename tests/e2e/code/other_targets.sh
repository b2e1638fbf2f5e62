#!/usr/bin/env bash
# The code of kernels for AMD's targets that this project does not decode: with the llvm-objdump of the toolchain, and with
# doubles of some that do not know the target. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_DATA_HOME=$tmp XDG_CACHE_HOME=$tmp/cache
mkdir -p "$tmp/path" "$tmp/root/opt/rocm/llvm/bin" "$tmp/root/usr/lib/llvm-9/bin"
double() { # path, lines of its script
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}
isa() { # arguments
	PATH=$tmp/path:/usr/bin:/bin "$BUILD/wavedeck" isa "$@" >"$tmp/log" 2>&1
}
shows() { # text, what
	grep -qF -- "$1" "$tmp/log"; result $? "$2"
}
"$BUILD/wavedeck" isa "$PWD/kernels/fma.hip" fma_chain --arch gfx1030 >"$tmp/log" 2>&1
kernel=$(echo "$tmp"/cache/wavedeck/kernels/fma-gfx1030-*.co)
[ -f "$kernel" ]; result $? 'a kernel is compiled for gfx1030'
grep -qE '^  ; fma.hip:[0-9]+  ' "$tmp/log"; result $? 'lines of the source'
"$BUILD/wavedeck" isa "$PWD/kernels/fma.hip" fma_chain --arch gfx9999 >"$tmp/log" 2>&1; status=$?
[ $status -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] &&
	grep -qE '^wavedeck: clang [0-9.]+ does not know the target gfx9999; choose another, or name a newer clang in WAVEDECK_CLANG$' "$tmp/log"
result $? 'a target that clang does not know' "$tmp/log"
export WAVEDECK_SYSROOT=$tmp/root # from here on, no tools but these
known=$(command -v "${LLVM_OBJDUMP:-llvm-objdump}" || command -v llvm-objdump-15 || command -v llvm-objdump)
[ "$known" ]; result $? "an llvm-objdump is here ($known)"
double "$tmp/path/llvm-objdump" "exec '$known' \"\$@\""

isa "$kernel" fma_chain
result $? 'its code is listed'
head -n 1 "$tmp/log" | grep -qE '^fma_chain, gfx1030, .*\(.*llvm-objdump\)$'
result $? 'target and tool are named'
grep -qE '  hot loop       [0-9]+ instructions, [0-9]+ bytes from ' "$tmp/log"; result $? 'the hot loop'
shows 'chain (*)      not known: its code is listed, not decoded' 'what is not known'
grep -qE '^      [0-9a-f]{6}  [0-9A-F]{8} [0-9A-F]{8}  v_fma_f32 v[0-9]+, ' "$tmp/log"; result $? 'address, words and text'
tail -n 1 "$tmp/log" | grep -q '  s_cbranch_'; result $? 'the branch of the loop'
cp "$tmp/log" "$tmp/alone"

# --- tools that do not know it ---
double "$tmp/root/opt/rocm/llvm/bin/llvm-objdump" "echo \"\$@\" >'$tmp/asked'
echo \"'gfx1030' is not a recognized processor for this target (ignoring processor)\" >&2
echo '	s_endpgm // 000000001f00: BF810000'"
isa "$kernel" fma_chain && cmp -s "$tmp/log" "$tmp/alone"
result $? 'the next one is asked'
grep -q -- '-d --mcpu=gfx1030 --start-address=0x' "$tmp/asked"; result $? 'ROCm'\''s is asked first'
double "$tmp/path/llvm-objdump" 'echo "LLVM ERROR: Disassembly not yet supported for subtarget"; kill -ABRT $$'
isa "$kernel" fma_chain
result $? 'without one that knows it, the rest is shown'
shows "hot loop       not available: cannot disassemble gfx1030: $tmp/root/opt/rocm/llvm/bin/llvm-objdump does not know it, nor do the others here; install a newer LLVM" 'why there is no code'
shows 'registers' 'registers'
double "$tmp/root/usr/lib/llvm-9/bin/llvm-objdump" "exec '$known' \"\$@\""
isa "$kernel" fma_chain && cmp -s "$tmp/log" "$tmp/alone"
result $? "Debian's are asked last"
# --- none ---
rm "$tmp"/root/opt/rocm/llvm/bin/* "$tmp"/root/usr/lib/llvm-9/bin/* "$tmp/path/llvm-objdump"
if PATH=/usr/bin:/bin command -v llvm-objdump >/dev/null; then
	mkdir "$tmp/few"
	for tool in /usr/bin/* /bin/*; do
		case $tool in */llvm-objdump) ;; *) ln -sf "$tool" "$tmp/few/" ;; esac
	done
	PATH=$tmp/few "$BUILD/wavedeck" isa "$kernel" fma_chain >"$tmp/log" 2>&1
else
	isa "$kernel" fma_chain
fi
shows "cannot disassemble gfx1030: install llvm-objdump, of Debian's package llvm" 'without any, what to install'
finish
