#include "tui/lab/edit/native_choice.h"

#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "experiments/definition/native_permission.h"
#include "gpu/backends/backend.h"

static uint64_t hash_native(const char *text)
{
	return hash_text(HASH_START, text) | 1;
}

static bool is_refused(const struct app *a, const char *text)
{
	for (int i = 0; i < NATIVE_REFUSED; i++)
		if (a->native_refused[i] == hash_native(text))
			return true;
	return false;
}

static void note_refused(struct app *a, const char *text)
{
	memmove(a->native_refused + 1, a->native_refused, sizeof a->native_refused - sizeof *a->native_refused);
	a->native_refused[0] = hash_native(text);
}

/* Not allowed, and refused or not. A file that cannot be read is the error of the points. */
static bool native_is_closed(const struct app *a, const struct lab *b, bool refused)
{
	struct buf text = {0};
	bool closed = *b->x->native && !device_can(a->device, DEVICE_RECORDING) &&
		native_source_read(b->x, &text, NULL) && !native_source_is_allowed(b->x->native, text.data) &&
		is_refused(a, text.data) == refused;
	buf_free(&text);
	return closed;
}

bool native_choice_is_missing(const struct app *a, const struct lab *b)
{
	return native_is_closed(a, b, false);
}

bool native_choice_is_no(const struct app *a, const struct lab *b)
{
	return native_is_closed(a, b, true);
}

void native_choice_make(struct app *a, const struct lab *b, bool yes)
{
	struct err e = {0};
	struct buf text = {0};
	bool ok = native_source_read(b->x, &text, &e);
	if (ok && yes)
		ok = native_source_allow(b->x->native, text.data, &e);
	else if (ok)
		note_refused(a, text.data);
	if (!ok)
		app_show_message(a, ROLE_BAD, "%s", e.text);
	else if (!yes)
		app_show_message(a, ROLE_WARN, "not verified: native code of %s may not run", b->x->native);
	buf_free(&text);
}
