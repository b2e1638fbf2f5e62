/* A model of a kernel's code: instructions with their source lines, the hot loop and its dependence chain, the expected
 * instructions, resources and occupancy. The command `isa` and the code view show the same model. */
#ifndef EXPERIMENTS_ANALYSIS_CODE_MODEL_H
#define EXPERIMENTS_ANALYSIS_CODE_MODEL_H

#include <jansson.h>

#include "experiments/definition/experiment.h"
#include "kernels/inspect/dependence_chain.h"
#include "kernels/inspect/code_object.h"
#include "kernels/inspect/isa_contract.h"
#include "kernels/inspect/instruction_costs.h"
#include "kernels/inspect/listed/listed_isa.h"

/* Which code to load: a job's kernel, for a block of some size. Owns its strings and the contract; code_request_free.
 */
struct code_request {
	char *device, *arch;          /* "soft:mi25", "gfx900" */
	char *file, *defines, *entry; /* as in a job; file NULL: only a code object */
	char *source;                 /* of a code object: the file that it was compiled from; NULL: `file` */
	unsigned block, dynamic_lds;  /* work-items, bytes */
	json_t *contract;             /* as in a job; NULL: none */
	long long changed;            /* modification time of the source, ns */
};

/* The experiment's kernel at these values. False with an error if it has none. */
bool code_request_build(struct experiment *x, const double *values, bool soft, const char *device, const char *arch,
	struct code_request *out, struct err *e);
void code_request_free(struct code_request *r);
void code_request_copy(struct code_request *to, const struct code_request *from);
/* The file whose lines the code comes from, as in a job; NULL: not known. */
const char *code_request_source(const struct code_request *r);
bool code_request_equals(const struct code_request *a, const struct code_request *b);

enum { CODE_CONTRACTS = 8 };
struct code_contract {
	struct isa_contract is;
	int found;
	bool holds;
};

struct code_model {
	struct code_request request;
	struct code_object *object;         /* NULL if borrowed from the caller */
	struct kernel_info info;            /* occupancy for the request's block, LDS with the dynamic part */
	char *where;                        /* "fma.hip -DUNROLL=4 (clang 15.0.6)" */
	char warning[320];                  /* from the compiler */
	const struct listed_isa *listed;    /* a tool of others lists the lines; NULL: they are decoded */
	struct kernel_line *lines;          /* NULL: no disassembler for the target, see `why_no_lines` */
	size_t count, loop_start, loop_end; /* without padding; equal: no loop */
	char why_no_lines[sizeof((struct err *)0)->text];
	uint8_t *code;                 /* bytes from the first line on */
	bool *on_chain;                /* one flag per line */
	uint8_t *bank_cycles;          /* per line: lost to conflicts of register banks */
	struct dependence_chain chain; /* of the hot loop */
	int *source_line;              /* per line, from 1; 0: none */
	bool mapped;                   /* the code object has line tables */
	char **source;                 /* lines of the source; NULL if it cannot be read */
	int source_count;
	struct code_contract contract[CODE_CONTRACTS]; /* the ones for this target */
	int contract_count;
	struct kernel_limit limits[KERNEL_LIMITS_MAX];
	unsigned limit_count;
	struct issue_costs costs;
	char costs_of[64]; /* the software GPU model that the costs are from */
};

/* Compiles the kernel if needed. Callable from any thread. NULL with an error. code_model_free. */
struct code_model *code_model_load(const struct code_request *r, struct err *e);
/* A kernel of a code object that must stay open while the model exists. `where` names the object. */
struct code_model *code_model_from_object(
	const struct code_object *o, const struct kernel_info *k, const struct code_request *r, const char *where);
void code_model_free(struct code_model *m);
/* Adds to `where` which tools have listed the code: "fma.hip (nvcc V13.0.88; ptxas, nvdisasm)". */
void code_model_name_tools(struct code_model *m, const char *tools);

/* --- queries --- */
struct instruction_mix {
	unsigned all, units[UNIT_COUNT], cycles /* to issue one after another; 0 if the costs are not known */;
	unsigned integer_adds, wide_adds; /* of SASS: such as for addresses, and those of them with 64 bits */
};
struct instruction_mix code_count_instructions(const struct code_model *m, size_t start, size_t end);
unsigned instruction_mix_vmem(const struct instruction_mix *m); /* global, flat, buffer and scratch instructions */
unsigned instruction_mix_other(
	const struct instruction_mix *m); /* without a unit: waits, no-ops, barriers, the end; and invalid words */
bool code_has_loop(const struct code_model *m);
/* Whether registers, LDS, scratch and with them the occupancy are known: of PTX only where ptxas has compiled it. */
bool code_knows_resources(const struct code_model *m);
/* The expected instruction that this line matches, or NULL. */
const struct code_contract *code_find_contract(const struct code_model *m, size_t line);
bool code_contract_holds(const struct code_model *m);
/* The target line of a branch; false for other instructions. */
bool code_branch_target(const struct code_model *m, size_t line, size_t *to);
/* Code is fetched in windows. On some targets a single wave waits when an instruction crosses two. */
enum { FETCH_WINDOW = 32 /* bytes */ };
bool code_crosses_fetch_window(const struct kernel_line *l);

/* An instruction's encoding, word by word: "DC508000 017F0002". At most CODE_WORDS_TEXT bytes. */
enum { CODE_WORDS_TEXT = 40 };
char *code_text_words(const struct code_model *m, size_t line, char *out, size_t size);

/* Properties as one line of text each, the same on the screen and on the command line. */
char *code_text_registers(const struct code_model *m, char *out, size_t size);
char *code_text_memory(const struct code_model *m, char *out, size_t size);
char *code_text_occupancy(const struct code_model *m, char *out, size_t size);
char *code_text_limits(
	const struct code_model *m, char *out, size_t size); /* "waves per SIMD: wave slots 10, VGPRs 10, SGPRs 10" */
char *code_text_loop(const struct code_model *m, char *out, size_t size);
char *code_text_chain(const struct code_model *m, char *out, size_t size);
char *code_text_contract(const struct code_model *m, char *out, size_t size);

#endif
