#include "captures/capture_reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input_file.h"

bool capture_reader_damaged(const struct capture_reader *r, const char *what, struct err *e)
{
	return err_set(
		e, ST_REQUEST, "%s is damaged: %s; capture it again", r->file, what ? what : "it cannot be read");
}

static bool refuse_foreign_file(const struct capture_reader *r, struct err *e)
{
	return err_set(e, ST_REQUEST, "%s is not a capture of wavedeck; name another file", r->file);
}

/* --- open --- */
static bool begins_with_zstd_magic(int fd)
{
	static const unsigned char magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
	unsigned char begin[4];
	return pread(fd, begin, sizeof begin, 0) == (ssize_t)sizeof begin && !memcmp(begin, magic, sizeof magic);
}

bool capture_reader_open(struct capture_reader *r, const char *file, struct err *e)
{
	const char *why;
	*r = (struct capture_reader){.file = file, .fd = input_file_open(file, &why)};
	if (r->fd < 0)
		return err_set(e, ST_REQUEST, "cannot open the capture %s: %s; check the name", file, why);
	if (!begins_with_zstd_magic(r->fd))
		return refuse_foreign_file(r, e);
	r->in = archive_read_new();
	/* Nothing else: each reader of libarchive is code that a foreign file could attack. */
	if (!r->in || archive_read_support_filter_zstd(r->in) != ARCHIVE_OK ||
		archive_read_support_format_tar(r->in) != ARCHIVE_OK)
		return err_set(e, ST_FAILED,
			"cannot open %s: libarchive has no zstd or no memory; install libarchive13", file);
	if (archive_read_open_fd(r->in, r->fd, CAPTURE_CHUNK) != ARCHIVE_OK)
		return capture_reader_damaged(r, archive_error_string(r->in), e);
	return true;
}

void capture_reader_close(struct capture_reader *r)
{
	if (r->in)
		archive_read_free(r->in);
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct capture_reader){.fd = -1};
}

/* --- entries --- */
/* A sparse file could take far more than its bytes in the archive. */
static bool is_plain_file(struct archive_entry *entry)
{
	return archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry) &&
		!archive_entry_symlink(entry) && !archive_entry_sparse_count(entry) &&
		archive_entry_size_is_set(entry) && archive_entry_size(entry) >= 0;
}

bool capture_reader_find_head(struct capture_reader *r, struct archive_entry **entry, struct err *e)
{
	int status = archive_read_next_header(r->in, entry);
	if (status == ARCHIVE_EOF || (status != ARCHIVE_OK && !archive_format(r->in))) /* no tar archive */
		return refuse_foreign_file(r, e);
	if (status != ARCHIVE_OK)
		return capture_reader_damaged(r, archive_error_string(r->in), e);
	const char *name = archive_entry_pathname(*entry);
	if (!name || strcmp(name, CAPTURE_HEAD_NAME) || !is_plain_file(*entry))
		return refuse_foreign_file(r, e);
	return archive_entry_size(*entry) <= CAPTURE_HEAD_MAX ||
		capture_reader_damaged(r, "its " CAPTURE_HEAD_NAME " is larger than 4 MiB", e);
}

bool capture_reader_next(struct capture_reader *r, struct archive_entry **entry, struct err *e)
{
	int status = archive_read_next_header(r->in, entry);
	if (status == ARCHIVE_EOF) {
		*entry = NULL;
		return true;
	}
	if (status != ARCHIVE_OK)
		return capture_reader_damaged(r, archive_error_string(r->in), e);
	const char *name = archive_entry_pathname(*entry);
	if (!name || !is_capture_path(name))
		return capture_reader_damaged(r, "it has a file that does not belong to a capture", e);
	return is_plain_file(*entry) || capture_reader_damaged(r, "it has a link, a device or another special file", e);
}

/* Copies the attribute to `out` as text; "" if it is missing or does not fit. */
static void copy_attribute(struct archive_entry *entry, const char *attribute, char *out, size_t size)
{
	const char *name;
	const void *value;
	size_t bytes;
	*out = 0;
	archive_entry_xattr_reset(entry);
	while (archive_entry_xattr_next(entry, &name, &value, &bytes) == ARCHIVE_OK)
		if (name && !strcmp(name, attribute) && bytes < size) {
			memcpy(out, value, bytes);
			out[bytes] = 0;
			return;
		}
}

