/* Code objects in a folder: source lines and instructions of their kernels. */
#ifndef CHECKS_CODE_POINTS_H
#define CHECKS_CODE_POINTS_H

#include "checks/check_places.h"

struct code_points;
struct code_points *code_points_new(const char *folder); /* NULL: none */
void code_points_free(struct code_points *c);
/* `code` is the file's name, or "". `offset`: from the first instruction of the kernel with that symbol. The caller
 * frees the frames. */
void code_points_find(
	struct code_points *c, const char *code, const char *kernel, int64_t offset, struct code_point *out);

#endif
