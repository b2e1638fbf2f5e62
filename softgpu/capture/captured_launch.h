/* A launch that was kept: what it needs to run again in another process, on another machine and without ROCm, and what
 * it did. As a file, a sequence of parts: a tag of four letters, the number of bytes (8 bytes, little endian), the
 * bytes. Parts with unknown tags are skipped. docs/capture.md describes them. */
#ifndef SOFTGPU_CAPTURE_CAPTURED_LAUNCH_H
#define SOFTGPU_CAPTURE_CAPTURED_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "softgpu/core/softgpu.h"

#define CAPTURE_MAGIC "wavedeck-launch"
/* 1: the first. Raised when a part changes its meaning. */
enum {
	CAPTURE_VERSION = 1,
	CAPTURE_MODEL_BYTES = 4096,
	CAPTURE_NAME_BYTES = 1024,
	CAPTURE_REASON_BYTES = 256,
	CAPTURE_CODE_BYTES = 32
};

/* Memory of the launch, in the order of `at`: offsets in an address space of its own, so that two GPU addresses of the
 * same memory stay one. Of each device: its memory, and from CAPTURE_HOST_AT on memory of the host. */
#define CAPTURE_DEVICE_BYTES (UINT64_C(1) << 40)
#define CAPTURE_HOST_AT      (UINT64_C(1) << 38)
#define CAPTURE_PROGRAM_AT   (UINT64_C(1) << 47) /* then the program's own memory */
#define CAPTURE_MEMORY_MAX   (UINT64_C(1) << 37) /* bytes of all pages, those of zeros, too */
struct captured_page {
	uint64_t at, bytes;
	uint8_t *before; /* owned; NULL: zeros */
	bool written;    /* device memory: by the launch */
	uint8_t *after;  /* owned; host memory that has changed, by the launch or by the program; else NULL */
};
struct captured_mapping {
	uint64_t va, size, phys, at, access; /* access: enum vm_access */
};

/* What the program had allocated, to the byte. */
enum { CAPTURE_HOW_BYTES = 48, CAPTURE_ALLOCATIONS_MAX = 1 << 18 };
struct captured_allocation {
	uint64_t va, bytes;
	char how[CAPTURE_HOW_BYTES]; /* the function that allocated it: "hipMalloc"; letters, digits and _ */
};

struct captured_launch {
	char model[CAPTURE_MODEL_BYTES];   /* "mi25", "mi25,l1_bytes=65536" */
	char kernel[CAPTURE_NAME_BYTES];   /* its symbol */
	char reason[CAPTURE_REASON_BYTES]; /* why it cannot be run again; "": it can */
	char code[CAPTURE_CODE_BYTES];     /* the kernel's code object, a file in the same folder; "": not known */
	uint64_t number;                   /* of the launch in its process, from 0 */
	struct dispatch dispatch;          /* `gws` and `interrupt` are NULL */
	bool has_gws;
	struct gws_resources gws;
	struct captured_mapping *mappings; /* owned */
	size_t mapping_count;
	struct captured_allocation *allocations; /* owned; in the order of va, apart */
	size_t allocation_count;                 /* 0: also of older files, where they are not known */
	struct captured_page *pages;             /* owned */
	size_t page_count;
	uint64_t page_bytes; /* of all pages that were read from a file */
	uint8_t *state;      /* gpu_save_state; owned */
	size_t state_bytes;
	struct launch_result result;
	uint64_t digest; /* of the written pages after the launch */
};

/* False with errno set. */
bool captured_launch_write(const struct captured_launch *c, FILE *out);
/* `data` may be anything: false with the reason in one line. The caller calls captured_launch_clear in any case. */
bool captured_launch_read(struct captured_launch *c, const uint8_t *data, size_t bytes, char *why, size_t size);
/* The same from a file. */
bool captured_launch_load(struct captured_launch *c, const char *file, char *why, size_t size);
void captured_launch_clear(struct captured_launch *c);
/* Continues a digest of memory, which starts with 0, with the bytes at the offset `at`: 64 bits, for comparisons. */
uint64_t capture_digest(uint64_t h, uint64_t at, const void *data, size_t bytes);

#endif