bool capture_reader_copy(struct capture_reader *r, struct archive_entry *entry, const char *total,
	bool (*put)(void *ctx, const void *data, size_t bytes, struct err *e), void *ctx, struct err *e)
{
	struct entry_checksum sum;
	char stored[CHECKSUM_DIGITS + 1], computed[CHECKSUM_DIGITS + 1];
	la_int64_t size = archive_entry_size(entry), at = 0, offset;
	const void *data;
	size_t bytes;
	int status;

	copy_attribute(entry, CAPTURE_CHECKSUM_ATTR, stored, sizeof stored);
	entry_checksum_start(&sum, archive_entry_pathname(entry), total);
	while ((status = archive_read_data_block(r->in, &data, &bytes, &offset)) == ARCHIVE_OK) {
		if (offset != at || (la_int64_t)bytes > size - at)
			return capture_reader_damaged(r, "a file in it has another size than its entry says", e);
		entry_checksum_add(&sum, data, bytes);
		if (!put(ctx, data, bytes, e))
			return false;
		at += (la_int64_t)bytes;
	}
	if (status != ARCHIVE_EOF)
		return capture_reader_damaged(r, archive_error_string(r->in), e);
	entry_checksum_print(&sum, computed);
	return (at == size && !strcmp(stored, computed)) ||
		capture_reader_damaged(r, "the checksum of a file in it is wrong", e);
}

/* --- the head --- */
static bool put_in_buffer(void *ctx, const void *data, size_t bytes, struct err *e)
{
	(void)e;
	buf_add(ctx, data, bytes);
	return true;
}

/* A newer format may have other attributes: what it is called comes before what they say. */
static bool check_format(const struct capture_reader *r, const json_t *json, struct err *e)
{
	const json_t *format = json_object_get(json, CAPTURE_FORMAT_MEMBER);
	json_int_t number = json_integer_value(format);
	if (!json_is_integer(format) || number < 1)
		return refuse_foreign_file(r, e);
	return number <= CAPTURE_FILE_FORMAT ||
		err_set(e, ST_REQUEST,
			"%s was made by a newer wavedeck (format %" JSON_INTEGER_FORMAT "); update wavedeck", r->file,
			number);
}

/* "FILES BYTES", both in the limits. */
static bool parse_total(const char *text, struct capture_head *head)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	head->files = strtoull(text, &end, 10);
	if (*end != ' ' || end[1] < '0' || end[1] > '9')
		return false;
	head->bytes = strtoull(end + 1, &end, 10);
	return !*end && head->files >= 1 && head->files <= CAPTURE_FILES_MAX && head->bytes <= CAPTURE_BYTES_MAX &&
		head->bytes >= head->text.len;
}

static bool read_head(struct capture_reader *r, struct capture_head *head, struct err *e)
{
	struct archive_entry *entry;
	struct err damage = {0};
	char total[CAPTURE_TOTAL_MAX];

	if (!capture_reader_find_head(r, &entry, e))
		return false;
	buf_puts(&head->text, "");
	copy_attribute(entry, CAPTURE_TOTAL_ATTR, total, sizeof total);
	bool whole = capture_reader_copy(r, entry, total, put_in_buffer, &head->text, &damage);
	head->json = json_loadb(head->text.data, head->text.len, JSON_REJECT_DUPLICATES, NULL);
	if (json_is_object(head->json) && !check_format(r, head->json, e))
		return false;
	if (!whole)
		return err_set(e, damage.status, "%s", damage.text);
	if (!json_is_object(head->json))
		return capture_reader_damaged(r, "its " CAPTURE_HEAD_NAME " is not a JSON object", e);
	return parse_total(total, head) ||
		capture_reader_damaged(r, "it has more files or bytes than a capture can have", e);
}

bool capture_reader_begin(struct capture_reader *r, const char *file, struct capture_head *head, struct err *e)
{
	*head = (struct capture_head){0};
	return capture_reader_open(r, file, e) && read_head(r, head, e);
}

void capture_head_free(struct capture_head *head)
{
	buf_free(&head->text);
	json_decref(head->json);
	*head = (struct capture_head){0};
}
