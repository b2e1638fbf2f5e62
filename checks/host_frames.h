/* Where the program allocated and freed memory. */
#ifndef CHECKS_HOST_FRAMES_H
#define CHECKS_HOST_FRAMES_H

#include "checks/check_record.h"
#include "kernels/inspect/debug_lines.h"

/* Line tables of programs and libraries, each read once. */
struct host_modules;
struct host_modules *host_modules_new(void);
void host_modules_free(struct host_modules *m); /* NULL: nothing */
/* The source lines of a call; count 0: unknown. The caller frees them. */
void host_frame_find(struct host_modules *m, const struct host_frame *f, struct source_frames *out);
/* The calls of the program, without those inside of ROCm's libraries and headers: the first one, and how many. */
size_t host_stack_find_program(struct host_modules *m, const struct host_stack *s, size_t *first);
/* "fill at app.hip:12"; without lines "main in app" or "app+0x1b2". Returns the text, which the caller frees. */
char *host_frame_describe(struct host_modules *m, const struct host_frame *f);

#endif
