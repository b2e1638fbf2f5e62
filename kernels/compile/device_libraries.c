/* Completes the device libraries for targets that are newer. */
#include "kernels/compile/device_libraries.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/child_program.h"

/* From the target "gfx1100:..." the file's name has "1100". */
static char *version_file(const char *folder, const char *arch)
{
	const char *number = arch + strcspn(arch, "0123456789");
	return xasprintf("%s/oclc_isa_version_%.*s.bc", folder, (int)strcspn(number, ":"), number);
}

/* As the libraries number them: 11000 for gfx1100, the last digits are the minor version and the stepping. */
static int version_number(const char *arch)
{
	int number = atoi(arch + strcspn(arch, "0123456789"));
	return number / 100 * 1000 + number / 10 % 10 * 100 + number % 10;
}

static bool link_files(const char *from, const char *to)
{
	DIR *d = opendir(from);
	bool ok = d;
	for (const struct dirent *f; ok && (f = readdir(d));) {
		if (*f->d_name == '.')
			continue;
		char *target = xasprintf("%s/%s", from, f->d_name), *name = xasprintf("%s/%s", to, f->d_name);
		ok = !symlink(target, name);
		free(target);
		free(name);
	}
	if (d)
		closedir(d);
	return ok;
}

static bool write_version(const char *path, int version)
{
	FILE *f = fopen(path, "we");
	if (!f)
		return false;
	fprintf(f,
		"target triple = \"amdgcn-amd-amdhsa\"\n"
		"@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 %d, align 4\n",
		version);
	return !fclose(f);
}

static bool compile_version(const struct toolchain *tools, const char *arch, const char *file, const char *temporary)
{
	char *text = xasprintf("%s/version.ll", temporary);
	char *argv[] = {tools->clang, "-x", "ir", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-emit-llvm", "-c", "-o",
		(char *)file, text, NULL};
	bool ok = write_version(text, version_number(arch)) && child_succeeds(argv, NULL);
	unlink(text);
	free(text);
	return ok;
}

char *device_libraries_folder(const struct toolchain *tools, const char *arch, const char *temporary)
{
	char *own = version_file(tools->bitcode, arch), *folder = xasprintf("%s/bitcode", temporary);
	char *file = version_file(folder, arch);
	bool made = !access(file, R_OK); /* by an earlier compile of the same task */
	if (!made && access(own, R_OK) && !strncmp(arch, "gfx11", 5))
		made = !mkdir(folder, 0700) && link_files(tools->bitcode, folder) &&
			compile_version(tools, arch, file, temporary);
	char *chosen = xstrdup(made ? folder : tools->bitcode);
	free(own);
	free(folder);
	free(file);
	return chosen;
}
