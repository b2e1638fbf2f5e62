/* Creates and removes temporary folders. */
#include "kernels/compile/temporary_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { OPEN_FOLDERS = 8 };

char *temporary_folder_create(struct err *e)
{
	const char *const places[] = {getenv("TMPDIR"), "/tmp"};
	for (int i = 0; i < 2; i++) {
		if (!places[i] || places[i][0] != '/')
			continue;
		char *folder = xasprintf("%s/wavedeck-XXXXXX", places[i]);
		if (mkdtemp(folder))
			return folder;
		free(folder);
	}
	err_set(e, ST_FAILED, "cannot create a folder in /tmp: %s; set TMPDIR to a writable folder", strerror(errno));
	return NULL;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	remove(path);
	return 0;
}

void temporary_folder_remove(const char *folder)
{
	nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
