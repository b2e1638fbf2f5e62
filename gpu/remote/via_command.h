/* A command that starts a worker elsewhere, such as `ssh node7`: how it is run, and what its end means. */
#ifndef GPU_REMOTE_VIA_COMMAND_H
#define GPU_REMOTE_VIA_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { VIA_LABEL_MAX = 120 };

/* The shell's script that runs it with the arguments that follow it: program there, "worker", "--device", name. The
 * program is `wavedeck`, or the command's last word if that is a path of one. The caller frees it. */
char *via_format_script(const char *via);

/* The command without a program at its end. The caller frees it. */
char *via_copy_connection(const char *via);

/* What people call the place: the host of an ssh command, otherwise the command. */
void via_format_label(const char *via, char label[VIA_LABEL_MAX]);

struct via_end {
	const char *via, *label;
	int status;            /* from waitpid */
	bool greeted;          /* the worker has said hello */
	const char *last_line; /* of standard error; "" if none */
	const char *doing;     /* "running point 3"; "" if idle */
};
/* Explains an end that is not the worker's own; false if it is the worker's. *hopeless: to start it again would not
 * help. */
bool via_describe_end(const struct via_end *end, char *out, size_t size, bool *hopeless);

#endif
