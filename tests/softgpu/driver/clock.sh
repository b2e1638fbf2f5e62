#!/usr/bin/env bash
# Programs that time themselves with the host's clocks: with exec --virtual-clock they get the device's times, without it
# a note. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program clock -pthread

note='softgpu: the program reads the host.s clock around launches'
options=--virtual-clock
for case in agree waits overlap sleeps sleep-during-kernel released-after-sleep deadline threads forked forked-first by-clock; do
	soft "$program" $case && ! says "$note"
	result $? "$case"
done

# The runtime has clocks and time limits of its own.
for setting in AMD_DIRECT_DISPATCH=0 HSA_ENABLE_INTERRUPT=0 HSA_ENABLE_SDMA=0; do
	soft env $setting "$program" agree
	result $? "agree with $setting"
done
options='--virtual-clock --model mi25,timing=0'
soft "$program" released-after-sleep
result $? "without timing, a sleep does not wait for the device's time"

options=
soft "$program" by-clock && [ "$(grep -c "$note" "$log")" = 1 ] && says 'wavedeck exec --virtual-clock$'
result $? "without the virtual clock, one line for a program that looks at a clock around launches"
soft "$program" by-events && ! says "$note"
result $? "no line for a program that uses events, and a clock for a seed"
soft date && ! says softgpu
result $? "no line for a program without launches"

build_hip_program driver -pthread
soft "$program" events && grep -v softgpu "$log" >"$tmp/real"
options=--virtual-clock
soft "$program" events && cmp -s "$tmp/real" "$log"
result $? "times of events are the same with both clocks"
finish
