/* Checks and loads libsoftgpu.so. */
#include "gpu/softgpu-link/softlib.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "softgpu/probe.h"

static const char *find_segment_fault(int fd, const Elf64_Ehdr *h, uint64_t size)
{
	for (unsigned i = 0; i < h->e_phnum; i++) {
		Elf64_Phdr p;
		if (pread(fd, &p, sizeof p, (off_t)(h->e_phoff + i * sizeof p)) != sizeof p || p.p_offset > size ||
			p.p_filesz > size - p.p_offset)
			return "truncated";
	}
	return NULL;
}

/* NULL, or what is wrong. The loader maps the ranges in the headers, so a truncated file would end this process with
 * SIGBUS instead of an error. The section headers are the last part of the file. */
static const char *find_elf_fault(int fd)
{
	Elf64_Ehdr h;
	struct stat st;
	if (fstat(fd, &st) || pread(fd, &h, sizeof h, 0) != sizeof h || memcmp(h.e_ident, ELFMAG, SELFMAG))
		return "not an ELF file";
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != EM_X86_64 || h.e_type != ET_DYN ||
		h.e_phentsize != sizeof(Elf64_Phdr))
		return "not a library for x86-64";
	uint64_t size = (uint64_t)st.st_size, sections = (uint64_t)h.e_shnum * h.e_shentsize;
	if (h.e_phoff > size || h.e_shoff > size || sections > size - h.e_shoff)
		return "truncated";
	return find_segment_fault(fd, &h, size);
}

static void *load_softgpu(const char *path, struct err *e)
{
	void *lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!lib) {
		err_set(e, ST_FAILED, "cannot load the software GPU: %s; rebuild it: make", dlerror());
		return NULL;
	}
	softgpu_version_fn *version = (softgpu_version_fn *)dlsym(lib, "softgpu_version");
	if (version && version() == SOFTGPU_PROBE_VERSION)
		return lib;
	err_set(e, ST_FAILED, "%s %s; rebuild both: make", path,
		version ? "has another version than this program" : "is not the software GPU");
	dlclose(lib);
	return NULL;
}

void *softlib_open(struct err *e)
{
	char *path = path_build(SOFTLIB_NAME);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *wrong = fd < 0 ? NULL : find_elf_fault(fd);
	void *lib = NULL;
	if (fd < 0)
		err_set(e, ST_FAILED, "software GPU not found (%s: %s); build it: make", path, strerror(errno));
	else if (wrong)
		err_set(e, ST_FAILED, "the software GPU is damaged (%s: %s); remove it and rebuild it: make", path,
			wrong);
	else
		lib = load_softgpu(path, e);
	if (fd >= 0)
		close(fd);
	free(path);
	return lib;
}
