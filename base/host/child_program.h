/* Runs a program in a child process, without the software GPU or anything else that is preloaded into this process. */
#ifndef BASE_HOST_CHILD_PROGRAM_H
#define BASE_HOST_CHILD_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

enum { CHILD_KILLED = 128 /* as an exit status: ended by a signal */ };

/* Exit status of argv[0], -1 with errno if it cannot run, or CHILD_KILLED. Its standard output and error are added to
 * `log`, at most 1 MiB. It runs in our process group. `temporary`: its current folder, and that of
 * its temporary files; NULL: ours, and TMPDIR. `report` (may be NULL) is called with its process number, and with 0
 * when it has ended but its number is not free. */
int child_run(char *const *argv, const char *temporary, void (*report)(pid_t), struct buf *log);
/* Whether it exits with 0; its output is in `log`, which may be NULL. */
bool child_succeeds(char *const *argv, struct buf *log);

#endif
