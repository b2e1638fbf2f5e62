#!/usr/bin/env bash
# tests/softgpu/core/same_times.sh with the test programs that take long.
exec "$(dirname "$0")/../softgpu/core/same_times.sh" test_gfx11_timing test_program test_bounds test_machine \
	test_memory_edges test_core_clock test_models
