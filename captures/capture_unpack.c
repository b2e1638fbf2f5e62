/* Unpacks a capture file into a new folder. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/host/temporary_folder.h"
#include "base/units.h"
#include "captures/capture_archive.h"
#include "captures/capture_reader.h"

struct unpacking {
	struct capture_reader reader;
	struct capture_head head;
	const char *folder;
	int folder_fd;
	uint64_t files, bytes; /* so far */
};

struct output_file {
	const struct unpacking *u;
	const char *name;
	int fd;
};

static bool report_write_error(const struct output_file *out, struct err *e)
{
	return err_set(e, ST_FAILED, "cannot write %s/%s: %s; free some space, or name another folder", out->u->folder,
		out->name, strerror(errno));
}

static bool put_in_file(void *ctx, const void *data, size_t bytes, struct err *e)
{
	const struct output_file *out = ctx;
	const char *at = data;
	while (bytes) {
		ssize_t n = write(out->fd, at, bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return report_write_error(out, e);
		at += n;
		bytes -= (size_t)n;
	}
	return true;
}

/* The name was checked. The folder is new and belongs to this user: other users cannot plant a link in it. An existing
 * name is an entry that was there before. */
static bool open_output(struct unpacking *u, struct output_file *out, const char *name, struct err *e)
{
	*out = (struct output_file){.u = u, .name = name};
	out->fd = openat(u->folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (out->fd >= 0)
		return true;
	return errno == EEXIST ? capture_reader_damaged(&u->reader, "it has a file twice", e)
			       : report_write_error(out, e);
}

static bool close_output(struct output_file *out, struct err *e)
{
	return !close(out->fd) || report_write_error(out, e);
}

static bool write_head(struct unpacking *u, struct err *e)
{
	struct output_file out;
	if (!open_output(u, &out, CAPTURE_HEAD_NAME, e))
		return false;
	bool ok = put_in_file(&out, u->head.text.data, u->head.text.len, e);
	u->files = 1;
	u->bytes = u->head.text.len;
	return close_output(&out, ok ? e : NULL) && ok;
}

static bool write_entry(struct unpacking *u, struct archive_entry *entry, struct err *e)
{
	struct output_file out;
	uint64_t size = (uint64_t)archive_entry_size(entry);
	if (u->files == u->head.files || size > u->head.bytes - u->bytes)
		return capture_reader_damaged(&u->reader, "it has more files or bytes than it says", e);
	u->files++;
	u->bytes += size;
	if (!open_output(u, &out, archive_entry_pathname(entry), e))
		return false;
	bool ok = capture_reader_copy(&u->reader, entry, "", put_in_file, &out, e);
	return close_output(&out, ok ? e : NULL) && ok;
}

static bool write_entries(struct unpacking *u, struct err *e)
{
	struct archive_entry *entry;
	while (capture_reader_next(&u->reader, &entry, e)) {
		if (!entry)
			return (u->files == u->head.files && u->bytes == u->head.bytes) ||
				capture_reader_damaged(&u->reader, "files are missing in it", e);
		if (!write_entry(u, entry, e))
			return false;
	}
	return false;
}

/* Early, before anything is written. */
static bool check_free_space(const struct unpacking *u, struct err *e)
{
	struct statvfs fs;
	char needed[32], free_bytes[32];
	if (fstatvfs(u->folder_fd, &fs))
		return err_set(e, ST_FAILED, "cannot use %s: %s; name another folder", u->folder, strerror(errno));
	double available = (double)fs.f_bavail * (double)fs.f_frsize;
	return (double)u->head.bytes <= available ||
		err_set(e, ST_FAILED, "%s needs %s in %s, where %s are free; free some space, or name another folder",
			u->reader.file, units_format(needed, sizeof needed, (double)u->head.bytes, "B", 3), u->folder,
			units_format(free_bytes, sizeof free_bytes, available, "B", 3));
}

static bool fill_folder(struct unpacking *u, struct err *e)
{
	u->folder_fd = open(u->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (u->folder_fd < 0)
		return err_set(e, ST_FAILED, "cannot open %s: %s; name another folder", u->folder, strerror(errno));
	bool ok = check_free_space(u, e);
	for (const struct capture_folder *f = capture_folders; ok && f->name; f++)
		if (mkdirat(u->folder_fd, f->name, 0700))
			ok = err_set(e, ST_FAILED, "cannot make %s/%s: %s; free some space, or name another folder",
				u->folder, f->name, strerror(errno));
	ok = ok && write_head(u, e) && write_entries(u, e);
	close(u->folder_fd);
	return ok;
}

bool capture_archive_unpack(const char *file, const char *folder, struct err *e)
{
	struct unpacking u = {.folder = folder, .folder_fd = -1};
	bool ok = capture_reader_begin(&u.reader, file, &u.head, e);
	if (ok && mkdir(folder, 0700))
		ok = err_set(e, ST_REQUEST,
			errno == EEXIST ? "%s exists; name a new folder" : "cannot make %s: %s; name another folder",
			folder, strerror(errno));
	else if (ok && !(ok = fill_folder(&u, e)))
		temporary_folder_remove(folder);
	capture_head_free(&u.head);
	capture_reader_close(&u.reader);
	return ok;
}
