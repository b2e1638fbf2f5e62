/* Which of the runtime's allocations are the program's: the last one that one of HIP's functions makes before it
 * returns to the program. What it allocates before, such as the buffers of a queue on first use, is the runtime's.
 *
 * HIP's functions are interposed. A program that takes their addresses from dlsym does not call the hooks; then the
 * stack tells which function was called, and all that it allocates counts as the program's. */
#ifndef SOFTGPU_DRIVER_CHECK_ALLOCATION_CALLS_H
#define SOFTGPU_DRIVER_CHECK_ALLOCATION_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* --- a function of HIP --- */
/* The calls nest on a thread; only the outermost counts. */
void allocation_call_begin(void);
/* status 0: success. `how` is the function's name. */
void allocation_call_end(const char *how, int status);
/* The same for a function that has put `bytes` bytes at `address`, also if the runtime did not have to allocate. */
void allocation_call_end_at(const char *how, int status, uint64_t address, uint64_t bytes);

/* `address`: what the program passed; 0 if it is no address of memory. */
void free_call_begin(uint64_t address);
void free_call_end(int status);
/* The memory counts as freed already while the function runs. */
void free_call_begin_now(uint64_t address);

/* --- a function of HSA, which HIP or the program has called --- */
/* Whether what it allocates may be the program's. */
bool allocation_may_be_programs(void);
/* Only after the above. host: the memory that the program has registered; otherwise 0. */
void allocation_note(uint64_t address, uint64_t bytes, uint64_t host);
struct noted_free {
	uint64_t address;
	uint32_t number; /* 0: nothing that is known */
};
/* Before the memory at `address` is freed, or the registered memory at `host` is unlocked; `revert` if that fails. */
struct noted_free allocation_note_free(uint64_t address);
struct noted_free allocation_note_unlock(uint64_t host);
void allocation_revert_free(struct noted_free f);

#endif
