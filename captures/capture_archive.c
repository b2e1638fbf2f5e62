/* What one learns of a capture file without unpacking it. */
#include "captures/capture_archive.h"

#include "base/paths.h"
#include "captures/capture_reader.h"

bool capture_archive_read_head(const char *file, json_t **capture, struct err *e)
{
	struct capture_reader r;
	struct capture_head head;
	bool ok = capture_reader_begin(&r, file, &head, e);
	*capture = ok ? json_incref(head.json) : NULL;
	capture_head_free(&head);
	capture_reader_close(&r);
	return ok;
}

bool is_capture_file(const char *file)
{
	struct capture_reader r;
	struct archive_entry *entry;
	bool is = capture_reader_open(&r, file, NULL) &&
		(path_has_suffix(file, ".wbc") || capture_reader_find_head(&r, &entry, NULL));
	capture_reader_close(&r);
	return is;
}
