#include "softgpu/driver/probe/driver_trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int trace_level = -1;

/* One write per line, not through stdio, whose buffers belong to the program. */
static void write_stderr_line(const char *format, va_list args)
{
	char line[1024];
	int n = snprintf(line, sizeof line, "softgpu: ");
	int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);

	n = m < 0 ? n : n + m;
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

void driver_trace(enum driver_trace_level level, const char *format, ...)
{
	va_list args;

	if (trace_level < 0) {
		const char *text = getenv("SOFTGPU_TRACE");
		trace_level = text ? atoi(text) : 0;
	}
	if (trace_level < (int)level)
		return;
	va_start(args, format);
	write_stderr_line(format, args);
	va_end(args);
}

void driver_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_stderr_line(format, args);
	va_end(args);
}
