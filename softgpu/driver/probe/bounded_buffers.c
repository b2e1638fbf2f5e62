#include "softgpu/driver/probe/bounded_buffers.h"

#include <string.h>

#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/launch_slots.h"

/* Under the device lock. */
static struct {
	uint64_t address, bytes; /* bytes 0: free */
} bounded[GPU_BOUNDED_SLOTS];
static struct softgpu_out_of_bounds first;
static bool noted;

uint64_t bounded_buffer_open(struct softgpu_device *d, uint64_t va, uint64_t bytes)
{
	uint64_t address = 0;
	unsigned slot = 0;

	device_lock();
	kfd_memory_flush_mappings();
	while (slot < GPU_BOUNDED_SLOTS && bounded[slot].bytes)
		slot++;
	if (slot < GPU_BOUNDED_SLOTS && launch_slots_map_bounded(d, slot, va, bytes)) {
		address = gpu_bounded_address(slot, va);
		bounded[slot].address = address;
		bounded[slot].bytes = bytes;
	}
	device_unlock();
	return address;
}

void bounded_buffer_close(struct softgpu_device *d, uint64_t address)
{
	device_lock();
	for (unsigned slot = 0; slot < GPU_BOUNDED_SLOTS; slot++)
		if (bounded[slot].bytes && bounded[slot].address == address) {
			launch_slots_unmap(d, address, bounded[slot].bytes);
			bounded[slot].bytes = 0;
		}
	device_unlock();
}

static uint8_t access_op(unsigned access)
{
	return access == VM_READ ? SOFTGPU_LOADS : access == VM_WRITE ? SOFTGPU_STORES : SOFTGPU_ATOMICS;
}

void bounded_buffers_note(const struct dispatch *what, const struct launch_result *r)
{
	unsigned slot = 0;

	while (slot + 1 < GPU_BOUNDED_SLOTS && !gpu_bounded_slot_contains(slot, r->fault_va))
		slot++;
	if (noted)
		return;
	noted = true;
	first = (struct softgpu_out_of_bounds){.buffer = bounded[slot].address,
		.offset = (int64_t)(r->fault_va - bounded[slot].address),
		.bytes = r->fault_bytes,
		.pc_offset = r->pc_offset,
		.op = access_op(r->fault_access)};
	memcpy(first.workgroup, r->fault_group, sizeof first.workgroup);
	memcpy(first.work_item, r->fault_item, sizeof first.work_item);
	for (unsigned i = 0; i < 3; i++) {
		first.block[i] = what->workgroup[i];
		first.grid[i] = (what->grid[i] + what->workgroup[i] - 1) / what->workgroup[i];
	}
}

bool bounded_buffers_take(struct softgpu_out_of_bounds *out)
{
	bool any;

	device_lock();
	any = noted;
	if (any)
		*out = first;
	noted = false;
	device_unlock();
	return any;
}

/* --- for checks --- */
enum { FIRST_NUMBER = 1u << 30 /* allocations have smaller ones */ };

static unsigned find_slot(uint64_t va)
{
	unsigned slot = 0;

	while (slot < GPU_BOUNDED_SLOTS && !gpu_bounded_slot_contains(slot, va))
		slot++;
	return slot;
}

bool bounded_buffers_find_extent(uint64_t va, struct check_extent *out)
{
	const unsigned slot = find_slot(va);

	if (slot == GPU_BOUNDED_SLOTS || !bounded[slot].bytes)
		return false;
	const uint64_t start = bounded[slot].address, end = start + bounded[slot].bytes;
	if (va >= start && va < end)
		*out = (struct check_extent){start, end - start, EXTENT_LIVE, 0};
	else if (va < start)
		*out = (struct check_extent){va, start - va, EXTENT_GAP, FIRST_NUMBER + slot};
	else
		*out = (struct check_extent){va, 1, EXTENT_GAP, FIRST_NUMBER + slot};
	return true;
}

bool bounded_buffers_get(uint32_t allocation, uint64_t *address, uint64_t *bytes)
{
	const uint32_t slot = allocation - FIRST_NUMBER;

	if (slot >= GPU_BOUNDED_SLOTS || !bounded[slot].bytes)
		return false;
	*address = bounded[slot].address;
	*bytes = bounded[slot].bytes;
	return true;
}

void bounded_buffers_reset_in_child(void)
{
	memset(bounded, 0, sizeof bounded);
	noted = false;
}
