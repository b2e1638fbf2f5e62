/* The header of HIP that clang has parsed before: it changes no byte of a kernel, and an old one is never used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "kernels/compile/kernel_files.h"
#include "kernels/compile/precompiled_header.h"
#include "tests/kernels/own_kernels.h"

static const char source[] = "#include <hip/hip_runtime.h>\n#ifndef WIDTH\n#define WIDTH 2\n#endif\n"
			     "extern \"C\" __global__ void own(int *p) { p[threadIdx.x * WIDTH] = VALUE; }\n";

static void run_command(const char *format, const char *argument)
{
	char *command = xasprintf(format, argument);
	assert_int_equal(system(command), 0);
	free(command);
}

/* Files in the cache whose name has this end. */
static int count_headers(const char *end)
{
	char *path = xasprintf("%s/wavedeck/headers", folder);
	DIR *d = opendir(path);
	int n = 0;
	for (const struct dirent *f; d && (f = readdir(d));)
		n += *f->d_name != '.' && strlen(f->d_name) > strlen(end) &&
			!strcmp(f->d_name + strlen(f->d_name) - strlen(end), end);
	if (d)
		closedir(d);
	free(path);
	return n;
}

static int empty_cache(void **state)
{
	(void)state;
	run_command("rm -rf '%s/wavedeck'", folder);
	return 0;
}

static struct kernel_build build_for(const char *arch, const char *file, const char *defines)
{
	struct err e = {0};
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){file, defines, NULL}, arch, &b, &e))
		fail_msg("%s %s for %s: %s", file, defines, arch, e.text);
	return b;
}

/* --- the same result --- */
static void assert_same_bytes(const char *one, const char *other)
{
	struct buf a = {0}, b = {0};
	const char *why;
	assert_true(input_file_read(one, 1 << 24, &a, &why) && input_file_read(other, 1 << 24, &b, &why));
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.data, b.data, a.len);
	buf_free(&a);
	buf_free(&b);
}

static void assert_same_inputs(const struct kernel_inputs *one, const struct kernel_inputs *other)
{
	assert_int_equal(one->count, other->count);
	for (int i = 0; i < one->count; i++) {
		int k = 0;
		while (k < other->count && strcmp(one->list[i].path, other->list[k].path) != 0)
			k++;
		if (k == other->count)
			fail_msg("%s is in one list only", one->list[i].path);
	}
}

/* A name that begins with an underscore may change the header, so such a source is compiled without one. */
static void it_changes_no_byte_and_no_input(void **state)
{
	(void)state;
	static const char *const files[] = {"fma.hip", "sgemm.hip", "math.hip"}, *const flags[] = {"", "-ffast-math"};
	static const char *const targets[] = {"gfx900", "gfx90a:sramecc+:xnack-", "gfx1100"};
	for (int i = 0; i < 4; i++) {
		const char *arch = targets[i % 3], *file = files[i % 3], *flag = flags[i / 3];
		char *plain = xasprintf("-D_ANY=1 %s", flag), *text = xasprintf("-DANY=1 %s", flag);
		struct kernel_build without = build_for(arch, file, plain);
		assert_int_equal(count_headers(".pch"), i);
		struct kernel_build with = build_for(arch, file, text);
		assert_int_equal(count_headers(".pch"), i + 1);
		assert_string_not_equal(without.path, with.path);
		assert_same_bytes(without.path, with.path);
		assert_same_inputs(&without.inputs, &with.inputs);
		kernel_build_free(&without);
		kernel_build_free(&with);
		free(plain);
		free(text);
	}
}

/* --- one that does not fit --- */
/* A text, a cut one, one for another target: the next compile goes without it, and the one after that makes it again.
 */
