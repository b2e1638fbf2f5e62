/* The list of all views. */
#include <stddef.h>

#include "tui/lab/view.h"

#define VIEW(name) extern const struct view view_##name;
#include "tui/views/views.def"
#undef VIEW

#define VIEW(name) &view_##name,
const struct view *const views[] = {
#include "tui/views/views.def"
	NULL,
};
#undef VIEW
