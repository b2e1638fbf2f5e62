#!/usr/bin/env bash
# Builds the image of the Containerfile from the committed tree, on a base that mmdebstrap makes, and uses it: a table, the
# variant for emulators without AVX, an experiment in the mounted folder, and the workbench with a keyboard. Needs podman,
# tmux and what system.bash needs; without podman it is skipped. TAP.
#   tests/distro/container.sh [DIR]   DIR: a new folder, removed at the end
suite=trixie
# shellcheck source=system.bash
. "$(dirname "$0")/system.bash"
if ! command -v podman >/dev/null; then
	printf 'ok 1 - the container # SKIP podman is not installed\n1..1\n'
	exit
fi
enter_namespaces "${1:-}" "$@"
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
skip_system() {
	skip 'the container' "$1"
	finish
}
progress() { printf '# %s: %s (%d:%02d)\n' "$suite" "$1" $((SECONDS / 60)) $((SECONDS % 60)); }
tree=$PWD
lab=$work/lab

# In this mount namespace: crun knows no mix of both kinds of control groups.
umount -R /sys/fs/cgroup 2>/dev/null
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null || mount -t tmpfs none /sys/fs/cgroup
mount -t tmpfs tmpfs /dev/shm # podman leaves its lock there
PODMAN=(podman --root "$work/images" --runroot "$work/run" --storage-driver vfs --cgroup-manager cgroupfs)
# Limits that every user may set.
RUN=("${PODMAN[@]}" run --rm --network host --cgroups disabled --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 -v "$lab:/lab")
run() { "${RUN[@]}" "$@" wavedeck run range-latency rangesize=4KiB..64KiB --format csv --no-header-comments; }

make_system "$work/base" ca-certificates
tar -C "$work/base" -c . | "${PODMAN[@]}" import - base:trixie >"$log" 2>&1 || fail 'cannot import the base'
mkdir "$work/src" "$lab" && git -c safe.directory='*' archive HEAD | tar -x -C "$work/src"
build_image() {
	"${PODMAN[@]}" build --network host --isolation chroot --build-arg BASE=localhost/base:trixie -t wavedeck "$work/src"
}
download 'building the image' build_image
result 0 'the image is built'

run >"$tmp/csv" 2>"$tmp/log" && [ "$(wc -l <"$tmp/csv")" -eq 6 ]
result $? 'a sweep ends with its five points'
run -e SOFTGPU_HOST_VARIANT=base >"$tmp/base.csv" 2>"$tmp/log" && cmp "$tmp/csv" "$tmp/base.csv"
result $? 'the variant for emulators without AVX gives the same'

# The experiment of the README.
awk '/^```cpp/ { out = "copy.hip" } /^```lua/ { out = "copy.lua" } /^```$/ { out = "" } out && !/^```/ { print >(dir "/" out) }' \
	dir="$lab" "$tree/README.md"
"${RUN[@]}" wavedeck run ./copy.lua --record lab.wbs >"$tmp/log" 2>&1 && [ -s "$lab/lab.wbs" ]
result $? 'an experiment of the mounted folder is compiled, measured and recorded there'

screen() { tmux -L "$$" capture-pane -p; }
screen_has() { screen | grep -q "$1"; }
tmux -L "$$" -f /dev/null new-session -d -x 120 -y 36 "${RUN[*]} -it wavedeck; read -r _"
wait_until screen_has 'Enter'
tmux -L "$$" send-keys Escape
wait_until screen_has '19/19 points verified' && tmux -L "$$" send-keys R && wait_until screen_has 'recorded 19 points'
result $? 'the workbench answers the keyboard'
wait_until sh -c "ls '$lab'/wavedeck/sessions/*.wbs >/dev/null 2>&1"
result $? 'a recording is in the mounted folder'
tmux -L "$$" kill-server
finish