static void one_that_does_not_fit_is_made_again(void **state)
{
	(void)state;
	static const char *const damages[] = {"for f in '%s'/wavedeck/headers/*.pch; do echo broken >$f; done",
		"truncate -s 100000 '%s'/wavedeck/headers/*.pch",
		"for f in '%s'/wavedeck/headers/*.pch; do cp \"$TMPDIR/kept.pch\" $f; done"};
	struct kernel_build other = build_for("gfx1100", "fma.hip", "-DANY=2");
	run_command("cp '%s'/wavedeck/headers/*.pch \"$TMPDIR/kept.pch\"", folder);
	char *path = write_file("own.hip", source);
	struct kernel_build first = build(path, "-DVALUE=1");
	assert_int_equal(count_headers(".pch"), 2);
	for (int i = 0; i < 3; i++) {
		run_command(damages[i], folder);
		for (int again = 0; again < 2; again++) {
			char *defines = xasprintf("-DVALUE=1 -DBUILD_%d=%d", i, again);
			struct kernel_build b = build(path, defines);
			assert_false(b.from_cache);
			assert_same_bytes(first.path, b.path);
			assert_int_equal(count_headers(".pch"), 1 + again);
			kernel_build_free(&b);
			free(defines);
		}
	}
	run_command("rm \"$TMPDIR/%s\"", "kept.pch");
	kernel_build_free(&other);
	kernel_build_free(&first);
	free(path);
}

/* The message of a wrong source is that of a compile without it. */
static void an_error_does_not_name_it(void **state)
{
	(void)state;
	struct kernel_build b = build("fma.hip", "-DUNROLL=7");
	int headers = count_headers(".pch");
	struct err e = refused("fma.hip", "-DUNROLL=)", "gfx900");
	assert_null(strstr(e.text, "PCH"));
	assert_int_equal(count_headers(".pch"), headers);
	kernel_build_free(&b);
}

/* --- what would change the header --- */
static void a_definition_of_a_word_of_it_counts(void **state)
{
	(void)state;
	char *path = write_file("own.hip", source);
	struct kernel_build b = build(path, "-DVALUE=7");
	assert_true(count_headers(".pch") > 0);
	/* The header has `int warpSize;`, which is `int 7;` after this. */
	struct err e = refused(path, "-DVALUE=1 -DwarpSize=7", "gfx900");
	assert_non_null(strstr(e.text, "/hip/hip_runtime_api.h:"));
	kernel_build_free(&b);
	free(path);
}

static void an_include_after_other_text_is_compiled_plainly(void **state)
{
	(void)state;
	static const char *const first[] = {"#define warpSize 7\n", "#pragma clang diagnostic push\n", "#if 1\n"};
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		char *text = xasprintf("/* a kernel */\n%s%s%s", first[i], source, i == 2 ? "#endif\n" : "");
		char *path = write_file("own.hip", text);
		if (i == 0) {
			refused(path, "-DVALUE=1", "gfx900");
		} else {
			struct kernel_build b = build(path, "-DVALUE=1");
			kernel_build_free(&b);
		}
		assert_int_equal(count_headers(".pch"), 0);
		free(path);
		free(text);
	}
}

static uint64_t hash_of(const struct kernel_given *given, bool from_cache)
{
	struct err e = {0};
	struct kernel_build b;
	char *path = xasprintf("%s/tree/kernels/own.hip", folder);
	if (!kernel_build_given(&(struct kernel_source){path, "-DVALUE=1", NULL}, given, "gfx900", &b, &e))
		fail_msg("%s", e.text);
	assert_int_equal(b.from_cache, from_cache);
	uint64_t hash;
	assert_true(kernel_file_hash(b.path, &hash));
	kernel_build_free(&b);
	free(path);
	return hash;
}

/* A header that is found before that of HIP. */
static const char earlier[] = "#define WIDTH 4\n#include_next <hip/hip_runtime.h>\n";

static void a_header_in_the_tree_takes_its_place(void **state)
{
	(void)state;
	char *root = xasprintf("%s/tree", folder);
	const struct kernel_given given = {.root = root};
	make_parents("tree/kernels/own.hip");
	make_parents("tree/hip/hip_runtime.h");
	free(write_file("tree/kernels/own.hip", source));
	uint64_t plain = hash_of(&given, false);
	assert_int_equal(count_headers(".pch"), 1);
	char *path = write_file("tree/hip/hip_runtime.h", earlier);
	assert_true(hash_of(&given, false) != plain);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(hash_of(&given, false), plain);
	free(path);
	free(root);
}

