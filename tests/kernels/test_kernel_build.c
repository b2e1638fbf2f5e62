/* Kernels built at run time: cached, safe across processes, errors in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "kernels/inspect/code_object.h"
#include "kernels/compile/kernel_build.h"
#include "tests/kernels/own_kernels.h"
#include "tests/toolchain.h"

static void count_loop(const char *path, const char *kernel, const char *name, unsigned *count, uint64_t *start)
{
	struct err e = {0};
	size_t lines, first, end;
	struct code_object *o = code_object_open(path, &e);
	if (!o)
		fail_msg("%s", e.text);
	struct kernel_line *l =
		code_object_disassemble(o, code_object_find_kernel(o, kernel, NULL), &lines, &first, &end, NULL);
	*count = 0;
	*start = l[first].va;
	for (size_t i = first; i < end; i++)
		*count += !strcmp(isa_info(l[i].inst.op)->name, name);
	free(l);
	code_object_close(o);
}

static void an_unroll_define_changes_the_loop(void **state)
{
	(void)state;
	static const unsigned unrolls[] = {1, 5, 100};
	for (int i = 0; i < 3; i++) {
		unsigned count;
		uint64_t start;
		char *defines = xasprintf("-DUNROLL=%u", unrolls[i]);
		struct kernel_build hip = build("fma.hip", defines), assembly = build("fma_published.s", defines);
		count_loop(hip.path, "fma_chain", "v_fma_f32", &count, &start);
		assert_int_equal(count, unrolls[i]);
		count_loop(assembly.path, "fma_assembly", "v_mad_f32", &count, &start);
		assert_int_equal(count, unrolls[i]);
		kernel_build_free(&hip);
		kernel_build_free(&assembly);
		free(defines);
	}
}

/* OFFSET moves every loop by this number of bytes, in a compiled kernel relative to its position without OFFSET. */
static void an_offset_define_moves_every_loop(void **state)
{
	(void)state;
	unsigned count;
	uint64_t start, unmoved;
	struct kernel_build plain = build("fma.hip", "-DOFFSET=0");
	count_loop(plain.path, "fma_chain", "v_fma_f32", &count, &unmoved);
	kernel_build_free(&plain);
	for (unsigned offset = 4; offset <= 28; offset += 8) {
		char *defines = xasprintf("-DOFFSET=%u", offset);
		struct kernel_build b = build("fma_published.s", defines), c = build("fma.hip", defines);
		count_loop(b.path, "fma_2a", "v_mad_f32", &count, &start);
		assert_int_equal(start % 32, (12 + offset) % 32);
		count_loop(b.path, "fma_2c", "v_mad_f32", &count, &start);
		assert_int_equal(start % 32, offset);
		count_loop(c.path, "fma_chain", "v_fma_f32", &count, &start);
		assert_int_equal(start % 32, (unmoved + offset) % 32);
		kernel_build_free(&b);
		kernel_build_free(&c);
		free(defines);
	}
}

/* A flag that changes the arithmetic is accepted and is part of the cache key; other flags are rejected. */
static void arithmetic_flags_are_accepted_and_others_rejected(void **state)
{
	(void)state;
	unsigned precise, fast;
	uint64_t start;
	struct kernel_build a = build("math.hip", "-DFUNCTION=div -DTYPE=f32"),
			    b = build("math.hip", "-DFUNCTION=div -DTYPE=f32 -ffast-math");
	assert_string_not_equal(a.path, b.path);
	count_loop(a.path, "math_calls", "v_div_fixup_f32", &precise, &start);
	count_loop(b.path, "math_calls", "v_div_fixup_f32", &fast, &start);
	assert_int_equal(precise, 1);
	assert_int_equal(fast, 0);
	kernel_build_free(&a);
	kernel_build_free(&b);
	assert_non_null(strstr(refused("math.hip", "-fplugin=x.so", "gfx900").text, "expected -D"));
	assert_non_null(strstr(refused("math.hip", "-ffast-mathx", "gfx900").text, "expected -D"));
	assert_non_null(strstr(refused("fma_published.s", "-ffast-math", "gfx900").text, "expected -D"));
}

