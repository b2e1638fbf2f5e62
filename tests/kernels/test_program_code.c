/* The GPU code in programs: bundles in an ELF file of the host, several of them, compressed ones; names; damaged files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "kernels/inspect/program_code.h"
#include "kernels/inspect/readable_name.h"
#include "tests/scratch.h"

static char path[SCRATCH_PATH];
static struct program_code p;
static struct err e;

/* --- files --- */
static void add_object(struct buf *out, const char *name)
{
	const char *build = getenv("BUILD");
	char *file = xasprintf("%s/kernels/gfx900/%s.co", build ? build : "build", name);
	struct code_object *o = code_object_open(file, &e);
	size_t size;
	if (!o)
		fail_msg("%s", e.text);
	const void *bytes = code_object_bytes(o, &size);
	buf_add(out, bytes, size);
	code_object_close(o);
	free(file);
}

static void pad(struct buf *out, size_t alignment)
{
	while (out->len % alignment)
		buf_add(out, "", 1);
}

/* A bundle with the code of an object for each target. */
static void add_bundle(struct buf *out, const char *object, const char *const *targets)
{
	uint64_t count = 1;
	struct buf code = {0}, bundle = {0};
	add_object(&code, object);
	while (targets[count - 1])
		count++;
	buf_add(&bundle, "__CLANG_OFFLOAD_BUNDLE__", 24);
	buf_add(&bundle, &count, 8);
	for (uint64_t i = 0; i < count; i++) {
		char id[128];
		snprintf(id, sizeof id, i ? "hipv4-amdgcn-amd-amdhsa--%s" : "host-x86_64-unknown-linux--",
			i ? targets[i - 1] : "");
		uint64_t entry[3] = {4096, i ? code.len : 0, strlen(id)};
		buf_add(&bundle, entry, sizeof entry);
		buf_puts(&bundle, id);
	}
	pad(&bundle, 4096);
	buf_add(out, bundle.data, bundle.len);
	buf_add(out, code.data, code.len);
	buf_free(&bundle);
	buf_free(&code);
}

static void add_compressed(struct buf *out, const struct buf *bundle)
{
	uLongf size = compressBound(bundle->len);
	uint8_t *body = xmalloc(size);
	assert_int_equal(compress2(body, &size, (const uint8_t *)bundle->data, bundle->len, 6), Z_OK);
	const uint16_t head[2] = {2, 0};
	const uint32_t sizes[2] = {(uint32_t)(size + 24), (uint32_t)bundle->len};
	buf_add(out, "CCOB", 4);
	buf_add(out, head, sizeof head);
	buf_add(out, sizes, sizeof sizes);
	buf_add(out, "hash----", 8);
	buf_add(out, body, size);
	free(body);
}

/* A program with a section .hip_fatbin. */
static void wrap_in_program(struct buf *out, const struct buf *section)
{
	static const char names[] = "\0.hip_fatbin\0.shstrtab";
	Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2};
	Elf64_Shdr s[3] = {{0}, {.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = 4096, .sh_size = section->len},
		{.sh_name = 13, .sh_type = SHT_STRTAB, .sh_offset = 4096 + section->len, .sh_size = sizeof names}};
	h.e_shoff = 4096 + section->len + sizeof names;
	buf_add(out, &h, sizeof h);
	pad(out, 4096);
	buf_add(out, section->data, section->len);
	buf_add(out, names, sizeof names);
	buf_add(out, s, sizeof s);
}

static bool read_bytes(const void *data, size_t size)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	e.text[0] = 0;
	bool ok = program_code_read(&p, path, &e);
	if (!ok)
		assert_true(e.text[0] && !strchr(e.text, '\n'));
	return ok;
}

static void require_read(const struct buf *file)
{
	if (!read_bytes(file->data, file->len))
		fail_msg("%s", e.text);
}

/* --- tests --- */
static const char *const one_target[] = {"gfx900", NULL}, *const two_targets[] = {"gfx906:xnack-", "gfx900", NULL};

static void a_program_has_the_kernels_of_each_bundle_and_target(void **state)
{
	struct buf section = {0}, bundle = {0}, program = {0};
	(void)state;
	add_bundle(&section, "store", two_targets);
	pad(&section, 4096);
	add_bundle(&bundle, "lds", one_target);
	add_compressed(&section, &bundle);
	pad(&section, 8);
	add_bundle(&section, "fma_published", one_target); /* after a compressed one */
	wrap_in_program(&program, &section);
	require_read(&program);
	assert_int_equal(p.target_count, 2);
	char *targets = program_targets_text(&p);
	assert_string_equal(targets, "gfx906:xnack-, gfx900");
	free(targets);
	size_t first = 0, stores = 0, lds = 0, fma = 0;
	for (size_t i = 0; i < p.kernel_count; i++) {
		first += !strcmp(p.kernels[i].target, "gfx906:xnack-");
		stores += !strcmp(p.kernels[i].name, "channel_store");
		lds += !strcmp(p.kernels[i].name, "lds_bank_conflict");
		fma += !strcmp(p.kernels[i].name, "fma_2c") && p.kernels[i].info->vgprs == 16;
	}
	assert_true(first > 0);
	assert_int_equal(stores, 2);
	assert_int_equal(lds, 1);
	assert_int_equal(fma, 1);
	program_code_free(&p);
	buf_free(&section);
	buf_free(&bundle);
	buf_free(&program);
}

