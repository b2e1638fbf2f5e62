#include "softgpu/driver/targets/device_code.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/elf/elf_file.h"
#include "base/elf/offload_bundle.h"
#include "softgpu/core/model_config.h"

/* --- targets --- */
/* No model replays accesses, so all have xnack-. An id without a feature fits both settings (LLVM documentation,
 * "Target ID"). */
static bool fits_feature(const char *feature, size_t length, const struct gpu_model *m)
{
	bool sramecc = m->identity.capability & GPU_MODEL_SRAMECC;

	if (!strncmp(feature, "xnack-", length))
		return true;
	return !strncmp(feature, sramecc ? "sramecc+" : "sramecc-", length);
}

bool device_code_target_fits(const char *target, const struct gpu_model *m)
{
	size_t length = strcspn(target, ":");

	if (length != strlen(m->target->name) || strncmp(target, m->target->name, length))
		return false;
	for (target += length; *target; target += length) {
		length = strcspn(++target, ":");
		if (!fits_feature(target, length, m))
			return false;
	}
	return true;
}

/* --- bundles --- */
/* Once; "..." if it does not fit. */
static void add_target(struct device_code *c, const char *target)
{
	static const char more[] = ", ...";
	size_t used = strlen(c->targets), length = strlen(target);

	for (const char *s = c->targets; (s = strstr(s, target)); s += length)
		if ((s == c->targets || s[-1] == ' ') && (s[length] == ',' || !s[length]))
			return;
	if (used + length + sizeof more + 2 < sizeof c->targets)
		strcat(strcat(c->targets, used ? ", " : ""), target);
	else if (used < sizeof more || strcmp(c->targets + used - (sizeof more - 1), more))
		strcat(c->targets, more);
}

static void add_bundle(struct device_code *c, const struct offload_bundle *b)
{
	bool has_code = false, fits[CODE_MODELS_MAX] = {0};
	struct offload_cursor at = {0};
	struct offload_entry e;

	while (offload_next_entry(b->data, b->size, &at, &e)) {
		const char *target = offload_target_of(&e);
		const struct gpu_model *m;

		if (!*target || !e.size)
			continue;
		has_code = true;
		add_target(c, target);
		for (size_t k = 0; k < CODE_MODELS_MAX && (m = model_at(k)); k++)
			fits[k] |= device_code_target_fits(target, m);
	}
	c->bundles += has_code;
	for (size_t k = 0; k < CODE_MODELS_MAX; k++)
		c->fits[k] += fits[k];
}

static void add_section(struct device_code *c, const void *file, size_t size)
{
	struct elf_file elf;
	struct offload_bundle b;
	const char *why;
	const uint8_t *section;
	size_t bytes, at = 0;

	if (!elf_open(&elf, file, size, EM_X86_64, &why) || !elf_find_section(&elf, ".hip_fatbin", &section, &bytes))
		return;
	while (offload_next_bundle(section, bytes, &at, &b))
		if (b.format == OFFLOAD_COMPRESSED)
			c->compressed = true;
		else
			add_bundle(c, &b);
}

/* Of the mapped file, only the pages that are read come into memory. */
void device_code_add_file(struct device_code *c, const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	struct stat st;
	void *file = MAP_FAILED;

	if (fd < 0)
		return;
	if (!syscall(SYS_fstat, fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	syscall(SYS_close, fd);
	if (file == MAP_FAILED)
		return;
	add_section(c, file, (size_t)st.st_size);
	munmap(file, (size_t)st.st_size);
}

/* --- models --- */
int device_code_choose(const struct device_code *c)
{
	int some = -1;

	for (int i = 0; i < CODE_MODELS_MAX; i++) {
		if (c->fits[i] && c->fits[i] == c->bundles)
			return i;
		if (c->fits[i] && some < 0)
			some = i;
	}
	return some;
}

unsigned device_code_fits(const struct device_code *c, const struct gpu_model *m)
{
	for (size_t i = 0; i < CODE_MODELS_MAX && model_at(i); i++)
		if (model_at(i) == m)
			return c->fits[i];
	return 0;
}
