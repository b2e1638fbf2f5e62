// What the programs of tests/long/predictions.sh share: launches, their times, and lines of the table.
#pragma once
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static inline void check(hipError_t status)
{
	if (status == hipSuccess)
		return;
	fprintf(stderr, "%s\n", hipGetErrorString(status));
	exit(1);
}

template <class T> static T *allocate_zeros(size_t count)
{
	T *memory;
	check(hipMalloc(&memory, count * sizeof(T)));
	check(hipMemset(memory, 0, count * sizeof(T)));
	return memory;
}

static inline unsigned count_units()
{
	hipDeviceProp_t properties;
	check(hipGetDeviceProperties(&properties, 0));
	return properties.multiProcessorCount;
}

// Seconds from before launch(n) to after it.
template <class F> static double time_launch(F launch, unsigned n)
{
	hipEvent_t start, end;
	float milliseconds;
	check(hipEventCreate(&start));
	check(hipEventCreate(&end));
	check(hipEventRecord(start));
	launch(n);
	check(hipEventRecord(end));
	check(hipEventSynchronize(end));
	check(hipGetLastError());
	check(hipEventElapsedTime(&milliseconds, start, end));
	return milliseconds / 1e3;
}

// Seconds of n units of work. What a launch costs in itself is in both terms, and drops out.
template <class F> static double time_work(F launch, unsigned n)
{
	time_launch(launch, n); // fills the caches
	double one = time_launch(launch, n);
	return time_launch(launch, 2 * n) - one;
}

static inline void print_row(const char *program, const char *parameters, const char *unit, double value)
{
	printf("%s\t%s\t%s\t%.4g\n", program, parameters, unit, value);
}
