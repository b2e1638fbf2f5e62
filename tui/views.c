#include "tui/views.h"

#include "tui/app.h"
#include "tui/code.h"
#include "tui/devices.h"
#include "tui/inside.h"
#include "tui/keys.h"
#include "tui/lessons.h"
#include "tui/sessions.h"
#include "tui/view.h"

#define ROW(id, name, place, draw, enter, close) [VIEW_##id] = {name, place, draw, enter, close},
static const struct view_info rows[VIEW_COUNT] = {VIEWS(ROW)};
#undef ROW

const struct view_info *view_get_info(int view)
{
	return &rows[view];
}
