#include "tui/shell/files/definition_wait.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/toolkit/theme.h"

bool definition_wait_can_help(const char *experiment)
{
	struct stat st;
	size_t n = experiment ? strlen(experiment) : 0;
	return n > 4 && !strcmp(experiment + n - 4, ".lua") && !stat(experiment, &st) && S_ISREG(st.st_mode) &&
		!access(experiment, R_OK);
}

int definition_wait_open(const char *path)
{
	char *folder = path_copy_folder(path);
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (fd >= 0 && inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
		close(fd);
		fd = -1;
	}
	free(folder);
	return fd;
}

bool definition_wait_read(int fd)
{
	_Alignas(struct inotify_event) char bytes[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
	bool any = false;
	while (read(fd, bytes, sizeof bytes) > 0)
		any = true;
	return any;
}

/* Of a row of that width: up to a blank if there is one in its second half. */
static size_t row_bytes(const char *text, int width)
{
	size_t n = text_fit_bytes(text, width), blank = n;
	while (text[n] && blank > n / 2 && text[blank] != ' ')
		blank--;
	return text[n] && blank > n / 2 ? blank : n;
}

/* Returns the row after the text. */
static int draw_wrapped(struct area at, int y, int role, const char *text)
{
	for (size_t n; *text && y < at.r.h && (n = row_bytes(text, at.r.w)); y++) {
		area_printf(at, 0, y, role, "%.*s", (int)n, text);
		text += n;
		text += strspn(text, " ");
	}
	return y;
}

void definition_wait_draw(struct grid *g, bool ascii, const char *path, const char *error)
{
	char text[PATH_MAX + 80];
	g->ascii = ascii;
	grid_clear(g);
	struct area all = area_of_grid(g, (struct rect){0, 0, g->w, g->h}), frame = area_sub(all, 0, 0, g->w, g->h - 1);
	area_draw_frame(frame, true, "Definition", "");
	struct area in = area_sub(frame, 2, 2, frame.r.w - 4, frame.r.h - 4);
	int y = draw_wrapped(in, 0, ROLE_BAD, error);
	snprintf(text, sizeof text,
		"Waiting for a save in the folder of %s. The workbench opens when the mistake is gone.",
		path_basename(path));
	draw_wrapped(in, y + 1, ROLE_TEXT, text);
	area_draw_text(all, 1, g->h - 1, ROLE_KEY, "q");
	area_draw_text(all, 3, g->h - 1, ROLE_DIM, "quit");
}
