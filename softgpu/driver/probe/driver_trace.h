/* SOFTGPU_TRACE=1 says on standard error what the libraries ask of the device; 2 adds packets. Off costs one load. */
#ifndef SOFTGPU_DRIVER_PROBE_DRIVER_TRACE_H
#define SOFTGPU_DRIVER_PROBE_DRIVER_TRACE_H

enum driver_trace_level { TRACE_CALLS = 1, TRACE_PACKETS = 2 };

void driver_trace(enum driver_trace_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One line on standard error, "softgpu: ...", whatever the level. */
void driver_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
