#include "tui/shell/view_table.h"

#include "tui/shell/app.h"
#include "tui/views/code/code_view.h"
#include "tui/views/devices/devices_view.h"
#include "tui/views/inspector/inspector.h"
#include "tui/shell/keymap.h"
#include "tui/views/lessons/lessons_view.h"
#include "tui/views/sessions/sessions_view.h"
#include "tui/shell/screen_draw.h"

#define ROW(id, name, place, draw, enter, close) [VIEW_##id] = {name, place, draw, enter, close},
static const struct view_info rows[VIEW_COUNT] = {VIEWS(ROW)};
#undef ROW

const struct view_info *view_get_info(int view)
{
	return &rows[view];
}
