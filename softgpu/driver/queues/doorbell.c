#include "softgpu/driver/queues/doorbell.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "softgpu/core/exec/host_fault.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/time/host_time.h"

static struct {
	_Atomic uint64_t va, size;
} pages[GPUS_MAX]; /* va 0: not mapped */
static _Atomic uint32_t rang;
static bool handler_installed;
static __typeof__(&sigaction) real_sigaction; /* looked up in advance: dlsym must not be called in a signal handler */
static struct sigaction program_action;       /* the program's handler, for faults outside the doorbell page */

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
/* Acts as the kernel would without our handler. A fault repeats on return; a SIGSEGV sent by kill must be sent again.
 */
static void take_default_action(const siginfo_t *info)
{
	struct sigaction act = {.sa_handler = SIG_DFL};

	real_sigaction(SIGSEGV, &act, NULL);
	if (info->si_code <= 0)
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSEGV);
}

static void forward_fault(int number, siginfo_t *info, void *context)
{
	struct sigaction act = program_action;

	if (!(act.sa_flags & SA_SIGINFO) &&
		(act.sa_handler == SIG_DFL || (act.sa_handler == SIG_IGN && info->si_code > 0))) {
		take_default_action(info);
		return;
	}
	if (act.sa_flags & SA_RESETHAND)
		program_action = (struct sigaction){.sa_handler = SIG_DFL};
	if (act.sa_flags & SA_SIGINFO)
		act.sa_sigaction(number, info, context);
	else if (act.sa_handler != SIG_IGN)
		act.sa_handler(number);
}

/* Bit 1 of the page fault's error code (AMD64 Architecture Programmer's Manual, volume 2, section 8.4.2). */
static bool is_write_fault(const void *context)
{
	return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
}

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

static void handle_fault(int number, siginfo_t *info, void *context)
{
	uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
	int saved = errno;

	if (info->si_code > 0 && is_doorbell(address)) {
		ring_armed_doorbell();
	} else {
		if (info->si_code > 0)
			gpu_take_host_fault(info->si_addr, is_write_fault(context));
		forward_fault(number, info, context);
	}
	errno = saved;
}

bool doorbell_swap_sigaction(const struct sigaction *new_action, struct sigaction *old)
{
	struct sigaction previous = program_action;

	if (!handler_installed)
		return false;
	if (new_action)
		program_action = *new_action;
	if (old)
		*old = previous;
	return true;
}

static void install_fault_handler(void)
{
	struct sigaction act = {
		.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};

	if (handler_installed)
		return;
	real_sigaction = REAL_FUNCTION(sigaction);
	handler_installed = real_sigaction(SIGSEGV, &act, &program_action) == 0;
}

/* --- the device thread's side --- */
void doorbell_set_mapping(unsigned gpu, uint64_t va, uint64_t size)
{
	install_fault_handler();
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
	return handler_installed && protect_pages(PROT_READ);
}

void doorbell_sleep(ns_t ns)
{
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	if (!rang)
		syscall(SYS_futex, &rang, FUTEX_WAIT_PRIVATE, 0, ns ? &limit : NULL, NULL, 0);
	protect_pages(PROT_READ | PROT_WRITE);
}
