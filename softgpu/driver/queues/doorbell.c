#include "softgpu/driver/queues/doorbell.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/probe/driver_trace.h"

static _Atomic uint64_t page, page_size;
static _Atomic uint32_t rang;
static bool installed;
static __typeof__(&sigaction) real_sigaction; /* looked up before any fault: dlsym is nothing for a handler */
static struct sigaction others;               /* whom faults that are not doorbells go to */

static void protect(int prot)
{
	syscall(SYS_mprotect, page, page_size, prot);
}

void doorbell_wake(void)
{
	rang = 1;
	syscall(SYS_futex, &rang, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* --- the fault --- */
/* As the kernel would have done without us. A fault is taken again on return; somebody's kill has to be sent once more.
 */
static void default_action(const siginfo_t *info)
{
	struct sigaction act = {.sa_handler = SIG_DFL};

	real_sigaction(SIGSEGV, &act, NULL);
	if (info->si_code <= 0)
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSEGV);
}

static void hand_on(int number, siginfo_t *info, void *context)
{
	struct sigaction act = others;

	if (!(act.sa_flags & SA_SIGINFO) &&
		(act.sa_handler == SIG_DFL || (act.sa_handler == SIG_IGN && info->si_code > 0))) {
		default_action(info);
		return;
	}
	if (act.sa_flags & SA_RESETHAND)
		others = (struct sigaction){.sa_handler = SIG_DFL};
	if (act.sa_flags & SA_SIGINFO)
		act.sa_sigaction(number, info, context);
	else if (act.sa_handler != SIG_IGN)
		act.sa_handler(number);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
	int saved = errno;

	if (info->si_code > 0 && page && address - page < page_size) {
		protect(PROT_READ | PROT_WRITE);
		doorbell_wake();
	} else {
		hand_on(number, info, context);
	}
	errno = saved;
}

bool doorbell_swap_sigaction(const struct sigaction *new_action, struct sigaction *old)
{
	struct sigaction was = others;

	if (!installed)
		return false;
	if (new_action)
		others = *new_action;
	if (old)
		*old = was;
	return true;
}

static void install(void)
{
	struct sigaction act = {
		.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};

	if (installed)
		return;
	real_sigaction = REAL_FUNCTION(sigaction);
	installed = real_sigaction(SIGSEGV, &act, &others) == 0;
}

/* --- the device thread's side --- */
void doorbell_set_mapping(uint64_t va, uint64_t size)
{
	install();
	page_size = size;
	page = va;
}

void doorbell_reset_in_child(void)
{
	page = page_size = 0;
	rang = 0;
}

bool doorbell_arm(void)
{
	rang = 0;
	return page && installed && syscall(SYS_mprotect, page, page_size, PROT_READ) == 0;
}

void doorbell_sleep(uint64_t ns)
{
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	if (!rang)
		syscall(SYS_futex, &rang, FUTEX_WAIT_PRIVATE, 0, ns ? &limit : NULL, NULL, 0);
	if (page)
		protect(PROT_READ | PROT_WRITE);
}
