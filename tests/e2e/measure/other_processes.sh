#!/usr/bin/env bash
# Other processes on a GPU of AMD, from a folder like the kernel driver's, with rocm-smi and amd-smi: what is marked. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_DATA_HOME=$tmp/data
smi=$("$BUILD/wavedeck" doctor | sed -n 's/^ok .*SMI library .*, //p')

# Machines with one library, and no HIP, which a software GPU does not need.
machine() { # name, library
	mkdir -p "$tmp/$1/usr/lib/x86_64-linux-gnu" && ln -s "$2" "$tmp/$1/usr/lib/x86_64-linux-gnu/"
}
machine installed "$smi"
${CC:-cc} -shared -fPIC -o "$tmp/libamd_smi.so.27" tests/e2e/amd_smi.c 2>"$tmp/log" && machine amd-smi "$tmp/libamd_smi.so.27"
result $? 'a library with the interface of amd-smi compiles'
gpu=$("$BUILD/wavedeck" exec -- cat /sys/class/kfd/kfd/topology/nodes/1/gpu_id)
add_queue() { # machine, process, GPU
	mkdir -p "$tmp/$1/sys/class/kfd/kfd/proc/$2/queues/0" && echo "$3" >"$tmp/$1/sys/class/kfd/kfd/proc/$2/queues/0/gpuid"
}
measure() { # device, arguments of run
	timeout $patience "$BUILD/wavedeck" run fma-waves threads=256 --device "$@" --record "$tmp/new.wbs" >"$tmp/log" 2>&1 &&
		mv "$tmp/new.wbs" "$tmp/last.wbs"
}
others() { # of the point, whether it is marked, whether there are readings
	python3 - "$tmp/last.wbs" <<'END' 2>&1
import json, sys
for p in map(json.loads, open(sys.argv[1])):
    if p.get("type") == "point":
        print(p.get("other_processes"), p["clocks_moved"], p["sclk_mhz"] is not None)
END
}

measure soft:mi25
equal 'a software GPU has no other user' 'None False True' "$(others)"
for name in installed amd-smi; do
	export WAVEDECK_SYSROOT=$tmp/$name
	measure soft:mi25
	equal "$name: a driver without processes" 'None False True' "$(others)"
	# Numbers like those of a host: one of them is that of the process that measures.
	add_queue $name 1073741824 "$gpu"
	add_queue $name 1073741825 1
	measure soft:mi25
	equal "$name: the own process, and one on another GPU" 'None False True' "$(others)"
	add_queue $name 1073741826 "$gpu"
	measure soft:mi25
	equal "$name: another process on this GPU" '1 True True' "$(others)"
	grep -q '1 other process had the GPU open$' "$tmp/log"
	result $? "$name: the point shows it"
	measure soft:mi25,noise=white:0.01
	equal "$name: on a device with noise" '1 True True' "$(others)"
done
unset WAVEDECK_SYSROOT
finish
