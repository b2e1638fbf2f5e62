/* The words of a device's vendor. Texts are written with AMD's; for a GPU of NVIDIA they are shown with NVIDIA's. */
#ifndef BASE_VENDOR_VENDOR_WORDS_H
#define BASE_VENDOR_VENDOR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a target is one of NVIDIA's: "sm_90", or "sm" where it is not known which. */
bool vendor_is_nvidia(const char *arch);

/* Replaces a text by that for the target. A text that names hardware of AMD's, such as "128 per WGP on RDNA", is about
 * that hardware and stays as it is. At most `size` bytes. Returns `text`. */
char *vendor_words_apply(const char *arch, char *text, size_t size);
/* A unit as it is shown for the target: "SMs" for "CUs". Files keep AMD's. `unit`, or a text that stays. */
const char *vendor_unit(const char *arch, const char *unit);

#endif
