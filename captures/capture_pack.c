/* Packs a folder of captured launches into a capture file. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "captures/capture_archive.h"
#include "captures/capture_files.h"

struct packing {
	const char *folder, *file;
	char *part; /* FILE.part, while it is written */
	int folder_fd, part_fd;
	int write_error; /* errno; 0: none */
	bool discards;   /* after an error: the rest is not written */
	struct capture_files files;
	char total[CAPTURE_TOTAL_MAX]; /* the attribute of the first entry */
	struct archive *out;
	struct archive_entry *entry;
	char *chunk;
	bool (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
	uint64_t done; /* bytes */
};

static bool report_progress(const struct packing *p, struct err *e)
{
	return !p->progress || p->progress(p->ctx, p->done, p->files.bytes) ||
		err_set(e, ST_INTERRUPTED, "packing was canceled; %s was not written", p->file);
}

static bool report_output_error(const struct packing *p, int why, struct err *e)
{
	bool full = why == ENOSPC || why == EDQUOT || why == EFBIG;
	return err_set(e, ST_FAILED, "cannot write %s: %s; %s", p->file,
		why > 0 ? strerror(why) : "it cannot be compressed",
		full ? "free some space, or name another file" : "name another file");
}

/* `status` is of a call of libarchive that writes. */
static bool check_output(const struct packing *p, la_ssize_t status, struct err *e)
{
	if (p->write_error)
		return report_output_error(p, p->write_error, e);
	return status >= ARCHIVE_OK || report_output_error(p, archive_errno(p->out), e);
}

/* --- reading --- */
struct input_file {
	const char *path;
	int fd;
	struct stat st;
};

static bool open_input(const struct packing *p, struct input_file *in, const struct capture_file *f, struct err *e)
{
	*in = (struct input_file){.path = f->path, .fd = capture_file_open(p->folder_fd, p->folder, f->path, e)};
	if (in->fd < 0)
		return false;
	if (!fstat(in->fd, &in->st) && (uint64_t)in->st.st_size == f->bytes)
		return true;
	close(in->fd);
	return err_set(e, ST_FAILED, "%s/%s changed while it was packed; pack it again", p->folder, f->path);
}

/* Calls `put` with all bytes of the file. */
static bool read_input(struct packing *p, const struct input_file *in,
	bool (*put)(struct packing *p, void *ctx, size_t bytes, struct err *e), void *ctx, struct err *e)
{
	struct stat now;
	off_t at = 0;
	while (at < in->st.st_size) {
		size_t rest = (size_t)(in->st.st_size - at);
		ssize_t n = pread(in->fd, p->chunk, rest < CAPTURE_CHUNK ? rest : CAPTURE_CHUNK, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(e, ST_FAILED, "cannot read %s/%s: %s; capture it again", p->folder, in->path,
				strerror(errno));
		if (!n)
			break;
		if (!put(p, ctx, (size_t)n, e) || !report_progress(p, e))
			return false;
		at += n;
	}
	bool same = at == in->st.st_size && !fstat(in->fd, &now) && now.st_size == in->st.st_size &&
		now.st_mtim.tv_sec == in->st.st_mtim.tv_sec && now.st_mtim.tv_nsec == in->st.st_mtim.tv_nsec;
	return same || err_set(e, ST_FAILED, "%s/%s changed while it was packed; pack it again", p->folder, in->path);
}

/* --- writing --- */
static bool add_to_checksum(struct packing *p, void *ctx, size_t bytes, struct err *e)
{
	(void)e;
	entry_checksum_add(ctx, p->chunk, bytes);
	return true;
}

static bool add_to_archive(struct packing *p, void *ctx, size_t bytes, struct err *e)
{
	(void)ctx;
	p->done += bytes;
	for (size_t at = 0; at < bytes;) {
		la_ssize_t n = archive_write_data(p->out, p->chunk + at, bytes - at);
		if (!check_output(p, n ? n : ARCHIVE_FATAL, e))
			return false;
		at += (size_t)n;
	}
	return true;
}

/* Nothing of the machine or of the time: the same files give the same bytes. */
static void describe_entry(
	struct archive_entry *entry, const struct input_file *in, const char *checksum, const char *total)
{
	archive_entry_clear(entry);
	archive_entry_set_pathname(entry, in->path);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0600);
	archive_entry_set_size(entry, in->st.st_size);
	archive_entry_set_uid(entry, 0);
	archive_entry_set_gid(entry, 0);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_xattr_add_entry(entry, CAPTURE_CHECKSUM_ATTR, checksum, strlen(checksum));
	if (*total)
		archive_entry_xattr_add_entry(entry, CAPTURE_TOTAL_ATTR, total, strlen(total));
}

