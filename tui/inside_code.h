/* The instructions that a launch issued, and the names of what its cycles went to: what all pages of the inside view
 * share. */
#ifndef TUI_INSIDE_CODE_H
#define TUI_INSIDE_CODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { SPAN_CAUSES = 64 };

struct code_line {
	int64_t offset;
	uint64_t count;
	char text[96];
};
struct inside_code {
	struct code_line *line; /* by address; owned */
	int lines;
	char cause[SPAN_CAUSES][20]; /* "DRAM_QUEUE" */
	int causes;
	uint64_t cycles; /* of the launch */
};

/* From a point record's "inside"; what was there before is freed. */
void inside_code_read(struct inside_code *c, const json_t *inside);
void inside_code_free(struct inside_code *c);
const char *inside_code_text(const struct inside_code *c, int64_t offset); /* "" for an offset that was never issued */
int inside_code_at(const struct inside_code *c, int64_t offset);           /* its line, -1 */
const char *inside_code_cause(const struct inside_code *c, int cause);     /* "" beyond them */

/* Whether it accesses memory or LDS; which of the two. */
enum memory_way { NO_MEMORY, BY_VECTOR, BY_LDS, BY_SCALAR };
enum memory_way code_line_memory(const char *text);

#endif
