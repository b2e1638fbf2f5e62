/* The compiler and the LLVM tools for tests. */
#ifndef TESTS_TOOLCHAIN_H
#define TESTS_TOOLCHAIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the shell: flags for sources that include the HIP headers, after a call of toolchain_value. */
#define HIP_HEADERS "--rocm-path=$ROCM_PATH --rocm-device-lib-path=$BITCODE"

/* For the shell: clang leaves folders in its TMPDIR. */
#define IN_SCRATCH "kernels/in_scratch.sh "

/* The value of a variable that toolchain.sh prints. make exports them; a test that runs without make reads them here.
 * Ends the test program if nothing was found. */
static inline const char *toolchain_value(const char *variable)
{
	const char *value = getenv(variable);
	char line[512];

	if (!value) {
		FILE *f = popen("./toolchain.sh", "r");
		while (f && fgets(line, sizeof line, f)) {
			char *equals = strchr(line, '=');
			line[strcspn(line, "\n")] = '\0';
			if (equals) {
				*equals = '\0';
				setenv(line, equals + 1, 0);
			}
		}
		if (f)
			pclose(f);
		value = getenv(variable);
	}
	if (!value || !*value) {
		printf("not ok - %s is not set: ./toolchain.sh found none; run: make deps\n", variable);
		exit(1);
	}
	return value;
}

static inline unsigned llvm_version(void)
{
	return (unsigned)atoi(toolchain_value("LLVM_VERSION"));
}

/* The lowest optimization level whose code is right. After an if, clang 17 at -O0 reloads vector registers before it
 * restores exec, so lanes that took the other branch keep old values; clang 15 and 18 restore exec first. */
static inline const char *lowest_level(void)
{
	return llvm_version() == 17 ? "-O1" : "-O0";
}

#endif
