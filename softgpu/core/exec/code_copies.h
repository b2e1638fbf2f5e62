/* The code that a machine's threads have decoded, as it was then, by page. All threads share it: whether code has
 * changed, and with it what instruction caches hold, must not depend on which thread ran it. */
#ifndef SOFTGPU_CORE_EXEC_CODE_COPIES_H
#define SOFTGPU_CORE_EXEC_CODE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/vm.h"

enum { CODE_PAGE_BYTES = 4096 };

struct code_copies *code_copies_open(void); /* NULL: out of memory */
void code_copies_close(struct code_copies *c);

/* Copies the page at `va` as `vm` has it now, unless there is a copy. Any thread may call it. False: out of memory. */
bool code_copies_add(struct code_copies *c, struct vm *vm, uint64_t va);

/* Between launches, or when one joins others: whether memory differs from any copy, and to drop all. */
bool code_copies_are_stale(const struct code_copies *c, struct vm *vm);
void code_copies_clear(struct code_copies *c);

#endif
