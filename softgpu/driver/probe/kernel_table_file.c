/* The table in a file. */
#include "softgpu/driver/probe/kernel_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "softgpu/driver/interpose/strbuf.h"

/* Of this process; NULL: not wanted. */
static const char *sums_folder(void)
{
	const char *folder = getenv("SOFTGPU_SUMS");

	return folder && *folder ? folder : NULL;
}

bool kernel_table_has_file(void)
{
	return sums_folder() != NULL;
}

static void append_values(struct strbuf *t, const struct kernel_value list[KERNEL_VALUES])
{
	for (unsigned i = 0; i < KERNEL_VALUES && list[i].name; i++)
		strbuf_printf(t, "value %s %lu\n", list[i].name, (unsigned long)list[i].value);
}

static void append_kernel(struct strbuf *t, const struct kernel_sums *k)
{
	strbuf_printf(t, "kernel %lu %lu %lu %lu %lu %s\n", (unsigned long)k->launches, (unsigned long)k->ps,
		(unsigned long)k->cycles, (unsigned long)k->waves, (unsigned long)k->instructions, k->name);
	append_values(t, k->counters);
	append_values(t, k->stalls);
}

/* A file that could not be written to its end is removed: its sums would be wrong. */
static void write_sums(const char *path, const struct strbuf *t)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t done = 0;

	if (fd < 0)
		return;
	while (done < t->length) {
		const ssize_t n = write(fd, t->data + done, t->length - done);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	close(fd);
	if (done < t->length)
		unlink(path);
}

void kernel_table_write(void)
{
	struct strbuf text = {0};
	const struct kernel_sums *k;
	const char *folder = sums_folder();
	char path[4096];

	for (size_t i = 0; (k = kernel_table_at(i)); i++)
		append_kernel(&text, k);
	snprintf(path, sizeof path, "%s/%d.sums", folder ? folder : "", (int)getpid());
	if (folder && text.data)
		write_sums(path, &text);
	strbuf_free(&text);
}
