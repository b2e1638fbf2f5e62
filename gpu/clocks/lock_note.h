/* The note that the clock of a device is locked: /run/wavedeck/clock-cuda-0. It is there while the clock is locked, and
 * after the process that gives it back was killed; then `wavedeck devices` says how to give it back. It is gone after a
 * restart of the machine, as the lock is. */
#ifndef GPU_CLOCKS_LOCK_NOTE_H
#define GPU_CLOCKS_LOCK_NOTE_H

#include "gpu/backends/backend.h"

struct clock_note {
	char device[DEVICE_SHORT_NAME];
	unsigned mhz;
	int pid;                       /* of the front end that asked for it */
	bool held;                     /* the process that gives it back is alive */
	char give_back[CLOCK_COMMAND]; /* a command */
};

/* Writes the note, and holds it until the process ends or clock_note_drop: a descriptor. -1 with an error, also if
 * another process holds one for the device; one that no process holds is replaced. */
int clock_note_write(const struct clock_note *n, struct err *e);
void clock_note_drop(const char *device, int note);
/* False: there is none for the device. */
bool clock_note_read(const char *device, struct clock_note *out);
/* All of this machine; the number of them, at most `max`. */
size_t clock_notes_list(struct clock_note *out, size_t max);
/* The file of a device's note. The caller frees it. */
char *clock_note_path(const char *device);

#endif