static void bundles_and_code_objects_are_files_too(void **state)
{
	struct buf bundle = {0}, packed = {0}, object = {0};
	(void)state;
	add_object(&object, "lds");
	require_read(&object);
	assert_string_equal(p.kernels[0].target, "gfx900");
	size_t kernels = p.kernel_count;
	program_code_free(&p);
	add_bundle(&bundle, "lds", two_targets);
	require_read(&bundle);
	assert_int_equal(p.kernel_count, 2 * kernels);
	program_code_free(&p);
	add_compressed(&packed, &bundle);
	require_read(&packed);
	assert_int_equal(p.kernel_count, 2 * kernels);
	program_code_free(&p);
	buf_free(&bundle);
	buf_free(&packed);
	buf_free(&object);
}

static void refuse(const void *data, size_t size, const char *reason)
{
	assert_false(read_bytes(data, size));
	program_code_free(&p);
	if (!strstr(e.text, reason))
		fail_msg("%s", e.text);
}

static void what_has_no_kernels_is_refused_with_the_reason(void **state)
{
	static const char *const unknown[] = {"gfx9999", NULL};
	struct buf section = {0}, program = {0}, bundle = {0};
	(void)state;
	refuse("", 0, "neither ELF nor a bundle");
	refuse("text", 4, "neither ELF nor a bundle");
	refuse("\177ELF", 4, "not an ELF file");
	buf_puts(&section, "no bundle");
	wrap_in_program(&program, &section);
	refuse(program.data, program.len, "has no kernels");
	memcpy(program.data + 4096 + section.len + 1, ".hip_fatbon", 11);
	refuse(program.data, program.len, "no section .hip_fatbin");
	add_bundle(&bundle, "lds", unknown);
	memset(bundle.data + 4096, 0, 4); /* no ELF file */
	refuse(bundle.data, bundle.len, "its code for gfx9999: it is not machine code");
	bundle.data[32 + 7] = 0x7f; /* the offset of the first entry */
	refuse(bundle.data, bundle.len, "lies outside of the file");
	refuse("CCOB\2\0\0\0", 8, "compressed GPU code that cannot be read: its header is cut");
	buf_free(&section);
	buf_free(&program);
	buf_free(&bundle);
}

/* Entries may name the same code again and again, and a compressed file may grow: all of it counts. */
static void more_than_1_gib_of_code_is_refused(void **state)
{
	enum { ENTRIES = 1030, ENTRY = 24 + 31 };
	static const char *targets[ENTRIES + 1];
	struct buf bundle = {0}, packed = {0};
	uint64_t mib = 1 << 20, at = 0;
	(void)state;
	for (size_t i = 0; i < ENTRIES; i++)
		targets[i] = "gfx900";
	add_bundle(&bundle, "lds", targets);
	char *entry = (char *)memmem(bundle.data, bundle.len, "hipv4", 5) - 24;
	for (size_t i = 0; i < ENTRIES; i++) {
		memcpy(entry + ENTRY * i, &at, 8); /* the bundle itself, which is no code */
		memcpy(entry + ENTRY * i + 8, &mib, 8);
	}
	while (bundle.len < mib)
		pad(&bundle, mib);
	refuse(bundle.data, bundle.len, "more than 1 GiB of GPU code");
	uint64_t size = UINT64_C(2) << 30;
	buf_add(&packed, "CCOB\3\0\0\0\40\0\0\0\0\0\0\0", 16);
	buf_add(&packed, &size, 8);
	buf_add(&packed, "hash----", 8);
	refuse(packed.data, packed.len, "unpacked, it is too large");
	buf_free(&bundle);
	buf_free(&packed);
}

static void survive(const void *data, size_t size)
{
	if (read_bytes(data, size)) {
		bool *found = program_find_kernel(&p, path, "lds", &e);
		free(found);
	}
	program_code_free(&p);
}

