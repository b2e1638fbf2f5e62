#include "softgpu/driver/faults/fault_handler.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "softgpu/core/state/host_fault.h"
#include "softgpu/driver/capture/first_touch.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/driver/queues/doorbell.h"

static struct fault_signal {
	int number;
	_Atomic bool installed;
	struct sigaction program_action; /* the program's handler */
} fault_signals[] = {{.number = SIGSEGV}, {.number = SIGBUS}};
enum { FAULT_SIGNALS = sizeof fault_signals / sizeof *fault_signals };

static __typeof__(&sigaction) real_sigaction; /* looked up in advance: dlsym must not be called in a signal handler */

static struct fault_signal *find_fault_signal(int number)
{
	for (unsigned i = 0; i < FAULT_SIGNALS; i++)
		if (fault_signals[i].number == number)
			return &fault_signals[i];
	return NULL;
}

/* Acts as the kernel would without our handler. A fault repeats on return; a signal sent by kill must be sent again. */
static void take_default_action(const siginfo_t *info)
{
	struct sigaction act = {.sa_handler = SIG_DFL};

	real_sigaction(info->si_signo, &act, NULL);
	if (info->si_code <= 0)
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), info->si_signo);
}

static void forward_fault(struct fault_signal *signal, siginfo_t *info, void *context)
{
	struct sigaction act = signal->program_action;

	if (!(act.sa_flags & SA_SIGINFO) &&
		(act.sa_handler == SIG_DFL || (act.sa_handler == SIG_IGN && info->si_code > 0))) {
		take_default_action(info);
		return;
	}
	if (act.sa_flags & SA_RESETHAND)
		signal->program_action = (struct sigaction){.sa_handler = SIG_DFL};
	if (act.sa_flags & SA_SIGINFO)
		act.sa_sigaction(signal->number, info, context);
	else if (act.sa_handler != SIG_IGN)
		act.sa_handler(signal->number);
}

/* Bit 1 of the page fault's error code (AMD64 Architecture Programmer's Manual, volume 2, section 8.4.2). */
static bool is_write_fault(const void *context)
{
	return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
}

/* A copy does not fault for good in a doorbell page, or in memory that is watched: these come first. */
static bool take_fault(const siginfo_t *info, void *context)
{
	if (info->si_signo == SIGSEGV && first_touch_take_fault(info->si_addr, is_write_fault(context)))
		return true;
	if (info->si_signo == SIGSEGV && doorbell_take_fault((uint64_t)(uintptr_t)info->si_addr))
		return true;
	if (user_memory_take_fault(context))
		return true;
	if (info->si_signo == SIGSEGV)
		gpu_take_host_fault(info->si_addr, is_write_fault(context));
	return false;
}

static void handle_fault(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (info->si_code <= 0 || !take_fault(info, context))
		forward_fault(find_fault_signal(number), info, context);
	errno = saved;
}

static void install_handlers(void)
{
	struct sigaction act = {
		.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};

	real_sigaction = REAL_FUNCTION(sigaction);
	for (unsigned i = 0; i < FAULT_SIGNALS; i++)
		fault_signals[i].installed =
			real_sigaction(fault_signals[i].number, &act, &fault_signals[i].program_action) == 0;
}

void fault_handler_install(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install_handlers);
}

bool fault_handler_is_installed(void)
{
	return fault_signals[0].installed;
}

bool fault_handler_swap_action(int number, const struct sigaction *new_action, struct sigaction *old)
{
	struct fault_signal *signal = find_fault_signal(number);
	struct sigaction previous;

	if (!signal || !signal->installed)
		return false;
	previous = signal->program_action;
	if (new_action)
		signal->program_action = *new_action;
	if (old)
		*old = previous;
	return true;
}