static void a_second_build_comes_from_the_cache(void **state)
{
	(void)state;
	struct kernel_build a = build("store.hip", "-DA=1"), b = build("store.hip", "-DA=1"),
			    c = build("store.hip", "-DA=2");
	assert_false(a.from_cache);
	assert_true(b.from_cache);
	assert_string_equal(a.path, b.path);
	assert_string_not_equal(a.path, c.path);
	assert_true(!strncmp(a.path, folder, strlen(folder)));
	assert_true(!strncmp(a.compiler, "clang ", 6));
	assert_int_equal(truncate(a.path, 100), 0); /* a damaged entry is rebuilt */
	kernel_build_free(&b);
	b = build("store.hip", "-DA=1");
	assert_false(b.from_cache);
	kernel_build_free(&a);
	kernel_build_free(&b);
	kernel_build_free(&c);
}

/* One way in which a kernel's source gets the value of WIDTH from another file. */
struct included {
	const char *what, *line, *file; /* the line in the source; the file that defines WIDTH */
	bool assembly;
};
static const struct included ways[] = {
	{"a header", "  #  include \"width.h\"", "width.h", false},
	{"a header in a folder", "#include \"sub/a.h\"", "sub/b.h", false},
	{"a macro", "#define F \"width.h\"\n#include F", "width.h", false},
	{"a comment inside", "#include/**/\"width.h\"", "width.h", false},
	{"a comment before", "/* */ #include \"width.h\"", "width.h", false},
	{"a digraph", "%:include \"width.h\"", "width.h", false},
	{"a continued line", "#inc\\\nlude \"width.h\"", "width.h", false},
	{"import", "#import \"width.h\"", "width.h", false},
	{"include_next", "#include_next \"width.h\"", "width.h", false},
	{"ten files deep", "#include \"deep1.h\"", "width.h", false},
	{"assembly", ".include \"width.s\"", "width.s", true},
	{"a macro of assembly", ".macro get name\n.include \"\\name\"\n.endm\nget width.s", "width.s", true},
};

static const char assembly_kernel[] =
	".include \"kernels/kernel.inc\"\n%s\nkernel_begin own\n\ts_mov_b32 s0, WIDTH\n\tkernel_end own, 1, 8, 0\n"
	".amdgpu_metadata\namdhsa.version: [ 1, 0 ]\namdhsa.kernels:\n  - .name: own\n    .symbol: own.kd\n"
	"    .kernarg_segment_size: 0\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n"
	"    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 8\n    .vgpr_count: 1\n"
	"    .max_flat_workgroup_size: 1024\n.end_amdgpu_metadata\n";

static char *write_including(const struct included *way)
{
	struct buf b = {0};
	if (way->assembly)
		buf_printf(&b, assembly_kernel, way->line);
	else
		buf_printf(
			&b, "%s\nextern \"C\" __attribute__((global)) void own(int *p) { p[WIDTH] = 1; }\n", way->line);
	char *path = write_file(way->assembly ? "own.s" : "own.hip", b.data);
	buf_free(&b);
	return path;
}

static void write_width(const struct included *way, int width)
{
	char *text = xasprintf(way->assembly ? ".set WIDTH, %d\n" : "#define WIDTH %d\n", width);
	free(write_file(way->file, text));
	free(text);
}

static uint64_t hash_built(const char *path, bool from_cache)
{
	struct kernel_build b = build(path, NULL);
	struct code_object *o = code_object_open(b.path, NULL);
	uint64_t hash = code_object_hash(o);
	if (b.from_cache != from_cache)
		fail_msg("%s %s the cache", path, b.from_cache ? "is from" : "is not from");
	code_object_close(o);
	kernel_build_free(&b);
	return hash;
}

/* However a kernel gets at a file: if that changes, the kernel is compiled again, and if it changes back, the first
 * code is right again. */
static void a_changed_file_is_compiled_again(void **state)
{
	(void)state;
	char *sub = xasprintf("%s/sub", folder);
	mkdir(sub, 0777);
	free(write_file("sub/a.h", "#include \"b.h\"\n"));
	for (int i = 1; i < 10; i++) {
		char *name = xasprintf("deep%d.h", i),
		     *text = i < 9 ? xasprintf("#include \"deep%d.h\"\n", i + 1) : xstrdup("#include \"width.h\"\n");
		free(write_file(name, text));
		free(name);
		free(text);
	}
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		bool listed = !ways[i].assembly || i + 1 < sizeof ways / sizeof *ways;
		char *path = write_including(&ways[i]);
		write_width(&ways[i], 2);
		uint64_t two = hash_built(path, false);
		assert_int_equal(hash_built(path, listed), two);
		write_width(&ways[i], 4);
		uint64_t four = hash_built(path, false);
		if (two == four)
			fail_msg("%s: an old kernel", ways[i].what);
		write_width(&ways[i], 2);
		assert_int_equal(hash_built(path, listed), two);
		free(path);
	}
	free(sub);
}

