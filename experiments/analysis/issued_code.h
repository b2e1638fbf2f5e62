/* The instructions that a launch issued, and the names of what its cycles went to: what all pages of the inside view
 * share. */
#ifndef EXPERIMENTS_ANALYSIS_ISSUED_CODE_H
#define EXPERIMENTS_ANALYSIS_ISSUED_CODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { STALL_REASONS_MAX = 64 };

struct issued_instruction {
	int64_t offset;
	uint64_t count;
	char text[96];
};
struct inspector_code {
	struct issued_instruction *line; /* by address; owned */
	int lines;
	char cause[STALL_REASONS_MAX][20]; /* "DRAM_QUEUE" */
	int causes;
	uint64_t cycles; /* of the launch */
};

/* From a point record's "inside"; what was there before is freed. */
void inspector_code_read(struct inspector_code *c, const json_t *inside);
void inspector_code_free(struct inspector_code *c);
const char *inspector_code_text(
	const struct inspector_code *c, int64_t offset); /* "" for an offset that was never issued */
int inspector_code_find_line(const struct inspector_code *c, int64_t offset);     /* its line, -1 */
const char *inspector_code_stall_name(const struct inspector_code *c, int cause); /* "" beyond them */

/* Whether it accesses memory or LDS; which of the two. */
enum memory_path { MEMORY_PATH_NONE, MEMORY_PATH_VECTOR, MEMORY_PATH_LDS, MEMORY_PATH_SCALAR };
enum memory_path instruction_memory_path(const char *text);

#endif
