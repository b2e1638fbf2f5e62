#!/usr/bin/env bash
# Several GPUs in one program under the real ROCm libraries, and memory that processes share. TAP.
# shellcheck disable=SC2034 # for hip_program.bash
model='mi25*2'
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program several_gpus

on() { # models, command...
	local model=$1
	shift
	soft "$@"
}

# --- what is there ---
soft rocminfo && [ "$(grep -c 'Marketing Name: *AMD Radeon Instinct MI25' "$log")" = 2 ] && says 'Node: +2'
result $? "rocminfo lists two GPUs"

soft rocm-smi && [ "$(grep -c '1539Mhz' "$log")" = 2 ]
result $? "rocm-smi lists two GPUs"

soft rocm-smi --showbus --showuniqueid && says 'GPU\[0\].*0000:03:00.0' && says 'GPU\[1\].*0000:06:00.0' &&
	[ "$(grep -o '0x2150e7d4b1c0ff[0-9a-f]*' "$log" | sort -u | wc -l)" = 2 ]
result $? "they have a PCI address and a unique id of their own"

soft sh -c 'ls /dev/dri /sys/class/kfd/kfd/topology/nodes; cat /sys/class/drm/card1/dev /sys/class/drm/renderD129/dev'
printf '%s\n' /dev/dri: card0 card1 renderD128 renderD129 '' /sys/class/kfd/kfd/topology/nodes: 0 1 2 226:1 226:129 |
	cmp -s - <(sed 's/  */\n/g' "$log")
result $? "each has its device files"

soft sh -c 'cat /sys/class/kfd/kfd/topology/nodes/*/p2p_links/*/properties' && [ "$(grep -c '^weight 40$' "$log")" = 2 ] &&
	[ "$(grep -E '^(node|flags)' "$log" | tr '\n' ' ')" = 'node_from 1 node_to 2 flags 15 node_from 2 node_to 1 flags 3 ' ]
result $? "KFD lists the links between them"

soft "$wavedeck" devices && says '^hip:0 +ready +AMD Radeon Instinct MI25' && says '^hip:1 +ready +AMD Radeon Instinct MI25'
result $? "wavedeck devices, in the program's place, lists both"

on mi25+mi60,sclk_khz=1500000 rocminfo && says 'Name: +gfx900' && says 'Name: +gfx906' && says 'Max Clock Freq. .* 1500 *$'
result $? "GPUs of different models, one with a changed constant"

on 'mi25*8' rocminfo && [ "$(grep -c 'Name: *gfx900' "$log")" = 8 ]
result $? "eight GPUs"

# --- wrong texts ---
refuses() { # models, message
	on "$1" true
	[ $? = 2 ] && [ "$(wc -l <"$log")" = 1 ] && says "$2"
	result $? "--model $1 is refused in one line: $2"
}
refuses 'mi25*0' "must be 1 to 8, not '0'"
refuses 'mi25*99' "must be 1 to 8, not '99'"
refuses 'mi25*two' "must be 1 to 8, not 'two'"
refuses 'mi25*4+mi60*5' 'at most 8 GPUs'
refuses 'nosuch*2' "unknown model 'nosuch'; models: mi25"
refuses 'mi25*2,l1_byte=1' "did you mean 'l1_bytes'"
refuses 'mi25+' "unknown model ''"

on 'mi25,l1_bytes=+16384' rocminfo && says 'Name: +gfx900'
result $? "a plus sign after '=' belongs to the value"

"$wavedeck" run stride-copy --device 'soft:mi25*2' >"$log" 2>&1
[ $? = 2 ] && says 'a device is one GPU; several are for wavedeck exec'
result $? "a device of experiments is one GPU"

