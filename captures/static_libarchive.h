/* What the program defines in place of libarchive.a. */
#ifndef CAPTURES_STATIC_LIBARCHIVE_H
#define CAPTURES_STATIC_LIBARCHIVE_H

struct archive;
struct archive_entry;
void __archive_write_entry_filetype_unsupported(struct archive *a, struct archive_entry *entry, const char *format);

#endif
