/* SOFTGPU_TRACE=1 prints the libraries' calls to the device on standard error; 2 adds packets. When off, a call costs
 * one load. */
#ifndef SOFTGPU_DRIVER_PROBE_DRIVER_TRACE_H
#define SOFTGPU_DRIVER_PROBE_DRIVER_TRACE_H

enum driver_trace_level { TRACE_CALLS = 1, TRACE_PACKETS = 2 };

void driver_trace(enum driver_trace_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints one line on standard error, "softgpu: ...", at any trace level. */
void driver_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
