#include "softgpu/driver/queues/driver_thread.h"

#include <signal.h>
#include <stddef.h>

bool driver_thread_start(void *(*run)(void *), pthread_t *out)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = pthread_create(out, NULL, run, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ok)
		pthread_detach(*out);
	return ok;
}