/* A new file that the compiler finds before the one that it read. */
struct shadow {
	const char *what, *line, *used, *inner, *new; /* the line of the source; the file that it names, and one of its
	                                                 lines; the file that comes later */
	bool assembly;
};
static const struct shadow shadows[] = {
	{"a header of the project", "#include \"base/min_max.h\"", "", "", "base/min_max.h", false},
	{"a header of the system", "#include \"stdint.h\"", "", "", "stdint.h", false},
	{"a header of the system in a folder", "#include \"hip/hip_version.h\"", "", "", "hip/hip_version.h", false},
	{"a header in the folder of a header", "#include \"sub/a.h\"", "sub/a.h", "#include \"base/min_max.h\"\n",
		"sub/base/min_max.h", false},
	{"a question for a file", "#if __has_include(\"asked.h\")\n#include \"asked.h\"\n#endif", "", "", "asked.h",
		false},
	{"assembly of the project", "", "", "", "kernels/kernel.inc", true},
};

/* With the macros of the assembly that it takes the place of. */
static void write_shadow(const struct shadow *s)
{
	char *macros = path_kernels("kernel.inc");
	char *text = s->assembly ? xasprintf(".include \"%s\"\n.set WIDTH, 4\n", macros) : xstrdup("#define WIDTH 4\n");
	free(write_file(s->new, text));
	free(text);
	free(macros);
}

static void a_new_file_that_is_found_earlier_is_compiled(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof shadows / sizeof *shadows; i++) {
		const struct shadow *s = &shadows[i];
		make_parents(s->used);
		make_parents(s->new);
		if (*s->used)
			free(write_file(s->used, s->inner));
		char *text = xasprintf(s->assembly ? "%s\n.ifndef WIDTH\n.set WIDTH, 2\n.endif"
						   : "%s\n#ifndef WIDTH\n#define WIDTH 2\n#endif",
			s->line);
		char *path = write_including(&(struct included){s->what, text, NULL, s->assembly});
		uint64_t two = hash_built(path, false);
		write_shadow(s);
		uint64_t four = hash_built(path, false);
		if (two == four)
			fail_msg("%s: an old kernel", s->what);
		char *new = xasprintf("%s/%s", folder, s->new);
		assert_int_equal(unlink(new), 0);
		assert_int_equal(hash_built(path, s->assembly), two);
		free(new);
		free(path);
		free(text);
	}
}

/* The folder in which the program was started has no part in it. */
static void assembly_is_independent_of_the_current_folder(void **state)
{
	(void)state;
	char *was = getcwd(NULL, 0), *other = xasprintf("%s/other", folder);
	const struct included *way = &ways[sizeof ways / sizeof *ways - 2];
	char *path = write_including(way);
	write_width(way, 6);
	uint64_t here = hash_built(path, false);
	mkdir(other, 0777);
	free(write_file("other/width.s", ".set WIDTH, 8\n"));
	assert_int_equal(chdir(other), 0);
	assert_int_equal(hash_built(path, true), here);
	write_width(way, 7);
	assert_true(hash_built(path, false) != here);
	assert_int_equal(chdir(was), 0);
	free(path);
	free(other);
	free(was);
}

static void inputs_are_what_the_compiler_read(void **state)
{
	(void)state;
	bool header = false, libraries = false, system = false;
	free(write_file("width.h", "#define WIDTH 2\n"));
	char *path = write_file("own.hip",
		"#include <hip/hip_runtime.h>\n#include \"width.h\"\n"
		"extern \"C\" __global__ void own(int *p) { p[threadIdx.x * WIDTH] = 1; }\n");
	struct kernel_build b = build(path, NULL);
	assert_string_equal(b.inputs.list[0].name, "own.hip");
	for (int i = 0; i < b.inputs.count; i++) {
		header = header || !strcmp(b.inputs.list[i].name, "width.h");
		system = system || !strcmp(b.inputs.list[i].name, "hip_runtime.h");
		libraries = libraries || !strcmp(b.inputs.list[i].name, "ocml.bc");
	}
	assert_true(header && system && libraries);
	assert_true(kernel_inputs_hash_libraries(&b.inputs) != 0);
	kernel_build_free(&b);
	free(path);
}

