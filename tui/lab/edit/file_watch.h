/* Watches the files of the current experiment: when its Lua file, its kernel or the C file of its
 * reference is saved, the sweep is measured again. The setting `watch` switches it. */
#ifndef TUI_LAB_EDIT_FILE_WATCH_H
#define TUI_LAB_EDIT_FILE_WATCH_H

#include "tui/lab/app.h"

void file_watch_enable(struct app *a, bool on);
bool file_watch_is_on(const struct app *a);
int file_watch_saves(const struct app *a);               /* how many saves were noticed since it was switched on */
const char *file_watch_kernel_name(const struct app *a); /* the file name of the watched kernel; "": none */
int file_watch_poll_fd(const struct app *a, int *fd);    /* writes the descriptor to poll; returns 1, or 0 when off */
void file_watch_pump(struct app *a);                     /* after every poll */
void file_watch_close(struct app *a);

#endif
