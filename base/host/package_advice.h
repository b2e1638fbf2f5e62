/* The command that installs what is missing, with the package names of this machine's distribution. The names are in
 * share/packages.tsv, which deps.sh reads too. */
#ifndef BASE_HOST_PACKAGE_ADVICE_H
#define BASE_HOST_PACKAGE_ADVICE_H

#include <stddef.h>

/* `needs`: rows of packages.tsv, separated by spaces: "compiler linker". `llvm`: the major version of clang that is
 * there; 0: none. `out` gets "sudo apt-get install clang-17 lld-17", without sudo for root; on a distribution that has
 * no such package or is unknown, a hint in words. Asks apt which packages exist, so it takes up to a second. */
void package_install_command(const char *needs, int llvm, char *out, size_t size);

#endif
