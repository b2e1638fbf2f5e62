#!/usr/bin/env bash
# Programs that load the HIP runtime by themselves, into a scope of their own: dlopen, plug-ins, Python's ctypes,
# OpenCL; and the files in /sys that such programs read. TAP.
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program driver -pthread
hip=$(ldd "$program" | awk '$1 ~ /^libamdhip64/ { print $3 }')
compile_c() { ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -o "$@" >"$log" 2>&1; }
loader=$tmp/loaded-runtime
compile_c "$loader" "$here/guests/loaded_runtime.c" -ldl && compile_c "$tmp/plugin.so" -DPLUGIN -shared -fPIC "$here/guests/loaded_runtime.c" "$hip"
result $? "the program and its plug-in compile"

for scope in local global; do
	soft "$loader" $scope "$hip" && says '^ok$'
	result $? "dlopen with $scope scope: memset, query, copies"
done
options=--virtual-clock
soft "$loader" plugin "$tmp/plugin.so" && says '^ok$'
result $? "a plug-in that is linked with HIP, with virtual clocks"
options='--model mi25*2'
soft "$loader" plugin "$tmp/plugin.so" && says '^ok$'
result $? "a plug-in on a machine with two GPUs"
options=
mkdir "$tmp/copy" && cp -L "$hip" "$tmp/copy/" && soft "$loader" local "$hip" "$tmp/copy/${hip##*/}" && says '^ok$'
result $? "two copies of the HIP runtime"
compile_c "$tmp/stray" -x c - -Wl,-z,dynamic-undefined-weak \
	<<<'int hipDeviceSynchronize(void) __attribute__((weak)); int main(void) { return hipDeviceSynchronize(); }'
soft "$tmp/stray"
[ $? = 134 ] && says '^softgpu: the program calls hipDeviceSynchronize, which no loaded library provides; load libamdhip64.so first$'
result $? "a call that no library provides is named"

if command -v python3 >/dev/null; then
	cat >"$tmp/copies.py" <<-PYTHON
		import ctypes
		hip = ctypes.CDLL("$hip")
		p = ctypes.c_void_p()
		a, b = bytes(range(256)) * 16, ctypes.create_string_buffer(4096)
		size = ctypes.c_size_t(4096)
		print(hip.hipMalloc(ctypes.byref(p), size), hip.hipMemcpy(p, a, size, 1), hip.hipMemcpy(b, p, size, 2), b.raw == a)
	PYTHON
	soft python3 "$tmp/copies.py" && says '^0 0 0 True$'
	result $? "Python's ctypes"
else
	skip "Python's ctypes" "needs python3"
fi
if command -v clinfo >/dev/null && [ -f /etc/OpenCL/vendors/amdocl64.icd ]; then
	soft clinfo && says 'gfx900'
	result $? "clinfo lists the GPU"
else
	skip "clinfo lists the GPU" "needs clinfo and rocm-opencl-icd"
fi

# hashcat's ext_sysfs_amdgpu.c reads these by the PCI address.
pci=/sys/bus/pci/devices/0000:03:00.0
soft cat $pci/{gpu_busy_percent,current_link_width,pp_dpm_sclk,pp_dpm_mclk,hwmon/hwmon7/temp1_input,hwmon/hwmon7/fan1_input} &&
	says '^16$' && says '1539Mhz \*' && says '945Mhz \*' && says '^34000$'
result $? "the sensors of a GPU by its PCI address"
finish
