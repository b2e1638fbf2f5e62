/* The instructions that a launch issued, and the names of its stall reasons; all pages of the inspector use them. */
#ifndef EXPERIMENTS_ANALYSIS_ISSUED_CODE_H
#define EXPERIMENTS_ANALYSIS_ISSUED_CODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { STALL_REASONS_MAX = 64 };

struct issued_instruction {
	int64_t offset;
	uint64_t count;  /* times issued, by all waves */
	uint64_t cycles; /* of all waves: issuing it, and stalled at it */
	char text[96];
};
struct issued_code {
	struct issued_instruction *line; /* by address; owned */
	int lines;
	char cause[STALL_REASONS_MAX][20]; /* "DRAM_QUEUE" */
	int causes;
	uint64_t cycles; /* of the launch */
};

/* Reads "inside" of a point record; frees what `c` held before. */
void issued_code_read(struct issued_code *c, const json_t *inside);
void issued_code_free(struct issued_code *c);
const char *issued_code_text(const struct issued_code *c, int64_t offset); /* "" if the offset was never issued */
/* The first line of the loop that contains the instruction with the most cycles, and how often each wave runs it, given
 * the number of waves. -1: that instruction is in no loop. */
int issued_code_find_hot_loop(const struct issued_code *c, uint64_t waves, uint64_t *trips);
int issued_code_find_line(const struct issued_code *c, int64_t offset);     /* its line, or -1 */
const char *issued_code_stall_name(const struct issued_code *c, int cause); /* "" if out of range */

/* How an instruction accesses memory, if it does. */
enum memory_path { MEMORY_PATH_NONE, MEMORY_PATH_VECTOR, MEMORY_PATH_LDS, MEMORY_PATH_SCALAR };
enum memory_path instruction_memory_path(const char *text);

#endif
