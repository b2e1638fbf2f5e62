/* Damaged code objects for softgpu-run: each is refused in one line, or loaded without an access out of bounds. */
#include <elf.h>

#include "tests/softgpu/core/device.h"

static uint8_t *sound;
static size_t sound_size;
static char path[SCRATCH_PATH];

static int build_object(void **state)
{
	char object[SCRATCH_PATH];
	(void)state;
	build("program.hip",
		"-x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output -O1",
		object);
	scratch_path(path, "damaged.co");
	FILE *f = fopen(object, "rb");
	if (!f)
		return 1;
	sound = malloc(1 << 20);
	sound_size = fread(sound, 1, 1 << 20, f);
	return fclose(f);
}

static int remove_object(void **state)
{
	(void)state;
	free(sound);
	return unlink(path);
}

static bool open_bytes(struct loaded_object *o, struct gpu *g, const void *bytes, size_t size, char why[256])
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
	*why = 0;
	return loaded_object_open(o, g, path, CODE_VA, UINT64_C(1) << 37, why, 256);
}

/* Loads the bytes and looks for kernels. Returns whether they load. */
static bool load_bytes(struct gpu *g, const void *bytes, size_t size, char why[256])
{
	struct loaded_object o;
	if (!open_bytes(&o, g, bytes, size, why)) {
		assert_true(*why && !strchr(why, '\n'));
		return false;
	}
	assert_int_equal(loaded_object_find_kernel(&o, "nothing"), 0);
	loaded_object_find_kernel(&o, NULL);
	loaded_object_close(&o);
	return true;
}

static Elf64_Phdr *first_load(uint8_t *elf)
{
	Elf64_Phdr *p = (Elf64_Phdr *)(elf + ((Elf64_Ehdr *)elf)->e_phoff);
	while (p->p_type != PT_LOAD)
		p++;
	return p;
}

static void bad_segments_are_refused(void **state)
{
	(void)state;
	static const struct {
		uint64_t vaddr, memsz, filesz, offset; /* 1: unchanged */
	} rows[] = {{UINT64_MAX - 4095, 8192, 1, 1}, {1, UINT64_MAX, 1, 1}, {1, 16, 4096, 1}, {1, 1, 1, UINT64_MAX},
		{UINT64_C(1) << 40, 1, 1, 1}, {1, UINT64_C(1) << 62, UINT64_C(1) << 62, 1}, {0, 0, UINT64_MAX, 1}};
	struct gpu *g = open_gpu("mi25");
	uint8_t *copy = malloc(sound_size);
	char why[256], expected[256];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		memcpy(copy, sound, sound_size);
		Elf64_Phdr *p = first_load(copy);
		p->p_vaddr = rows[i].vaddr == 1 ? p->p_vaddr : rows[i].vaddr;
		p->p_memsz = rows[i].memsz == 1 ? p->p_memsz : rows[i].memsz;
		p->p_filesz = rows[i].filesz == 1 ? p->p_filesz : rows[i].filesz;
		p->p_offset = rows[i].offset == 1 ? p->p_offset : rows[i].offset;
		assert_false(load_bytes(g, copy, sound_size, why));
		snprintf(expected, sizeof expected, "cannot map %s: its segments are missing, damaged or too large",
			path);
		assert_string_equal(why, expected);
	}
	free(copy);
	gpu_close(g);
}

static Elf64_Shdr *section_of_type(uint8_t *elf, unsigned type)
{
	Elf64_Ehdr *e = (Elf64_Ehdr *)elf;
	Elf64_Shdr *s = (Elf64_Shdr *)(elf + e->e_shoff);
	for (unsigned k = 0; k < e->e_shnum; k++)
		if (s[k].sh_type == type && !(s[k].sh_flags & SHF_WRITE))
			return &s[k];
	fail_msg("no section of type %u", type);
	return NULL;
}

/* The object with these relocations added at the end: they take the place of the symbol table, which only debuggers
 * read. */
static uint8_t *append_relocations(const Elf64_Rela *rows, size_t count, size_t *size)
{
	size_t at = (sound_size + 7) / 8 * 8;
	uint8_t *out = calloc(1, at + count * sizeof *rows);
	memcpy(out, sound, sound_size);
	memcpy(out + at, rows, count * sizeof *rows);
	Elf64_Shdr *s = section_of_type(out, SHT_SYMTAB);
	s->sh_type = SHT_RELA;
	s->sh_offset = at;
	s->sh_size = count * sizeof *rows;
	*size = at + s->sh_size;
	return out;
}

