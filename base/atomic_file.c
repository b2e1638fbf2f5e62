#include "base/atomic_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

bool file_write_atomic(
	const char *path, void (*print)(FILE *out, const void *ctx), const void *ctx, const char *fix, struct err *e)
{
	struct stat st;
	bool device = !stat(path, &st) && !S_ISREG(st.st_mode); /* /dev/stdout, a pipe, a folder: not replaced */
	char *real = device ? NULL : realpath(path, NULL);
	const char *to = real ? real : path;
	char *part = xasprintf("%s.part-%d", to, (int)getpid());
	FILE *out = fopen(device ? path : part, "we");
	bool ok = out != NULL;
	if (ok) {
		print(out, ctx);
		ok = !ferror(out);
		ok = !fclose(out) && ok && (device || !rename(part, to));
	}
	if (!ok)
		err_set(e, ST_FAILED, "cannot write %s: %s%s", path, strerror(errno ? errno : ENOSPC), fix);
	if (!ok && out && !device)
		unlink(part);
	free(part);
	free(real);
	return ok;
}
