/* Indices that leave a buffer, memory that was freed, atomics that are not aligned. */
#include "tests/softgpu/faults/faults.h"

KERNEL(guard_off_by_one)
{
	if (RIGHT ? I < n : I <= n)
		out[I] = 1; // FAULT guard_off_by_one
}

KERNEL(no_guard)
{
	if (!RIGHT || I < n)
		out[I] = 1; // FAULT no_guard
}

KERNEL(wrong_stride)
{
	const uint32_t at = RIGHT ? I : 2 * I;
	if (I < n)
		out[at] = 1; // FAULT wrong_stride
}

KERNEL(missing_halo)
{
	const uint32_t i = I;
	if (RIGHT ? i > 0 && i + 1 < n : i < n)
		out[i] = in[i] + in[i + 1]; // FAULT missing_halo
}

/* A matrix of 100 columns and 7 rows. */
KERNEL(transposed)
{
	const uint32_t row = I / 100, column = I % 100;
	if (I < n)
		out[column * (RIGHT ? 7 : 100) + row] = 1; // FAULT transposed
}

KERNEL(negative_index)
{
	const int i = I;
	if (i < n && (!RIGHT || i > 0))
		out[i] = in[i - 1]; // FAULT negative_index
}

/* The product does not fit into 32 bits. */
KERNEL(index_overflow)
{
	const int wide = (int)(I * 40000u * 40000u);
	if (I < n)
		out[RIGHT ? (int64_t)I : (int64_t)wide] = 1; // FAULT index_overflow
}

KERNEL(read_freed)
{
	const uint32_t *from = RIGHT ? in : freed;
	if (I < n)
		out[I] = from[I]; // FAULT read_freed
}

KERNEL(write_freed)
{
	uint32_t *to = RIGHT ? out : freed;
	if (I < n)
		to[I] = 1; // FAULT write_freed
}

KERNEL(count_in_freed)
{
	uint32_t *to = RIGHT ? out : freed;
	if (I < n)
		__atomic_fetch_add(&to[I], 1, __ATOMIC_RELAXED); // FAULT count_in_freed
}

typedef uint32_t four __attribute__((ext_vector_type(4), aligned(4)));

KERNEL(vector_end)
{
	if (RIGHT ? I + 4 <= n : I < n) {
		const four v = *(const four *)&in[I]; // FAULT vector_end
		out[I] = v.x + v.y * v.z - v.w;
	}
}

struct triple {
	uint32_t a, b, c;
};

/* One structure more than the buffer has. */
KERNEL(structure_tail)
{
	const struct triple *t = (const struct triple *)in;
	if (I < n / 3 + (RIGHT ? 0 : 1))
		out[I] = t[I].a + t[I].b + t[I].c; // FAULT structure_tail
}

KERNEL(index_from_data)
{
	const uint32_t at = in[ITEM];
	if (I < SIZE)
		out[RIGHT ? at / 7 : at] = 1; // FAULT index_from_data
}

KERNEL(wider_elements)
{
	if (I < (RIGHT ? n / 2 : n))
		((uint64_t *)out)[I] = 1; // FAULT wider_elements
}

KERNEL(reversed)
{
	if (I < n)
		out[n - I - (RIGHT ? 1 : 0)] = 1; // FAULT reversed
}

KERNEL(one_grid_too_far)
{
	const uint32_t groups = 3;
	for (uint32_t i = I; RIGHT ? i < n : i < n + groups * SIZE; i += groups * SIZE)
		out[i] = 1; // FAULT one_grid_too_far
}

KERNEL(misaligned_count)
{
	if (I < n / 2 - 1)
		__atomic_fetch_add((uint64_t *)(out + 2 * I + (RIGHT ? 0 : 1)), 1, __ATOMIC_RELAXED); // FAULT misaligned_count
}

KERNEL(misaligned_read)
{
	if (I < n - 1)
		out[I] = *(const uint32_t *)((const char *)&in[I] + (RIGHT ? 0 : 2)); // FAULT misaligned_read
}

KERNEL(private_array)
{
	volatile uint32_t a[8];
	for (uint32_t k = 0; k < 8; k++)
		a[k] = k;
	a[in[ITEM] % (RIGHT ? 8 : 64)] = 1; // FAULT private_array
	keep(out, n, a[ITEM % 8]);
}

KERNEL(private_loop)
{
	volatile uint32_t a[16];
	const uint32_t trips = RIGHT ? 16 : n / 20;
	for (uint32_t k = 0; k < trips; k++)
		a[k] = k; // FAULT private_loop
	keep(out, n, a[ITEM % 16]);
}
