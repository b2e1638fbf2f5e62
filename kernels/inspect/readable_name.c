#include "kernels/inspect/readable_name.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "base/buf.h"

enum { NAME_MAX_BYTES = 4000 };

struct name {
	char text[NAME_MAX_BYTES + 1];
	size_t length;
	jmp_buf too_long; /* all that the demangler has is on the stack */
};

static void add_part(const char *part, size_t length, void *of)
{
	struct name *n = of;
	if (length > NAME_MAX_BYTES - n->length)
		longjmp(n->too_long, 1);
	memcpy(n->text + n->length, part, length);
	n->length += length;
}

/* A symbol of some hundred characters may stand for gigabytes, so the name is taken in parts. */
char *kernel_readable_name(const char *symbol)
{
	struct name n;
	n.length = 0;
	if (strncmp(symbol, "_Z", 2) || setjmp(n.too_long) ||
		!cplus_demangle_v3_callback(symbol, DMGL_PARAMS | DMGL_ANSI, add_part, &n))
		return xstrdup(symbol);
	n.text[n.length] = 0;
	return xstrdup(n.text);
}
