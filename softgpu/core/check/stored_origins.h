/* Which stores of kernels left the undefined values in a page of memory: for each dword the last one. Of a
 * wave's stores of single bytes to it, the first work-item. */
#ifndef SOFTGPU_CORE_CHECK_STORED_ORIGINS_H
#define SOFTGPU_CORE_CHECK_STORED_ORIGINS_H

#include "softgpu/core/check_report.h"

enum { ORIGIN_DWORDS = 1024 /* of a page */ };

/* A work-item's store, and the number of its launch (gpu_number_launch). */
struct stored_origin {
	struct check_side store;
	uint64_t launch;
};

struct stored_origins;

/* Notes the store of a dword; NULL: it is not known. *o is allocated on first use; stored_origins_close frees it. A
 * page keeps the stores of 255 instructions of waves: those of further ones, and those for which memory runs out, are
 * unknown. */
void stored_origins_note(struct stored_origins **o, unsigned dword, const struct stored_origin *from);
/* False: unknown. `o` may be NULL. */
bool stored_origins_find(const struct stored_origins *o, unsigned dword, struct stored_origin *out);
void stored_origins_close(struct stored_origins *o);

#endif
