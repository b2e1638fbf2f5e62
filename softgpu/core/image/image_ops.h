/* The image instructions (MIMG) of a wave. Each moves the data of all active lanes and times the access; an unsupported
 * descriptor stops the kernel. */
#ifndef SOFTGPU_CORE_IMAGE_IMAGE_OPS_H
#define SOFTGPU_CORE_IMAGE_IMAGE_OPS_H

#include "softgpu/core/memory/l1.h"

/* What the name of a load or store says. */
enum image_access_flag {
	IMAGE_MIP = 1,    /* the address has a level */
	IMAGE_PACKED = 2, /* the bits of the texel, without conversion */
	IMAGE_SIGNED = 4  /* sign-extended to a dword */
};

void image_load(struct wave *w, const struct uop *i, unsigned flags);
void image_store(struct wave *w, const struct uop *i, unsigned flags);
void image_sample(struct wave *w, const struct uop *i, unsigned flags); /* enum isa_image_sample */
void image_get_resinfo(struct wave *w, const struct uop *i);
/* Finds the cells of an atomic and times it; the caller changes them. False: the kernel has stopped, or it is deferred
 * (memory/window/deferred_access.h). */
bool image_begin_atomic(struct wave *w, const struct uop *i, struct image_access *x);

#endif