static void an_environment_variable_leads_to_another_header(void **state)
{
	(void)state;
	char *root = xasprintf("%s/tree", folder), *found = xasprintf("%s/found", folder);
	const struct kernel_given given = {.root = root};
	make_parents("tree/kernels/own.hip");
	make_parents("found/hip/hip_runtime.h");
	free(write_file("tree/kernels/own.hip", source));
	free(write_file("found/hip/hip_runtime.h", earlier));
	uint64_t plain = hash_of(&given, true); /* of the test before */
	assert_int_equal(setenv("CPATH", found, 1), 0);
	assert_true(hash_of(&given, false) != plain);
	assert_int_equal(unsetenv("CPATH"), 0);
	assert_int_equal(hash_of(&given, true), plain);
	free(found);
	free(root);
}

static struct precompiled_header find_header(const struct toolchain *tools, const char *path)
{
	struct err e = {0};
	struct precompiled_header h;
	char *none[] = {NULL};
	const struct compile_task t = {.source = path,
		.arch = "gfx900",
		.include = folder,
		.folder = folder,
		.defines = none,
		.temporary = folder};
	assert_true(precompiled_header_find(tools, &t, &h, &e));
	return h;
}

/* The same text in another folder of ROCm, and another text there. clang finds that of the system first, so a kernel
 * has no use for this one. */
static void an_edit_of_a_header_in_it_counts(void **state)
{
	(void)state;
	struct toolchain tools = *toolchain_find();
	char *path = write_file("own.hip", source), *other = xasprintf("%s/rocm", folder);
	struct precompiled_header usual = find_header(&tools, path);
	run_command("mkdir -p '%s/rocm/include'", folder);
	char *copy = xasprintf("cp -rp '%s/include/hip' '%%s/rocm/include'", tools.rocm);
	run_command(copy, folder);
	tools.rocm = other;
	struct precompiled_header before = find_header(&tools, path);
	assert_string_not_equal(usual.path, before.path);
	struct precompiled_header same = find_header(&tools, path);
	assert_string_equal(before.path, same.path);
	/* Files of this moment might change again in the same tick of the clock, so these have other times. */
	run_command("cd '%s/rocm/include/hip' && echo '#define MORE' >>hip_runtime.h && touch -d @1000 hip_runtime.h",
		folder);
	struct precompiled_header after = find_header(&tools, path);
	assert_string_not_equal(before.path, after.path);

	struct kernel_build b = build(path, "-DVALUE=3");
	assert_true(precompiled_header_is_of_another(&after, &b.inputs));
	assert_false(precompiled_header_is_of_another(&usual, &b.inputs));
	precompiled_header_refuse(&after);
	after = find_header(&tools, path);
	assert_null(after.path);
	kernel_build_free(&b);
	precompiled_header_free(&usual);
	precompiled_header_free(&before);
	precompiled_header_free(&same);
	precompiled_header_free(&after);
	free(copy);
	free(path);
	free(other);
}

/* --- several processes --- */
static void many_processes_can_make_it(void **state)
{
	(void)state;
	enum { CHILDREN = 4 };
	pid_t children[CHILDREN];
	char *path = write_file("own.hip", source);
	for (int i = 0; i < CHILDREN; i++)
		if (!(children[i] = fork())) {
			char *define = xasprintf("-DVALUE=%d", 100 + i);
			struct kernel_build b;
			_exit(kernel_build(&(struct kernel_source){path, define, NULL}, "gfx900", &b, NULL) ? 0 : 1);
		}
	for (int i = 0; i < CHILDREN; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(count_headers(".pch"), 1);
	assert_int_equal(count_headers(".files"), 1);
	assert_int_equal(count_headers(""), 2); /* no temporary file remains */
	free(path);
}

#define WITH_EMPTY_CACHE(test) cmocka_unit_test_setup(test, empty_cache)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_EMPTY_CACHE(it_changes_no_byte_and_no_input),
		WITH_EMPTY_CACHE(one_that_does_not_fit_is_made_again),
		cmocka_unit_test(an_error_does_not_name_it),
		cmocka_unit_test(a_definition_of_a_word_of_it_counts),
		WITH_EMPTY_CACHE(an_include_after_other_text_is_compiled_plainly),
		WITH_EMPTY_CACHE(a_header_in_the_tree_takes_its_place),
		cmocka_unit_test(an_environment_variable_leads_to_another_header),
		cmocka_unit_test(an_edit_of_a_header_in_it_counts),
		WITH_EMPTY_CACHE(many_processes_can_make_it),
	};
	return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
