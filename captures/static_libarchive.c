/* For STATIC_DEPS=1. libarchive.a has this function in a file that names the writers of all formats, and these need
 * libxml2, nettle and more. Defined here, it keeps that file out of the program. The writer of tar calls it for an
 * entry that is neither a file, a link, a folder nor a device; captures have none. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "captures/static_libarchive.h"

void __archive_write_entry_filetype_unsupported(struct archive *a, struct archive_entry *entry, const char *format)
{
	(void)entry;
	archive_set_error(a, EINVAL, "%s has no entries of this type", format);
}
