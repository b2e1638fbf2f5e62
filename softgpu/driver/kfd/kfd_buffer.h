/* The buffers of this process: its table of them, and where their memory is.
 *
 * A buffer that was freed is kept while another process has it open (shared_memory.h). */
#ifndef SOFTGPU_DRIVER_KFD_KFD_BUFFER_H
#define SOFTGPU_DRIVER_KFD_KFD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softgpu_device;

#define BUFFER_PAGE UINT64_C(4096)

enum buffer_kind { BUFFER_NONE, BUFFER_VRAM, BUFFER_GTT, BUFFER_USER, BUFFER_REGISTERS };

struct buffer {
	enum buffer_kind kind;
	struct softgpu_device *owner; /* the GPU in whose file it is */
	uint32_t mapped;              /* a bit for each GPU */
	uint32_t flags;
	uint64_t va, size;
	uint64_t serial; /* from 1 on; no other buffer of the process has it */
	uint64_t offset; /* in VRAM, GTT or user space */
	uint8_t *host;
	bool alias;      /* of a part of another buffer (kfd_alias.h) */
	uint32_t shared; /* 1 + its entry in the table of what other processes may open; 0: none */
	struct {
		bool open;
		int fd;
		uint64_t offset; /* in that file */
	} import;                /* of another process; an alias has the fd and the offset of its GPU's file */
};

bool kfd_buffers_init(struct softgpu_device *d);
void kfd_buffers_reset_in_child(void);

/* All calls below are under this lock. */
void kfd_buffers_lock(void);
void kfd_buffers_unlock(void);

/* The buffer of a handle; NULL if there is none. */
struct buffer *kfd_buffer_find(uint64_t handle);
/* The buffer that contains the address; NULL: none. */
struct buffer *kfd_buffer_containing(uint64_t va);
/* Enters a buffer and returns its handle; 0: out of memory. */
uint64_t kfd_buffer_enter(const struct buffer *b);
/* The handle of one that was entered. */
uint64_t kfd_buffer_handle(const struct buffer *b);
/* Its handle may be given to another buffer. */
void kfd_buffer_forget(struct buffer *b);

/* Takes addresses for b->size bytes, for the memory's kind and owner, and returns them. */
bool kfd_buffer_place(struct buffer *b);
void kfd_buffer_unplace(const struct buffer *b);
/* Takes back the pages and the addresses, now or when no other process has it open. */
void kfd_buffer_release(const struct buffer *b);
/* Looks again for released buffers that other processes have closed. */
void kfd_buffers_release_retained(void);

uint64_t *kfd_buffer_usage(const struct buffer *b); /* bytes in use, of the same kind and owner */
uint64_t kfd_buffer_phys(const struct buffer *b, const struct softgpu_device *from);

#endif
