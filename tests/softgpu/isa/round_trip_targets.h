/* The targets of the round trip. */
#ifndef TESTS_SOFTGPU_ISA_ROUND_TRIP_TARGETS_H
#define TESTS_SOFTGPU_ISA_ROUND_TRIP_TARGETS_H

#include "tests/softgpu/isa/gfx11_cases.h"
#include "tests/softgpu/isa/gfx9_cases.h"

static const struct round_trip_target gfx900 = {"gfx900", "gfx900", "", ISA_GFX900, &gfx9_family},
				      gfx906 = {"gfx906", "gfx906", "", ISA_GFX906, &gfx9_family},
				      gfx908 = {"gfx908", "gfx908", "", ISA_GFX908, &gfx9_family},
				      gfx90a = {"gfx90a", "gfx90a", "", ISA_GFX90A, &gfx9_family},
				      gfx1100_wave32 = {"gfx1100 wave32", "gfx1100",
					      "-wavefrontsize64,+wavefrontsize32", ISA_GFX1100_WAVE32, &gfx11_family},
				      gfx1100_wave64 = {"gfx1100 wave64", "gfx1100",
					      "-wavefrontsize32,+wavefrontsize64", ISA_GFX1100_WAVE64, &gfx11_family};

#endif
