/* The handler of SIGSEGV and SIGBUS. Some faults are a part of the simulation: those of doorbells, of copies of the
 * program's memory, and of kernels in the program's memory. The program's own handler gets all others. */
#ifndef SOFTGPU_DRIVER_FAULTS_FAULT_HANDLER_H
#define SOFTGPU_DRIVER_FAULTS_FAULT_HANDLER_H

#include <signal.h>
#include <stdbool.h>

/* Any thread, any number of times. */
void fault_handler_install(void);
bool fault_handler_is_installed(void);

/* For the interposed sigaction: true if the handler is installed and takes this signal. Then fills `old`, and other
 * faults go to `new_action` from now on. Both may be NULL. */
bool fault_handler_swap_action(int number, const struct sigaction *new_action, struct sigaction *old);

#endif
