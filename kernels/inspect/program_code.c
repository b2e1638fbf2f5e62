#include "kernels/inspect/program_code.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/elf/elf_file.h"
#include "base/elf/offload_unpack.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/inspect/readable_name.h"

/* Of the file, and of the code in it: entries of a bundle may overlap, and compressed ones grow. */
enum { CODE_MAX = 1 << 30, GAPS_MAX = 16, TARGET_MAX = sizeof((struct program_gap *)0)->target };

struct reading {
	struct program_code *p;
	const char *path;
	size_t code_left; /* bytes */
	struct err *e;
};

static void *add_one(void *list, size_t *count, size_t size)
{
	char *grown = xrealloc(list, (*count + 1) * size);
	memset(grown + (*count)++ * size, 0, size);
	return grown;
}

/* --- code objects --- */
static void add_target(struct program_code *p, const char *target)
{
	for (size_t i = 0; i < p->target_count; i++)
		if (!strcmp(p->targets[i], target))
			return;
	p->targets = add_one(p->targets, &p->target_count, sizeof *p->targets);
	p->targets[p->target_count - 1] = xstrdup(target);
}

/* Once for each target. */
static void add_gap(struct program_code *p, const char *target, const char *why)
{
	for (size_t i = 0; i < p->gap_count; i++)
		if (i + 1 == GAPS_MAX || !strcmp(p->gaps[i].target, target))
			return;
	p->gaps = add_one(p->gaps, &p->gap_count, sizeof *p->gaps);
	struct program_gap *g = &p->gaps[p->gap_count - 1];
	snprintf(g->target, sizeof g->target, "%s", target);
	snprintf(g->why, sizeof g->why, "%s", why);
}

static void add_kernels(struct program_code *p, const struct code_object *o, const char *target)
{
	const struct kernel_info *list;
	size_t n = code_object_list_kernels(o, &list);
	if (!n)
		return;
	add_target(p, target ? target : list->arch);
	p->kernels = xrealloc(p->kernels, (p->kernel_count + n) * sizeof *p->kernels);
	for (size_t i = 0; i < n; i++) {
		const char *of = target ? target : list[i].arch;
		for (size_t t = 0; t < p->target_count; t++) /* one that lives as long as the list */
			of = strcmp(p->targets[t], of) ? of : p->targets[t];
		p->kernels[p->kernel_count++] =
			(struct program_kernel){of, kernel_readable_name(list[i].name), o, &list[i]};
	}
}

/* `target` NULL: from the code object. One that cannot be shown is no error: the others can. */
static bool add_code(struct reading *r, const uint8_t *code, size_t size, const char *target)
{
	struct err why;
	if (size > r->code_left)
		return err_set(
			r->e, ST_REQUEST, "%s has more than 1 GiB of GPU code; compile it for fewer targets", r->path);
	r->code_left -= size;
	if (size < SELFMAG || memcmp(code, ELFMAG, SELFMAG)) {
		add_gap(r->p, target ? target : "?", "it is not machine code");
		return true;
	}
	struct code_object *o = code_object_from_bytes(path_basename(r->path), code, size, &why);
	if (!o) {
		add_gap(r->p, target ? target : "?", why.text);
		return true;
	}
	r->p->objects = add_one(r->p->objects, &r->p->object_count, sizeof *r->p->objects);
	r->p->objects[r->p->object_count - 1] = o;
	add_kernels(r->p, o, target);
	return true;
}

/* --- bundles --- */
static bool add_bundle(struct reading *r, const uint8_t *data, size_t size)
{
	struct offload_cursor at = {0};
	struct offload_entry entry;
	while (offload_next_entry(data, size, &at, &entry)) {
		char target[TARGET_MAX];
		snprintf(target, sizeof target, "%s", offload_target_of(&entry));
		if (*target && entry.size && !add_code(r, entry.code, entry.size, target))
			return false;
	}
	return !at.damaged ||
		err_set(r->e, ST_REQUEST,
			"%s is damaged: a bundle of its GPU code lies outside of the file; build it again", r->path);
}

