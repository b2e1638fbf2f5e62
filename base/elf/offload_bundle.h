/* Bundles of code for the host and for several GPUs: in the section .hip_fatbin of HIP programs, one for each source
 * file, and from hiprtc. Layout: LLVM documentation, "Clang Offload Bundler". */
#ifndef BASE_ELF_OFFLOAD_BUNDLE_H
#define BASE_ELF_OFFLOAD_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum offload_format { OFFLOAD_NONE, OFFLOAD_BUNDLE, OFFLOAD_COMPRESSED };
enum offload_format offload_format_of(const void *data, size_t size);

struct offload_entry {
	char id[128]; /* "hipv4-amdgcn-amd-amdhsa--gfx908:sramecc+:xnack-"; longer ones are cut */
	const uint8_t *code;
	size_t size;
};
/* Goes through the entries of a bundle. Begins with zeros; `damaged` is set at an entry that lies outside. */
struct offload_cursor {
	uint64_t index;
	size_t at;
	bool damaged;
};
/* The next entry of a bundle; false after the last, and if it lies outside. */
bool offload_next_entry(const void *data, size_t size, struct offload_cursor *c, struct offload_entry *out);
/* "gfx908:sramecc+:xnack-"; "" for the host's entry. */
const char *offload_target_of(const struct offload_entry *e);

struct offload_bundle {
	enum offload_format format;
	const uint8_t *data;
	size_t size; /* up to the end of the section */
};
/* The next bundle of a section from *at on; *at is set behind it. None follows a compressed one, which does not have
 * its size in each version. False: none. */
bool offload_next_bundle(const uint8_t *section, size_t size, size_t *at, struct offload_bundle *out);

#endif
