/* The process that locks the clock of a device and gives it back when the front end that started it has ended, however
 * that was: the front end holds the other end of its standard input, and nothing else does. Vendor libraries are loaded
 * here, not in the front end. */
#ifndef GPU_CLOCKS_CLOCK_GUARD_H
#define GPU_CLOCKS_CLOCK_GUARD_H

/* Answers with a line of JSON on standard output: {"mhz":1410,"give_back":"nvidia-smi ..."} once the clock is locked,
 * or
 * {"refusal":"...","exit":1}. At the end of standard input, gives the clock back, and answers with an error if that
 * fails. Returns the exit status. */
int clock_guard_main(const char *device, unsigned mhz);

#endif