static void relocations_outside_of_the_segments_are_ignored(void **state)
{
	(void)state;
	enum { ADDEND = 0x1234, RELATIVE64 = 13, ROWS = 8 };
	struct gpu *g = open_gpu("mi25");
	struct loaded_object o;
	char why[256];
	assert_true(open_bytes(&o, g, sound, sound_size, why));
	size_t bytes, mapped = o.size;
	uint8_t *before = malloc(mapped);
	memcpy(before, o.host, mapped);
	loaded_object_close(&o);
	const uint64_t offsets[ROWS] = {mapped - 8, mapped - 7, mapped, UINT64_MAX - 15, UINT64_MAX - 7, UINT64_MAX - 6,
		UINT64_MAX, UINT64_C(1) << 63};
	Elf64_Rela rows[ROWS];
	for (int i = 0; i < ROWS; i++)
		rows[i] = (Elf64_Rela){offsets[i], ELF64_R_INFO(0, RELATIVE64), ADDEND};
	uint8_t *copy = append_relocations(rows, ROWS, &bytes);
	assert_true(open_bytes(&o, g, copy, bytes, why));
	uint64_t value;
	memcpy(&value, o.host + mapped - 8, 8);
	assert_int_equal(value, CODE_VA + ADDEND); /* the first one is inside */
	assert_memory_equal(o.host, before, mapped - 8);
	loaded_object_close(&o);
	free(before);
	free(copy);
	gpu_close(g);
}

static void names_outside_of_their_table_name_no_kernel(void **state)
{
	(void)state;
	struct gpu *g = open_gpu("mi25");
	struct loaded_object o;
	uint8_t *copy = malloc(sound_size);
	char why[256];
	memcpy(copy, sound, sound_size);
	Elf64_Shdr *s = section_of_type(copy, SHT_DYNSYM);
	Elf64_Sym *symbols = (Elf64_Sym *)(copy + s->sh_offset);
	const uint64_t names = ((Elf64_Shdr *)(copy + ((Elf64_Ehdr *)copy)->e_shoff))[s->sh_link].sh_size;
	const uint32_t hostile[] = {(uint32_t)names - 1, (uint32_t)names, UINT32_MAX - 15, UINT32_MAX};
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		for (size_t k = 0; k < s->sh_size / sizeof *symbols; k++)
			symbols[k].st_name = hostile[i];
		assert_true(open_bytes(&o, g, copy, sound_size, why));
		assert_int_equal(loaded_object_find_kernel(&o, NULL), 0);
		loaded_object_close(&o);
	}
	free(copy);
	gpu_close(g);
}

static void truncated_objects_do_no_harm(void **state)
{
	(void)state;
	struct gpu *g = open_gpu("mi25");
	char why[256];
	assert_true(load_bytes(g, sound, sound_size, why));
	for (size_t n = 0; n < sound_size; n += n < 1024 ? 1 : 13) {
		uint8_t *exact = malloc(n ? n : 1); /* so that the sanitizer sees an access beyond the end */
		memcpy(exact, sound, n);
		load_bytes(g, exact, n, why);
		free(exact);
	}
	gpu_close(g);
}

/* Numbers that overflow sums and differences. */
static uint64_t hostile_number(uint64_t random)
{
	static const uint64_t values[] = {
		0, 7, UINT64_MAX, UINT64_MAX - 7, UINT32_MAX, UINT32_MAX - 7, UINT64_C(1) << 63, 1 << 20};
	return random & 8 ? random : values[random % 8];
}

static void randomly_damaged_objects_do_no_harm(void **state)
{
	(void)state;
	enum { ROUNDS = 4000 };
	struct gpu *g = open_gpu("mi25");
	uint8_t *copy = malloc(sound_size);
	uint64_t seed = 0x9e3779b97f4a7c15u;
	size_t loaded = 0;
	char why[256];
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)sound;
	for (int round = 0; round < ROUNDS; round++) {
		memcpy(copy, sound, sound_size);
		for (int change = 0; change <= round % 3; change++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			/* program headers, section headers, or anything */
			size_t at = round & 1 ? e->e_phoff + (seed >> 33) % (e->e_phnum * sizeof(Elf64_Phdr) / 8) * 8
				: round & 2   ? e->e_shoff + (seed >> 33) % (e->e_shnum * sizeof(Elf64_Shdr) / 8) * 8
					      : (seed >> 33) % (sound_size / 8) * 8;
			uint64_t value = hostile_number(seed >> 20);
			memcpy(copy + at, &value, sizeof value);
		}
		loaded += load_bytes(g, copy, sound_size, why);
	}
	print_message("%zu of %d damaged objects load\n", loaded, ROUNDS);
	assert_true(loaded > 0 && loaded < ROUNDS);
	free(copy);
	gpu_close(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_segments_are_refused),
		cmocka_unit_test(relocations_outside_of_the_segments_are_ignored),
		cmocka_unit_test(names_outside_of_their_table_name_no_kernel),
		cmocka_unit_test(truncated_objects_do_no_harm),
		cmocka_unit_test(randomly_damaged_objects_do_no_harm),
	};
	return cmocka_run_group_tests(tests, build_object, remove_object);
}