# --- programs ---
case_passes() { # case, what
	soft "$program" "$1"
	result $? "$2"
}
soft "$program" devices && says '^2 devices$' && says '^0: gfx900' && says '^1: gfx900'
result $? "HIP sees two devices, which can access each other"
case_passes memory "memory of one GPU is not used on the other"
case_passes copies "copies between GPUs, without access"
case_passes copies-with-access "the same with access"
case_passes peer-access "kernels read and write the memory of the other GPU"
soft "$program" peer-fault
[ $? != 0 ] && says 'memory fault: read of 4 bytes' && says 'Memory access fault by GPU node-1' && ! says synchronized
result $? "a kernel without access to the other GPU's memory faults"
case_passes cross-device-wait "a stream waits for an event of the other GPU"
case_passes cooperative "cooperative launches on both GPUs at the same time"
case_passes thread-per-gpu "a thread of the host for each GPU"

# --- time ---
# Kernels and copies of a timeline: a line each, with its name, GPU, start and duration. Not the number of its queue: that
# depends on which thread is first to create one.
device_events() { # timeline
	grep -E '"cat":"(kernel|copy)"' "$1" | sed -E 's/"tid":[0-9]+,//; s/\}\}.*/}}/' | sort
}

options="--timeline $tmp/timeline"
soft "$program" overlap && device_events "$tmp/timeline" >"$tmp/overlap"
# Start times of the long kernels, which are equal, and of the short ones, the second of which the program submits later.
starts() { # name
	grep "$1" "$tmp/overlap" | grep -Eo '"ts":[0-9.]+' | cut -d: -f2
}
[ "$(starts _Z4spin | wc -l)" = 2 ] && [ "$(starts _Z4spin | sort -u | wc -l)" = 1 ] &&
	[ "$(starts _Z3add | sort -u | wc -l)" = 2 ]
result $? "kernels on two GPUs overlap in virtual time, unless the program waits between them" "$tmp/overlap"

status=0
for program_case in times thread-per-gpu; do
	for run in {1..4}; do
		soft "$program" "$program_case" || status=1
		device_events "$tmp/timeline" >"$tmp/$program_case.$run"
		[ -s "$tmp/$program_case.1" ] && cmp -s "$tmp/$program_case.1" "$tmp/$program_case.$run" || status=1
	done
done
result $status "kernels and copies have the same times in every run"
options=

# --- memory of another process ---
for gpus in mi25 'mi25*2'; do
	for ipc_case in ipc-fork ipc-peer ipc-event; do
		on "$gpus" "$program" $ipc_case
		result $? "$ipc_case with $gpus"
	done
done

soft "$program" ipc-owner-frees && [ "$(grep -c softgpu "$log")" = 1 ] &&
	says 'memory handle of process [0-9]+: no such memory; the process that made it must still run'
result $? "opened memory stays when its owner frees it and ends; its handle does not"

handle=$tmp/handle
TMPDIR=$tmp timeout $patience "$wavedeck" exec --model "$model" -- "$program" ipc-export "$handle" >"$tmp/export.log" 2>&1 &
owner=$!
while [ ! -e "$handle" ] && kill -0 $owner 2>"$tmp/null"; do sleep 0.01; done
cp "$handle" "$tmp/old-handle"

on mi25 "$program" ipc-unknown "$handle"
says 'softgpu: memory handle of process [0-9]+: it is of a GPU that this process lacks' && says '^open: hipError'
result $? "a handle of a GPU that a process lacks is refused"

# Words 2 and 3 are the key.
cp "$handle" "$tmp/forged-handle"
printf '\1\2\3\4\5\6\7\10' | dd of="$tmp/forged-handle" bs=1 seek=8 conv=notrunc 2>"$tmp/null"
soft "$program" ipc-unknown "$tmp/forged-handle"
says 'softgpu: memory handle of process [0-9]+: no such memory; the process may have freed it' && says '^open: hipError'
result $? "a forged handle is refused"

soft "$program" ipc-import "$handle"
result $? "a second program opens the memory of the first, reads it and writes it"

wait $owner
result $? "the first one sees what the second has written" "$tmp/export.log"

soft "$program" ipc-unknown "$tmp/old-handle"
[ "$(grep -c softgpu "$log")" = 1 ] && says 'memory handle of process [0-9]+: no such memory' && says '^open: hipError'
result $? "the handle of a process that has ended is refused in one line"

finish
