#include "softgpu/driver/capture/code_objects.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/driver/interpose/loaded_function.h"
#include "softgpu/driver/probe/driver_trace.h"

enum { OBJECTS_MAX = 1 << 16, URI_BYTES = 4096, CODE_BYTES_MAX = 256 << 20 };

static const struct r_debug *list; /* NULL: not known */

void code_objects_find_list(void)
{
	if (!list)
		list = loaded_function_find("_amdgpu_r_debug", NULL);
}

/* Memory of this process, which another thread may unmap meanwhile. The number of bytes that could be read. */
static size_t read_own_memory(void *to, uint64_t from, size_t bytes)
{
	const struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes};
	const ssize_t n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);

	return n < 0 ? 0 : (size_t)n;
}

/* Where the loader got the code object from: "file:///tmp/app#offset=4096&size=9000",
 * "memory://123#offset=0x7f..&size=..". False: it is not in the list. */
static bool find_uri(uint64_t base, uint64_t size, char *out, size_t out_size)
{
	struct link_map m;
	const struct link_map *next = list ? list->r_map : NULL;

	for (unsigned n = 0; next && n < OBJECTS_MAX; n++) {
		if (read_own_memory(&m, (uint64_t)(uintptr_t)next, sizeof m) < sizeof m)
			return false;
		if (m.l_addr - base < size) {
			const size_t length = read_own_memory(out, (uint64_t)(uintptr_t)m.l_name, out_size);
			return memchr(out, 0, length);
		}
		next = m.l_next;
	}
	return false;
}

/* --- the bytes of a URI --- */
static uint64_t read_field(const char *fragment, const char *name)
{
	const char *at = strstr(fragment, name);

	return at ? strtoull(at + strlen(name), NULL, 0) : 0;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* "%20" is a blank (RFC 3986, 2.1). */
static void decode_path(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		const int high = *from == '%' ? hex_digit(from[1]) : -1, low = high < 0 ? -1 : hex_digit(from[2]);
		*to++ = low < 0 ? *from : (char)(high << 4 | low);
		from += low < 0 ? 0 : 2;
	}
	*to = 0;
}

static uint8_t *read_file_part(const char *path, uint64_t offset, uint64_t *bytes)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *data = NULL;
	const off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);

	if (!*bytes && end > (off_t)offset)
		*bytes = (uint64_t)end - offset; /* without a size: all of it */
	if (fd >= 0 && *bytes <= CODE_BYTES_MAX && (data = malloc(*bytes + 1)) &&
		pread(fd, data, *bytes, (off_t)offset) != (ssize_t)*bytes) {
		free(data);
		data = NULL;
	}
	if (fd >= 0)
		close(fd);
	return data;
}

static uint8_t *read_memory_part(uint64_t from, uint64_t bytes)
{
	uint8_t *data = bytes <= CODE_BYTES_MAX ? malloc(bytes + 1) : NULL;

	if (data && read_own_memory(data, from, bytes) == bytes)
		return data;
	free(data);
	return NULL;
}

static uint8_t *read_uri(char *uri, uint64_t *bytes)
{
	static const char file[] = "file://", memory[] = "memory://";
	char *fragment = uri + strcspn(uri, "#?");
	const uint64_t offset = read_field(fragment, "offset=");

	*bytes = read_field(fragment, "size=");
	*fragment = 0;
	decode_path(uri);
	if (!strncmp(uri, file, sizeof file - 1))
		return read_file_part(uri + sizeof file - 1, offset, bytes);
	return strncmp(uri, memory, sizeof memory - 1) ? NULL : read_memory_part(offset, *bytes);
}

/* --- the file --- */
/* Another process of the program may write the same at the same time. */
static bool write_whole_file(const char *path, const uint8_t *data, uint64_t bytes)
{
	char part[4096 + 32];

	if (!access(path, F_OK))
		return true;
	snprintf(part, sizeof part, "%s.%d.part", path, (int)getpid());
	const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const bool written = fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes;
	if (fd >= 0 && !close(fd) && written && !rename(part, path))
		return true;
	driver_warn("cannot keep the code object %s: %s", path, strerror(errno));
	unlink(part);
	return false;
}

uint8_t *code_object_read(uint64_t base, uint64_t size, uint64_t *bytes)
{
	char uri[URI_BYTES];

	return find_uri(base, size, uri, sizeof uri) ? read_uri(uri, bytes) : NULL;
}

void code_object_keep(uint64_t base, uint64_t size, const char *folder, char *name, size_t name_size)
{
	char path[4096];
	uint64_t bytes;
	uint8_t *data = code_object_read(base, size, &bytes);

	*name = 0;
	if (!data)
		return;
	snprintf(name, name_size, "%016llx.co", (unsigned long long)capture_digest(0, bytes, data, bytes));
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (!write_whole_file(path, data, bytes))
		*name = 0;
	free(data);
}