/* The checksum is in front of the content, so that a reader of the first entry can check it: the file is read twice. */
static bool pack_file(struct packing *p, const struct capture_file *f, const char *total, struct err *e)
{
	struct input_file in;
	struct entry_checksum sum;
	char checksum[CHECKSUM_DIGITS + 1];

	if (!open_input(p, &in, f, e))
		return false;
	entry_checksum_start(&sum, f->path, total);
	bool ok = read_input(p, &in, add_to_checksum, &sum, e);
	if (ok) {
		entry_checksum_print(&sum, checksum);
		describe_entry(p->entry, &in, checksum, total);
		ok = check_output(p, archive_write_header(p->out, p->entry), e);
	}
	ok = ok && read_input(p, &in, add_to_archive, NULL, e);
	close(in.fd);
	return ok;
}

/* Never fails: after an error libarchive does not free its buffers (3.6). */
static la_ssize_t write_part(struct archive *out, void *ctx, const void *data, size_t bytes)
{
	struct packing *p = ctx;
	(void)out;
	for (size_t at = 0; at < bytes && !p->discards;) {
		ssize_t n = write(p->part_fd, (const char *)data + at, bytes - at);
		if (n > 0)
			at += (size_t)n;
		else if (!n || errno != EINTR) {
			p->write_error = n ? errno : ENOSPC;
			p->discards = true;
		}
	}
	return (la_ssize_t)bytes;
}

static bool open_archive(struct packing *p, struct err *e)
{
	p->out = archive_write_new();
	p->entry = archive_entry_new();
	p->chunk = xmalloc(CAPTURE_CHUNK);
	if (!p->out || !p->entry || archive_write_add_filter_zstd(p->out) != ARCHIVE_OK ||
		archive_write_set_format_pax_restricted(p->out) != ARCHIVE_OK ||
		archive_write_set_format_option(p->out, "pax", "xattrheader", "SCHILY") != ARCHIVE_OK)
		return err_set(e, ST_FAILED,
			"cannot write %s: libarchive has no zstd or no memory; install libarchive13", p->file);
	archive_write_set_bytes_in_last_block(p->out, 1); /* no zeros after the end */
	return check_output(p, archive_write_open(p->out, p, NULL, write_part, NULL), e);
}

static bool write_archive(struct packing *p, struct err *e)
{
	bool ok = open_archive(p, e);
	for (size_t i = 0; ok && i < p->files.count; i++)
		ok = pack_file(p, &p->files.file[i], i ? "" : p->total, e);
	ok = ok && check_output(p, archive_write_close(p->out), e);
	p->discards = true;
	archive_write_free(p->out);
	archive_entry_free(p->entry);
	free(p->chunk);
	return ok;
}

/* --- the file --- */
/* The part file is at the name of the target, where its owner finds it after a loss of power. */
static bool open_part(struct packing *p, struct err *e)
{
	struct stat st;
	if (!lstat(p->file, &st) && !S_ISREG(st.st_mode))
		return err_set(e, ST_REQUEST, "%s is %s; name a file", p->file,
			S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
	p->part = xasprintf("%s.part", p->file);
	p->part_fd = open(p->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (p->part_fd >= 0)
		return true;
	if (errno == EEXIST)
		return err_set(e, ST_REQUEST, "%s exists; if no other wavedeck writes it, remove it", p->part);
	return report_output_error(p, errno, e);
}

static bool write_file(struct packing *p, struct err *e)
{
	if (!open_part(p, e))
		return false;
	bool ok = write_archive(p, e);
	if (close(p->part_fd) && ok)
		ok = report_output_error(p, errno, e);
	if (ok && rename(p->part, p->file))
		ok = report_output_error(p, errno, e);
	if (!ok)
		unlink(p->part);
	return ok;
}

/* More digits where two sizes would look alike. */
static bool refuse_size(uint64_t bytes, uint64_t limit, struct err *e)
{
	char size[32], most[32];
	int digits = 2;
	do {
		units_format(size, sizeof size, (double)bytes, "B", digits);
		units_format(most, sizeof most, (double)limit, "B", digits);
	} while (!strcmp(size, most) && ++digits < 16);
	return err_set(e, ST_REQUEST, "the captured launches take %s, more than the limit of %s; %skeep fewer launches",
		size, most, limit < CAPTURE_BYTES_MAX ? "raise it with --limit-bytes, or " : "");
}

bool capture_archive_pack(const char *folder, const char *file, uint64_t limit_bytes,
	bool (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx, struct err *e)
{
	struct packing p = {.folder = folder, .file = file, .progress = progress, .ctx = ctx};
	uint64_t limit = limit_bytes < CAPTURE_BYTES_MAX ? limit_bytes : CAPTURE_BYTES_MAX;

	p.folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p.folder_fd < 0)
		return err_set(e, ST_REQUEST, "cannot read the folder %s: %s; name a folder of captured launches",
			folder, strerror(errno));
	bool ok = capture_files_list(&p.files, p.folder_fd, folder, e) &&
		(p.files.bytes <= limit || refuse_size(p.files.bytes, limit, e));
	snprintf(p.total, sizeof p.total, "%zu %" PRIu64, p.files.count, p.files.bytes);
	ok = ok && report_progress(&p, e) && write_file(&p, e);
	free(p.part);
	capture_files_free(&p.files);
	close(p.folder_fd);
	return ok;
}