static void a_compiler_error_is_its_first_line(void **state)
{
	(void)state;
	char *path = write_file("bad.hip",
		"#include <hip/hip_runtime.h>\nextern \"C\" __global__ void bad(int *p)\n{\n\tp[0] = 1 +;\n\tq = 2;\n}\n");
	struct err e = refused(path, NULL, "gfx900");
	assert_non_null(strstr(e.text, "bad.hip:4:"));
	assert_non_null(strstr(e.text, "error: expected expression"));
	free(path);
	path = write_file("bad.s", "\tv_mov_b32 v0, 1\n\tv_nonsense v0\n");
	e = refused(path, NULL, "gfx900");
	assert_non_null(strstr(e.text, "bad.s:2:"));
	free(path);
}

static void wrong_sources_and_defines_are_rejected(void **state)
{
	(void)state;
	struct err e = refused("fma.hip", "-fplugin=/tmp/x.so", "gfx900");
	assert_non_null(strstr(e.text, "-DNAME=VALUE"));
	refused("fma.hip", "-DA=1 -o/tmp/y", "gfx900");
	refused("fma.hip", "-D", "gfx900");
	e = refused("fma_published.s", "-DUNROLL=many", "gfx900");
	assert_non_null(strstr(e.text, "INTEGER"));
	e = refused("fma_published.s", "", "gfx1100");
	assert_non_null(strstr(e.text, "variant=compiled"));
	e = refused("gfx11/vgpr_bank.s", "", "gfx900");
	assert_non_null(strstr(e.text, "gfx11 assembly"));
	e = refused("nothing.hip", "", "gfx900");
	assert_non_null(strstr(e.text, "nothing.hip"));
	assert_int_equal(e.status, ST_REQUEST);
}

static void other_targets_compile(void **state)
{
	(void)state;
	static const char *const sources[] = {"dispatch.hip", "fma.hip", "chase.hip", "lds.hip", "store.hip",
		"math.hip", "divmod.hip", "identities.hip", "literal.hip", "throughput.hip", "pressure.hip",
		"registers_named.hip"};
	static const char *const targets[] = {"gfx906", "gfx90a:sramecc+:xnack-", "gfx1030", "gfx1100"};
	for (int i = 0; i < (int)(sizeof sources / sizeof *sources); i++) {
		struct err e = {0};
		struct kernel_build b;
		const char *arch = targets[i % 4];
		if (!kernel_build(&(struct kernel_source){sources[i], "-DANY=1", NULL}, arch, &b, &e))
			fail_msg("%s", e.text);
		struct code_object *o = code_object_open(b.path, &e);
		assert_non_null(o);
		const struct kernel_info *k;
		assert_true(code_object_list_kernels(o, &k) > 0);
		assert_true(!strncmp(k->arch, arch, strlen(k->arch)));
		assert_int_equal(k->wave_size, i % 4 > 1 ? 32 : 64);
		code_object_close(o);
		kernel_build_free(&b);
	}
}