/* *used gets the bytes of the compressed bundle. */
static bool add_compressed(struct reading *r, const struct offload_bundle *b, size_t *used)
{
	const char *why;
	size_t size;
	uint8_t *data = offload_unpack(b, r->code_left, &size, used, &why);
	if (!data)
		return err_set(r->e, ST_REQUEST, "%s has compressed GPU code that cannot be read: %s", r->path, why);
	bool ok = offload_format_of(data, size) == OFFLOAD_BUNDLE
		? add_bundle(r, data, size)
		: err_set(r->e, ST_REQUEST, "%s has compressed GPU code that is not a bundle; build it again", r->path);
	free(data);
	return ok;
}

static bool add_bundles(struct reading *r, const uint8_t *section, size_t size)
{
	struct offload_bundle b;
	size_t at = 0, used;
	while (offload_next_bundle(section, size, &at, &b))
		if (b.format == OFFLOAD_BUNDLE) {
			if (!add_bundle(r, b.data, b.size))
				return false;
		} else {
			if (!add_compressed(r, &b, &used))
				return false;
			at = (size_t)(b.data - section) + (used + 7) / 8 * 8;
		}
	return true;
}

/* --- files --- */
static bool add_program(struct reading *r, const uint8_t *data, size_t size)
{
	struct elf_file elf;
	const char *why;
	const uint8_t *section;
	size_t bytes;
	if (!elf_open(&elf, data, size, EM_X86_64, &why))
		return err_set(r->e, ST_REQUEST, "cannot read GPU code from %s: it is %s", r->path, why);
	if (!elf_find_section(&elf, ".hip_fatbin", &section, &bytes))
		return err_set(r->e, ST_REQUEST,
			"%s has no GPU code of HIP (no section .hip_fatbin); name a HIP program, one of its libraries, or an "
			"object that was compiled without -fgpu-rdc",
			r->path);
	return add_bundles(r, section, bytes);
}

static bool is_for_gpu(const uint8_t *data, size_t size)
{
	const Elf64_Ehdr *h = (const void *)data;
	uint16_t machine = 0;
	if (size >= sizeof *h)
		memcpy(&machine, data + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
	return machine == EM_AMDGPU;
}

static bool add_file(struct reading *r, const uint8_t *data, size_t size)
{
	if (offload_format_of(data, size) != OFFLOAD_NONE)
		return add_bundles(r, data, size);
	if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
		return is_for_gpu(data, size) ? add_code(r, data, size, NULL) : add_program(r, data, size);
	return err_set(r->e, ST_REQUEST,
		"%s is not a usable code object: it is neither ELF nor a bundle; name a HIP program, a library, an object "
		"or a code object",
		r->path);
}

bool program_code_is_in(const char *path)
{
	const char *why;
	char start[32];
	int fd = input_file_open(path, &why);
	ssize_t n = fd < 0 ? 0 : read(fd, start, sizeof start);
	if (fd >= 0)
		close(fd);
	return n >= SELFMAG && (!memcmp(start, ELFMAG, SELFMAG) || offload_format_of(start, (size_t)n) != OFFLOAD_NONE);
}

bool program_code_read(struct program_code *p, const char *path, struct err *e)
{
	struct reading r = {p, path, CODE_MAX, e};
	struct buf file = {0};
	const char *why;
	*p = (struct program_code){0};
	bool ok = input_file_read(path, CODE_MAX, &file, &why);
	if (!ok)
		err_set(e, ST_REQUEST,
			"cannot open %s: %s; specify a program, a code object, a kernel in kernels/ or an experiment",
			path, why);
	else
		ok = add_file(&r, (const uint8_t *)file.data, file.len);
	buf_free(&file);
	if (!ok || p->kernel_count)
		return ok;
	return p->gap_count ? err_set(e, ST_REQUEST, "%s shows no kernels; its code for %s: %s", path, p->gaps->target,
				      p->gaps->why)
			    : err_set(e, ST_REQUEST, "%s has no kernels", path);
}

void program_code_free(struct program_code *p)
{
	for (size_t i = 0; i < p->kernel_count; i++)
		free(p->kernels[i].name);
	for (size_t i = 0; i < p->object_count; i++)
		code_object_close(p->objects[i]);
	for (size_t i = 0; i < p->target_count; i++)
		free(p->targets[i]);
	free(p->kernels);
	free(p->objects);
	free(p->targets);
	free(p->gaps);
	*p = (struct program_code){0};
}
