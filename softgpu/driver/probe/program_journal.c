#include "softgpu/driver/probe/program_journal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "softgpu/driver/probe/kernel_name.h"
#include "softgpu/driver/queues/launch_slots.h"

enum { CLOSED = -1, NOT_WANTED = -2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = CLOSED;

/* A file of this process; NOT_WANTED without a folder, or if it cannot be made. */
static int open_journal(void)
{
	const char *folder = getenv("SOFTGPU_JOURNAL");
	char path[4096];

	if (!folder || !*folder)
		return NOT_WANTED;
	snprintf(path, sizeof path, "%s/%d.journal", folder, (int)getpid());
	const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	return fd < 0 ? NOT_WANTED : fd;
}

/* A line in one piece. The journal ends with the first line that cannot be written. */
static void add_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add_line(const char *format, ...)
{
	char text[KERNEL_NAME_BYTES + 256];
	va_list values;

	pthread_mutex_lock(&lock);
	if (file == CLOSED)
		file = open_journal();
	if (file >= 0) {
		va_start(values, format);
		const int length = vsnprintf(text, sizeof text, format, values);
		va_end(values);
		if (length < 0 || length >= (int)sizeof text || write(file, text, (size_t)length) != length) {
			close(file);
			file = NOT_WANTED;
		}
	}
	pthread_mutex_unlock(&lock);
}

void program_journal_begin_launch(const struct active_launch *r)
{
	add_line("begin %s\n", r->kernel);
}

void program_journal_end_launch(const struct active_launch *r)
{
	const struct launch_result *l = &r->result;
	const uint32_t *grid = r->dispatch.grid;
	const uint16_t *group = r->dispatch.workgroup;

	add_line("kernel %llu %llu %llu %d %llu %ux%ux%u %ux%ux%u %s\n", (unsigned long long)l->ps,
		(unsigned long long)l->cycles, (unsigned long long)l->instructions, (int)l->status,
		(unsigned long long)r->number, grid[0], grid[1], grid[2], group[0], group[1], group[2], r->kernel);
}

void program_journal_add_copy(const char *name, uint64_t bytes, ns_t duration)
{
	add_line("copy %llu %llu %s\n", (unsigned long long)duration, (unsigned long long)bytes, name);
}

void program_journal_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	if (file >= 0)
		close(file);
	file = CLOSED;
}