static void damaged_programs_end_with_one_line(void **state)
{
	struct buf section = {0}, bundle = {0}, program = {0};
	uint64_t seed = 7;
	size_t end;
	(void)state;
	add_bundle(&section, "lds", two_targets);
	pad(&section, 8);
	add_bundle(&bundle, "lds", one_target);
	add_compressed(&section, &bundle);
	wrap_in_program(&program, &section);
	end = program.len;
	for (size_t n = 0; n < end; n += n < 200 || n > end - 300 ? 1 : 97)
		survive(program.data, n);
	for (int round = 0; round < 3000; round++) {
		char *copy = xmalloc(end);
		memcpy(copy, program.data, end);
		for (int flips = 1 + round % 4; flips; flips--) {
			/* the file's header, that of the bundle, its code, or the tables at the end */
			const size_t part[4][2] = {{0, 64}, {4096, 256}, {8192, end - 8192}, {end - 240, 240}};
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			const size_t *in = part[(seed >> 20) % 4];
			copy[in[0] + (seed >> 33) % in[1]] = (char)(seed >> 24);
		}
		survive(copy, end);
		free(copy);
	}
	buf_free(&section);
	buf_free(&bundle);
	buf_free(&program);
}

/* --- names --- */
static void names_are_those_of_the_source(void **state)
{
	static const char *const names[][2] = {{"_Z4copyIiEvPT_PKS0_i", "void copy<int>(int*, int const*, int)"},
		{"_ZN2ns3addEPi", "ns::add(int*)"}, {"store", "store"}, {"_Zbroken", "_Zbroken"}};
	char bomb[1000] = "_Z1f";
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		char *name = kernel_readable_name(names[i][0]);
		assert_string_equal(name, names[i][1]);
		free(name);
	}
	for (int i = 0; i < 30; i++) { /* each pair names the one before twice: 2^30 characters */
		char last[8] = "i", pair[32];
		if (i)
			snprintf(last, sizeof last, i == 1 ? "S0_" : "S%c_", (i < 11 ? '0' - 1 : 'A' - 11) + i);
		snprintf(pair, sizeof pair, i ? "S_I%s%sE" : "1pI%s%sE", last, last);
		strcat(bomb, pair);
	}
	char *name = kernel_readable_name(bomb);
	assert_string_equal(name, bomb);
	free(name);
}

static void add_name(const char *name)
{
	static const struct kernel_info none = {.name = "symbol"};
	p.kernels = xrealloc(p.kernels, (p.kernel_count + 1) * sizeof *p.kernels);
	p.kernels[p.kernel_count++] = (struct program_kernel){"gfx900", xstrdup(name), NULL, &none};
}

/* Which kernels are found, as digits; the error otherwise. */
static const char *find(const char *name)
{
	static char out[8];
	bool *found = program_find_kernel(&p, "dir/app", name, &e);
	size_t n = 0;
	for (size_t i = 0; found && i < p.kernel_count; i++)
		if (found[i])
			out[n++] = (char)('0' + i);
	out[n] = 0;
	free(found);
	return found ? out : e.text;
}

static void a_whole_name_counts_before_a_part(void **state)
{
	(void)state;
	add_name("add(int*, int)");
	add_name("add_more(int*)");
	add_name("void ns::copy<int>(int*)");
	add_name("void ns::copy<float>(float*)");
	add_name("add(int*, int)"); /* in another file, or for another target */
	assert_string_equal(find("add"), "04");
	assert_string_equal(find("add_m"), "1");
	assert_string_equal(find("copy<int>"), "2");
	assert_string_equal(find("void ns::copy<float>(float*)"), "3");
	assert_string_equal(find("copy"),
		"app has several kernels 'copy': void ns::copy<int>(int*), void ns::copy<float>(float*); give more of the name");
	assert_string_equal(find("sub"),
		"app has no kernel 'sub'; it has add(int*, int), add_more(int*), void ns::copy<int>(int*), "
		"void ns::copy<float>(float*)");
	program_code_free(&p);
}

static void targets_are_named_with_and_without_features(void **state)
{
	(void)state;
	assert_true(program_target_is("gfx906:xnack-", "gfx906"));
	assert_true(program_target_is("gfx906:xnack-", "gfx906:xnack-"));
	assert_false(program_target_is("gfx906:xnack-", "gfx906:xnack+"));
	assert_false(program_target_is("gfx906", "gfx90"));
	assert_false(program_target_is("gfx90", "gfx906"));
}

static int name_file(void **state)
{
	(void)state;
	scratch_path(path, "program");
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_has_the_kernels_of_each_bundle_and_target),
		cmocka_unit_test(bundles_and_code_objects_are_files_too),
		cmocka_unit_test(what_has_no_kernels_is_refused_with_the_reason),
		cmocka_unit_test(more_than_1_gib_of_code_is_refused),
		cmocka_unit_test(damaged_programs_end_with_one_line),
		cmocka_unit_test(names_are_those_of_the_source),
		cmocka_unit_test(a_whole_name_counts_before_a_part),
		cmocka_unit_test(targets_are_named_with_and_without_features),
	};
	return cmocka_run_group_tests(tests, name_file, remove_file);
}
