/* Reads a code object: the ELF file, the kernel metadata and the kernel descriptors. */
#include "kernels/inspect/code_object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/elf/elf_file.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "base/metadata/msgpack.h"
#include "kernels/inspect/ptx/ptx_text.h"
#include "kernels/inspect/target_limits.h"

enum { FILE_MAX = 256 << 20, NOTE_METADATA = 32, DESCRIPTOR_BYTES = 64 };

struct code_object {
	char *path;
	uint8_t *data;
	size_t size;
	struct elf_file elf;
	struct kernel_info *kernels;
	size_t count;
};

/* --- the file --- */
static bool read_fully(int fd, uint8_t *data, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = read(fd, data + done, size - done);
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static bool read_object_file(struct code_object *o, struct err *e)
{
	struct stat st;
	const char *why;
	int fd = input_file_open(o->path, &why);
	if (fd < 0)
		return err_set(e, ST_REQUEST,
			"cannot open %s: %s; specify a code object, a kernel in kernels/ or an experiment", o->path,
			why);
	bool ok = !fstat(fd, &st) && st.st_size <= FILE_MAX;
	if (ok) {
		o->size = (size_t)st.st_size;
		o->data = xmalloc(o->size + 1);
		ok = read_fully(fd, o->data, o->size);
	}
	close(fd);
	return ok || err_set(e, ST_REQUEST, "cannot read %s: not a code object (a file below 256 MiB)", o->path);
}

static bool refuse_object(const struct code_object *o, struct err *e, const char *why)
{
	return err_set(e, ST_REQUEST, "%s is not a usable code object: %s; rebuild it", o->path, why);
}

/* --- metadata --- */
struct metadata {
	char *name, *symbol; /* owned; NULL: missing */
	uint64_t vgprs, sgprs, lds, scratch, kernarg, wave, block_most;
	struct kernel_parameter parameters[KERNEL_PARAMETERS_MAX];
	int parameter_count;
	bool calls_host;
};

static bool key_is(const char *key, size_t n, const char *want)
{
	return n == strlen(want) && !memcmp(key, want, n);
}

static void take_string(struct msgpack *m, char **out)
{
	size_t n;
	const char *s = msgpack_string(m, &n);
	if (m->bad)
		return;
	free(*out);
	*out = xmalloc(n + 1);
	memcpy(*out, s, n);
	(*out)[n] = 0;
}

/* Kinds: by_value, hidden_*, and several of pointers, such as global_buffer and dynamic_shared_pointer. */
static void metadata_parameter(struct msgpack *m, struct metadata *k)
{
	struct kernel_parameter p = {0};
	bool hidden = false;
	for (uint32_t pairs = msgpack_map(m); pairs && !m->bad; pairs--) {
		size_t n, kind;
		const char *key = msgpack_string(m, &n);
		if (key_is(key, n, ".size")) {
			p.size = (unsigned)msgpack_uint(m);
		} else if (key_is(key, n, ".offset")) {
			p.offset = (unsigned)msgpack_uint(m);
		} else if (key_is(key, n, ".value_kind")) {
			const char *text = msgpack_string(m, &kind);
			hidden = kind >= 7 && !memcmp(text, "hidden_", 7);
			k->calls_host = k->calls_host || key_is(text, kind, "hidden_hostcall_buffer") ||
				key_is(text, kind, "hidden_printf_buffer");
			p.pointer = !key_is(text, kind, "by_value");
		} else {
			msgpack_skip(m);
		}
	}
	if (hidden)
		return;
	if (k->parameter_count < KERNEL_PARAMETERS_MAX)
		k->parameters[k->parameter_count] = p;
	k->parameter_count++;
}

/* Keys: LLVM AMDGPU usage page, "AMDHSA Code Object V3 Kernel Metadata Map" (V4 and V5 add to it). */
static void metadata_entry(struct msgpack *m, struct metadata *k)
{
	const struct {
		const char *key;
		uint64_t *value;
	} numbers[] = {
		{".vgpr_count", &k->vgprs},
		{".sgpr_count", &k->sgprs},
		{".group_segment_fixed_size", &k->lds},
		{".private_segment_fixed_size", &k->scratch},
		{".kernarg_segment_size", &k->kernarg},
		{".wavefront_size", &k->wave},
		{".max_flat_workgroup_size", &k->block_most},
	};
	size_t n;
	const char *key = msgpack_string(m, &n);
	if (key_is(key, n, ".name") || key_is(key, n, ".symbol")) {
		take_string(m, key[1] == 'n' ? &k->name : &k->symbol);
		return;
	}
	if (key_is(key, n, ".args")) {
		for (uint32_t count = msgpack_array(m); count && !m->bad; count--)
			metadata_parameter(m, k);
		return;
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (key_is(key, n, numbers[i].key)) {
			*numbers[i].value = msgpack_uint(m);
			return;
		}
	msgpack_skip(m);
}

static void metadata_kernel(struct msgpack *m, struct metadata *k)
{
	*k = (struct metadata){.wave = 64};
	for (uint32_t pairs = msgpack_map(m); pairs && !m->bad; pairs--)
		metadata_entry(m, k);
	if (!k->name || !k->symbol || !*k->name || !*k->symbol)
		m->bad = true;
}

/* --- descriptors --- */
static uint32_t u32_at(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return v;
}
static uint64_t u64_at(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

/* The size of the function symbol, or up to the end of its section. */
static bool find_code(const struct code_object *o, struct kernel_info *k)
{
	struct elf_symbol f;
	uint64_t room;
	if (k->code_va & 3 || !elf_offset(&o->elf, k->code_va, 4, &k->code_offset, &room))
		return false;
	bool sized = elf_symbol(&o->elf, k->name, &f) && f.value == k->code_va && f.size && f.size <= room;
	k->code_bytes = (size_t)(sized ? f.size : room) & ~(size_t)3;
	return true;
}

/* Of rsrc2: which numbers of its workgroup (bits 7 to 9) and of its work-item (bits 11 and 12) a kernel gets. */
static unsigned count_dimensions(uint32_t rsrc2)
{
	unsigned groups = rsrc2 >> 9 & 1 ? 3 : rsrc2 >> 8 & 1 ? 2 : 1, items = (rsrc2 >> 11 & 3) + 1;
	return groups > items ? groups : items < 3 ? items : 3;
}

/* Kernel descriptor: LDS @0, scratch @4, kernarg @8, entry offset @16, rsrc1 @48, rsrc2 @52, properties @56 (bit 10:
 * wave32). */
static const char *fill_kernel(const struct code_object *o, const struct metadata *m, struct kernel_info *k)
{
	struct elf_symbol kd;
	uint64_t at;
	if (!elf_symbol(&o->elf, m->symbol, &kd) || !elf_offset(&o->elf, kd.value, DESCRIPTOR_BYTES, &at, NULL))
		return "a kernel descriptor lies outside the file";
	const uint8_t *d = o->data + at;
	uint32_t rsrc1 = u32_at(d + 48);
	memcpy(k->parameters, m->parameters, sizeof k->parameters);
	k->parameter_count = m->parameter_count;
	k->calls_host = m->calls_host;
	k->wave_size = u32_at(d + 56) >> 10 & 1 ? 32 : m->wave == 32 ? 32 : 64;
	k->dimensions = count_dimensions(u32_at(d + 52));
	k->block_most = (unsigned)m->block_most;
	k->vgprs = target_decode_vgprs(k->arch, k->wave_size, rsrc1);
	k->sgprs = target_decode_sgprs(k->arch, rsrc1);
	if (!k->sgprs)
		k->sgprs = (unsigned)m->sgprs;
	k->lds_bytes = u32_at(d);
	k->scratch_bytes = u32_at(d + 4);
	k->kernarg_bytes = u32_at(d + 8) ? u32_at(d + 8) : (unsigned)m->kernarg;
	k->descriptor_va = kd.value;
	k->code_va = kd.value + u64_at(d + 16);
	return find_code(o, k) ? NULL : "a kernel's code lies outside the file";
}

/* The list grows with what is read: the metadata of a damaged file may name any number of kernels. */
static struct kernel_info *add_kernel(struct code_object *o)
{
	if (!(o->count & (o->count - 1)))
		o->kernels = xrealloc(o->kernels, (o->count ? 2 * o->count : 1) * sizeof *o->kernels);
	o->kernels[o->count] = (struct kernel_info){0};
	return &o->kernels[o->count++];
}

static const char *read_kernels(struct code_object *o, const char *arch, struct msgpack *m)
{
	uint32_t n = msgpack_array(m);
	for (; n; n--) {
		struct kernel_info *k = add_kernel(o);
		struct metadata meta;
		metadata_kernel(m, &meta);
		strcpy(k->arch, arch);
		k->name = meta.name;
		const char *why = m->bad ? NULL : fill_kernel(o, &meta, k);
		free(meta.symbol);
		if (m->bad || why)
			return why ? why : "its metadata is damaged";
		kernel_compute_occupancy(k, k->wave_size);
	}
	return m->bad ? "its metadata is damaged" : NULL;
}

static const char *read_metadata(struct code_object *o)
{
	const char *arch = target_name_from_elf(elf_flags(&o->elf));
	size_t size, n;
	const uint8_t *note = elf_note(&o->elf, "AMDGPU", NOTE_METADATA, &size);
	if (!arch)
		return "unknown target";
	if (!note)
		return "no kernel metadata; code object version 3 or later is needed";
	struct msgpack m = {note, note + size, false};
	for (uint32_t pairs = msgpack_map(&m); pairs && !m.bad; pairs--) {
		const char *key = msgpack_string(&m, &n);
		if (key_is(key, n, "amdhsa.kernels"))
			return read_kernels(o, arch, &m);
		msgpack_skip(&m);
	}
	return m.bad ? "its metadata is damaged" : "it contains no kernels";
}

/* --- public functions --- */
static struct code_object *read_object(struct code_object *o, bool ok, struct err *e)
{
	const char *why;
	if (ok && ptx_is_text((const char *)o->data, o->size)) {
		o->data[o->size] = 0; /* a driver takes a text with its NUL */
		o->count = ptx_list_kernels((const char *)o->data, &o->kernels);
		if (o->count)
			return o;
		ok = refuse_object(o, e, "it contains no kernels");
	}
	if (ok && !elf_open(&o->elf, o->data, o->size, EM_AMDGPU, &why))
		ok = refuse_object(o, e, why);
	if (ok && (why = read_metadata(o)))
		ok = refuse_object(o, e, why);
	if (ok)
		return o;
	code_object_close(o);
	return NULL;
}

struct code_object *code_object_open(const char *path, struct err *e)
{
	struct code_object *o = xcalloc(1, sizeof *o);
	o->path = xstrdup(path);
	return read_object(o, read_object_file(o, e), e);
}

struct code_object *code_object_from_bytes(const char *name, const void *bytes, size_t size, struct err *e)
{
	struct code_object *o = xcalloc(1, sizeof *o);
	o->path = xstrdup(name);
	o->size = size;
	o->data = xmalloc(size + 1);
	memcpy(o->data, bytes, size);
	return read_object(o, true, e);
}

void code_object_close(struct code_object *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->count; i++)
		free((char *)o->kernels[i].name);
	free(o->kernels);
	free(o->data);
	free(o->path);
	free(o);
}

const void *code_object_bytes(const struct code_object *o, size_t *size)
{
	*size = o->size;
	return o->data;
}

uint64_t code_object_hash(const struct code_object *o)
{
	return hash_bytes(HASH_START, o->data, o->size);
}

size_t code_object_list_kernels(const struct code_object *o, const struct kernel_info **list)
{
	*list = o->kernels;
	return o->count;
}

static const struct kernel_info *find_kernel_by_name(const struct code_object *o, const char *name)
{
	for (size_t i = 0; i < o->count; i++)
		if (!strcmp(o->kernels[i].name, name))
			return &o->kernels[i];
	return NULL;
}

/* A function that is compiled as C++: "_Z4copyPKiPii" for copy, with an I after the name of a template. */
static bool is_mangled_name_of(const char *symbol, const char *name, bool *is_template)
{
	char *begin;
	size_t n = strlen(name);
	if (strncmp(symbol, "_Z", 2) != 0 || strtoul(symbol + 2, &begin, 10) != n || strncmp(begin, name, n) != 0)
		return false;
	*is_template = begin[n] == 'I';
	return true;
}

static void set_missing_kernel(const struct code_object *o, const char *file, const char *name, struct err *e)
{
	const char *names[64] = {0}, *near;
	int count = 0;
	bool is_template;
	for (size_t i = 0; i < o->count && count < 64; i++) {
		if (is_mangled_name_of(o->kernels[i].name, name, &is_template)) {
			err_set(e, ST_REQUEST,
				is_template
					? "%s has %s only as a template; call it from a kernel that is declared extern \"C\" __global__"
					: "%s has %s under a C++ name; write extern \"C\" before its __global__",
				file, name);
			return;
		}
		names[count++] = o->kernels[i].name;
	}
	near = find_nearest_name(name, names, count);
	err_set(e, ST_REQUEST, "%s has no kernel '%s'; %s%s%s%s", file, name, near ? "did you mean '" : "it has ",
		near            ? near
			: count ? names[0]
				: "none",
		near ? "'?" : "", !near && count > 1 ? " and others" : "");
}

const struct kernel_info *code_object_find_kernel_of(
	const struct code_object *o, const char *source, const char *name, struct err *e)
{
	const struct kernel_info *k = find_kernel_by_name(o, name);
	if (!k)
		set_missing_kernel(o, path_basename(source), name, e);
	return k;
}

const struct kernel_info *code_object_find_kernel(const struct code_object *o, const char *name, struct err *e)
{
	return code_object_find_kernel_of(o, o->path, name, e);
}