static void many_processes_can_build_the_same_kernel(void **state)
{
	(void)state;
	enum { CHILDREN = 6 };
	pid_t children[CHILDREN];
	for (int i = 0; i < CHILDREN; i++)
		if (!(children[i] = fork())) {
			struct kernel_build b;
			bool ok = kernel_build(
				&(struct kernel_source){"dispatch.hip", "-DMANY=1", NULL}, "gfx900", &b, NULL);
			struct code_object *o = ok ? code_object_open(b.path, NULL) : NULL;
			_exit(o && code_object_find_kernel(o, "dispatch", NULL) ? 0 : 1);
		}
	for (int i = 0; i < CHILDREN; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	char *cache = path_user_cache("kernels");
	DIR *d = opendir(cache);
	for (struct dirent *f; (f = readdir(d));) { /* no temporary file remains */
		const char *dot = strrchr(f->d_name, '.');
		assert_true(f->d_name[0] == '.' || !strcmp(dot, ".co") || !strcmp(dot, ".files"));
	}
	closedir(d);
	free(cache);
}

/* Runs `call` with a variable of the environment, in a child process because the compiler is searched once per process.
 * Exit status 0: `call` returned true. */
static void with_variable(const char *name, const char *value, bool (*call)(void))
{
	int status;
	pid_t child = fork();
	if (!child) {
		setenv(name, value, 1);
		_exit(call() ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static bool assembly_says_what_is_missing(void)
{
	struct err e = {0};
	struct kernel_build b;
	return !kernel_build(&(struct kernel_source){"fma_published.s", "-DUNROLL=3", NULL}, "gfx900", &b, &e) &&
		strstr(e.text, "clang not found") && strstr(e.text, "install it: ");
}

static bool hip_goes_through_hiprtc(void)
{
	struct err e = {0};
	struct kernel_build b;
	if (!kernel_build(&(struct kernel_source){"fma.hip", "-DUNROLL=3", NULL}, "gfx900", &b, &e))
		return strstr(e.text, "clang not found") && access("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5", R_OK);
	struct code_object *o = code_object_open(b.path, &e);
	return o && code_object_find_kernel(o, "fma_chain", &e) && !strncmp(b.compiler, "hiprtc ", 7);
}

static void builds_without_clang_use_hiprtc_or_fail_with_advice(void **state)
{
	(void)state;
	with_variable("PATH", "/proc/none", assembly_says_what_is_missing);
	with_variable("PATH", "/proc/none", hip_goes_through_hiprtc);
}

/* --- a file that comes while the compiler works --- */
/* The value that the kernel stores, from the definition that the compiler read: its code has it as a constant. */
static bool has_width(const char *object, unsigned width)
{
	struct err e = {0};
	size_t size, count = 0;
	struct code_object *o = code_object_open(object, &e);
	const uint8_t *bytes = o ? code_object_bytes(o, &size) : NULL;
	for (size_t at = 0; bytes && at + 4 <= size; at++)
		count += bytes[at] == (uint8_t)width && bytes[at + 1] == width >> 8 && bytes[at + 2] == 0x34 &&
			bytes[at + 3] == 0x12;
	code_object_close(o);
	return count > 0;
}

static bool the_new_file_is_compiled(void)
{
	struct err e = {0};
	struct kernel_build b = {0};
	char *source = xasprintf("%s/meanwhile.hip", folder);
	bool ok = true;
	for (int i = 0; ok && i < 2; i++) { /* compiled, then from the cache */
		ok = kernel_build(&(struct kernel_source){source, NULL, NULL}, "gfx900", &b, &e) &&
			has_width(b.path, 0x5678);
		if (!ok)
			fprintf(stderr, "# build %d: %s %s\n", i, b.path ? b.path : "", e.text);
		kernel_build_free(&b);
	}
	free(source);
	return ok;
}

/* The compiler's stand-in puts the file in its place after the first compile that has read the other one. */
static void a_file_that_comes_meanwhile_is_compiled(void **state)
{
	(void)state;
	char *script = xasprintf("#!/bin/sh\n'%s' \"$@\"\nstatus=$?\ncase \"$*\" in *meanwhile*)\n"
				 "[ ! -e '%s/waits.h' ] || mv '%s/waits.h' '%s/stdint.h';; esac\nexit $status\n",
		toolchain_value("CLANG"), folder, folder, folder);
	char *clang = write_file("clang", script);
	assert_int_equal(chmod(clang, 0755), 0);
	free(write_file("waits.h", "#define WIDTH 0x12345678\n"));
	free(write_file("meanwhile.hip",
		"#include \"stdint.h\"\n#ifndef WIDTH\n#define WIDTH 0x12341111\n#endif\n"
		"extern \"C\" __attribute__((global)) void own(int *p) { *p = WIDTH; }\n"));
	with_variable("WAVEDECK_CLANG", clang, the_new_file_is_compiled);
	char *came = xasprintf("%s/stdint.h", folder);
	assert_int_equal(unlink(came), 0); /* other tests include that of the system */
	free(came);
	free(clang);
	free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			builds_without_clang_use_hiprtc_or_fail_with_advice), /* first: later tests find the compiler,
	                                                                         and a child inherits that */
		cmocka_unit_test(a_file_that_comes_meanwhile_is_compiled),
		cmocka_unit_test(an_unroll_define_changes_the_loop),
		cmocka_unit_test(an_offset_define_moves_every_loop),
		cmocka_unit_test(arithmetic_flags_are_accepted_and_others_rejected),
		cmocka_unit_test(a_second_build_comes_from_the_cache),
		cmocka_unit_test(a_changed_file_is_compiled_again),
		cmocka_unit_test(a_new_file_that_is_found_earlier_is_compiled),
		cmocka_unit_test(assembly_is_independent_of_the_current_folder),
		cmocka_unit_test(inputs_are_what_the_compiler_read),
		cmocka_unit_test(a_compiler_error_is_its_first_line),
		cmocka_unit_test(wrong_sources_and_defines_are_rejected),
		cmocka_unit_test(other_targets_compile),
		cmocka_unit_test(many_processes_can_build_the_same_kernel),
	};
	return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
