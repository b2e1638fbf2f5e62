#include "gpu/remote/build_identity.h"

#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/softlib.h"
#include "kernels/compile/toolchain.h"

enum { ID_BYTES = 20 /* SHA-1, the linker's default */, ID_TEXT = 2 * ID_BYTES + 1, NOTES_MAX = 4096 };

/* --- the build ID: the linker's hash of the program; for the library that of its sources and flags (Makefile) --- */
static void format_hex(char out[ID_TEXT], const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n && i < ID_BYTES; i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static bool find_id_in_notes(const unsigned char *notes, size_t n, char out[ID_TEXT])
{
	Elf64_Nhdr h;
	for (size_t at = 0; at + sizeof h <= n;) {
		memcpy(&h, notes + at, sizeof h);
		size_t name = at + sizeof h, text = name + ((h.n_namesz + 3U) & ~3U);
		if (h.n_namesz > n || h.n_descsz > n || text + h.n_descsz > n)
			return false;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && !memcmp(notes + name, "GNU", 4)) {
			format_hex(out, notes + text, h.n_descsz);
			return true;
		}
		at = text + ((h.n_descsz + 3U) & ~3U);
	}
	return false;
}

static bool find_id_in_file(int fd, char out[ID_TEXT])
{
	Elf64_Ehdr h;
	Elf64_Phdr p;
	unsigned char notes[NOTES_MAX];
	if (pread(fd, &h, sizeof h, 0) != sizeof h || memcmp(h.e_ident, ELFMAG, SELFMAG))
		return false;
	for (unsigned i = 0; i < h.e_phnum; i++) {
		if (pread(fd, &p, sizeof p, (off_t)(h.e_phoff + i * sizeof p)) != sizeof p)
			return false;
		size_t n = p.p_filesz < NOTES_MAX ? p.p_filesz : NOTES_MAX;
		if (p.p_type == PT_NOTE && pread(fd, notes, n, (off_t)p.p_offset) == (ssize_t)n &&
			find_id_in_notes(notes, n, out))
			return true;
	}
	return false;
}

/* `out` is "" if the file has none. Takes the path. */
static void read_file_id(char *path, char out[ID_TEXT])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !find_id_in_file(fd, out))
		*out = 0;
	if (fd >= 0)
		close(fd);
	free(path);
}

const char *build_identity_of_softgpu(void)
{
	static char id[ID_TEXT];
	if (!*id)
		read_file_id(path_build(SOFTLIB_NAME), id);
	return id;
}

/* The file may have been replaced since this process started. */
const char *build_identity_of_program(void)
{
	static char id[ID_TEXT];
	if (!*id)
		read_file_id(xstrdup("/proc/self/exe"), id);
	return id;
}

static const char *read_compiler(void)
{
	const struct toolchain *t = toolchain_find();
	return t->clang ? t->version : "none";
}

/* --- hello --- */
void build_identity_add(json_t *hello)
{
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	json_object_set_new(hello, "host", json_utf8_string(host));
	json_object_set_new(hello, "build", json_string(build_identity_of_program()));
	json_object_set_new(hello, "software_gpu", json_string(build_identity_of_softgpu()));
	json_object_set_new(hello, "compiler", json_utf8_string(read_compiler()));
}

static bool set_reason(char *why, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool set_reason(char *why, size_t size, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(why, size, fmt, ap);
	va_end(ap);
	return false;
}

/* A worker from before --via sends no host. */
static bool check_version(const json_t *hello, const char *label, const char *via, char *why, size_t size)
{
	const char *program = record_get_text(hello, "program");
	json_int_t protocol = json_integer_value(json_object_get(hello, "protocol"));
	bool same = !strcmp(program, PROGRAM_VERSION) && protocol == RECORD_PROTOCOL;
	if (same && *record_get_text(hello, "host"))
		return true;
	return set_reason(why, size,
		"%s has %s%.40s (protocol %lld), this is " PROGRAM_VERSION
		" (protocol %d); install this one there: wavedeck install --via '%s'",
		label, same ? "another build of " : "", *program ? program : "another program", (long long)protocol,
		RECORD_PROTOCOL, via);
}

/* `what` is "the software GPU" or "the program". */
static bool check_build(const char *what, const char *there, const char *here, const char *label, const char *via,
	char *why, size_t size)
{
	if (!strcmp(there, here) && *here)
		return true;
	return set_reason(why, size,
		"results could differ: %s of %s is another build (%.8s, here %.8s); install this one there: wavedeck install --via '%s'",
		what, label, *there ? there : "unknown", *here ? here : "unknown", via);
}

bool build_identity_check(
	const json_t *hello, const char *label, const char *via, bool simulated, char *why, size_t size)
{
	if (!check_version(hello, label, via, why, size))
		return false;
	if (simulated &&
		(!check_build("the software GPU", record_get_text(hello, "software_gpu"), build_identity_of_softgpu(),
			 label, via, why, size) ||
			!check_build("the program", record_get_text(hello, "build"), build_identity_of_program(), label,
				via, why, size)))
		return false;
	const char *compiler = record_get_text(hello, "compiler");
	if (simulated && strcmp(compiler, read_compiler()))
		return set_reason(why, size,
			"results could differ: %s compiles kernels with %.40s, here it is %.40s; install the same compiler there",
			label, compiler, read_compiler());
	return true;
}
