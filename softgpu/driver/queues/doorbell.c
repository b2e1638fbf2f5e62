#include "softgpu/driver/queues/doorbell.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "softgpu/driver/faults/fault_handler.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/time/host_time.h"

static struct {
	_Atomic uint64_t va, size;
} pages[GPUS_MAX]; /* va 0: not mapped */
static _Atomic uint32_t rang;

/* False if a page cannot be protected, or there is none. */
static bool protect_pages(int prot)
{
	unsigned mapped = 0;
	bool ok = true;

	for (unsigned i = 0; i < GPUS_MAX; i++)
		if (pages[i].va) {
			mapped++;
			ok = syscall(SYS_mprotect, pages[i].va, pages[i].size, prot) == 0 && ok;
		}
	return ok && mapped;
}

static bool is_doorbell(uint64_t address)
{
	for (unsigned i = 0; i < GPUS_MAX; i++)
		if (pages[i].va && address - pages[i].va < pages[i].size)
			return true;
	return false;
}

void doorbell_wake(void)
{
	rang = 1;
	syscall(SYS_futex, &rang, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* --- the fault --- */
/* The fault is a part of the simulation: its time does not count as the program's. */
static void ring_armed_doorbell(void)
{
	bool virtual = host_time_is_virtual();

	if (virtual)
		host_time_observe(0);
	protect_pages(PROT_READ | PROT_WRITE);
	doorbell_wake();
	if (virtual)
		host_time_end(0);
}

bool doorbell_take_fault(uint64_t address)
{
	bool is_ours = is_doorbell(address);

	if (is_ours)
		ring_armed_doorbell();
	return is_ours;
}

/* --- the device thread's side --- */
void doorbell_set_mapping(unsigned gpu, uint64_t va, uint64_t size)
{
	fault_handler_install();
	pages[gpu].size = size;
	pages[gpu].va = va;
	doorbell_wake(); /* the device thread may sleep, having armed the pages of the other GPUs only */
}

void doorbell_reset_in_child(void)
{
	for (unsigned i = 0; i < GPUS_MAX; i++)
		pages[i].va = pages[i].size = 0;
	rang = 0;
}

bool doorbell_arm(void)
{
	rang = 0;
	return fault_handler_is_installed() && protect_pages(PROT_READ);
}

void doorbell_listen(void)
{
	rang = 0;
}

void doorbell_sleep(ns_t ns)
{
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	if (!rang)
		syscall(SYS_futex, &rang, FUTEX_WAIT_PRIVATE, 0, ns ? &limit : NULL, NULL, 0);
	protect_pages(PROT_READ | PROT_WRITE);
}
