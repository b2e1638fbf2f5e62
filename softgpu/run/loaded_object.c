#include "softgpu/run/loaded_object.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elf/elf_image.h"
#include "softgpu/isa/isa.h"

enum { PAGE = 4096 };

static bool read_elf_file(struct loaded_object *o, const char *path, char *why, size_t size)
{
	FILE *f = fopen(path, "rb");
	const char *reason;

	if (!f) {
		snprintf(why, size, "cannot open %s: %s", path, strerror(errno));
		return false;
	}
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	rewind(f);
	o->file = malloc(n > 0 ? n : 1);
	size_t read = o->file && n > 0 ? fread(o->file, 1, n, f) : 0;
	fclose(f);
	if (!elf_open(&o->elf, o->file, read, EM_AMDGPU, &reason)) {
		snprintf(why, size, "%s is not an AMD GPU code object: %s", path, reason);
		return false;
	}
	return true;
}

const char *loaded_object_target(const struct loaded_object *o)
{
	const char *name = isa_target_name_of_elf(elf_flags(&o->elf));

	return name ? name : "an unknown target";
}

static bool copy_segments(struct loaded_object *o)
{
	o->size = (elf_image_size(&o->elf) + PAGE - 1) / PAGE * PAGE;
	o->host = o->size ? aligned_alloc(PAGE, o->size) : NULL;
	if (o->host)
		elf_image_load(&o->elf, o->host, o->size, o->va);
	return o->host;
}

bool loaded_object_open(
	struct loaded_object *o, struct gpu *g, const char *path, uint64_t va, uint64_t phys, char *why, size_t size)
{
	*o = (struct loaded_object){.gpu = g, .va = va};
	if (!read_elf_file(o, path, why, size)) {
		free(o->file);
		return false;
	}
	if (!copy_segments(o) || !gpu_map(g, va, o->size, o->host, phys, VM_READ | VM_WRITE | VM_EXEC)) {
		snprintf(why, size, "cannot map %s: its segments are missing, damaged or too large", path);
		free(o->host);
		free(o->file);
		return false;
	}
	return true;
}

void loaded_object_close(struct loaded_object *o)
{
	gpu_unmap(o->gpu, o->va, o->size);
	free(o->host);
	free(o->file);
}

/* The descriptor of a kernel is the symbol NAME.kd. */
uint64_t loaded_object_find_kernel(const struct loaded_object *o, const char *name)
{
	struct elf_symbol found = {0};
	char symbol[1024];

	if (!name)
		elf_symbol_ending(&o->elf, ".kd", &found);
	else if ((size_t)snprintf(symbol, sizeof symbol, "%s.kd", name) < sizeof symbol)
		elf_symbol(&o->elf, symbol, &found);
	return found.value ? o->va + found.value : 0;
}
