/* Where the program was when it called: stacks of the host. Each distinct stack is kept once and has a number, from 1
 * on. They are kept to the end of the process, but no more than HOST_STACKS_MAX: later ones have number 0. */
#ifndef SOFTGPU_DRIVER_CHECK_HOST_STACK_H
#define SOFTGPU_DRIVER_CHECK_HOST_STACK_H

#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum { HOST_STACK_FRAMES = 24, HOST_STACKS_MAX = 65536 };

struct host_frame {         /* strings are valid to the end of the process */
	const char *module; /* path of the file that the code is from; "": not known */
	uint64_t offset;    /* address in that ELF file, one byte before the return address: in the line of the call */
	const char *symbol; /* function, if the module exports it; otherwise NULL */
};

/* The function that the program has called, of the runtime or of this library; NULL if it is not known. Takes no lock.
 * Valid while the runtime is loaded. */
const char *host_stack_find_call(void);
/* The stack of the calling thread, from the program's own frame on: those of the runtime and of this library above it
 * are left out. Takes the loader's lock: call it under no lock. 0: not kept. */
uint32_t host_stack_take(void);

/* The frames of a stack, the innermost first. Valid to the end of the process. 0 for number 0. */
size_t host_stack_frames(uint32_t number, const struct host_frame **out);
/* Appends a line a frame: the module, a tab, the offset in hexadecimal, a tab, the symbol or nothing. */
void host_stack_append(struct strbuf *out, uint32_t number);

/* In a forked child, where another thread may have held the lock. */
void host_stacks_reset_in_child(void);

#endif
