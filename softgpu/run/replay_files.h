/* Runs captured launches again and compares each with what it did in its program. */
#ifndef SOFTGPU_RUN_REPLAY_FILES_H
#define SOFTGPU_RUN_REPLAY_FILES_H

#include <stdbool.h>

bool is_captured_launch(const char *file);
/* `files` ends with NULL. Prints a line for each. The exit status: 0 if each did the same. */
int replay_files(char **files);

#endif
