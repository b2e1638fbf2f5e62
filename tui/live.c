#include "tui/live.h"

#include <string.h>

#include "base/log.h"
#include "sessions/session.h"
#include "tui/bindings.h"
#include "tui/conf.h"
#include "tui/measure.h"

static void use_theme(struct app *a)
{
	struct err e;
	if (!theme_use(setting_text(SETTING_THEME), conf_to_log, NULL, &e))
		log_line(LOG_WARNING, "%s", e.text);
	a->redraw = true;
}

void live_setting(struct app *a, enum setting s)
{
	switch (s) {
	case SETTING_THEME: use_theme(a); break;
	case SETTING_CANVAS:
		a->canvas = setting_is(s, "braille") ? CANVAS_BRAILLE
			: setting_is(s, "blocks")    ? CANVAS_BLOCK
						     : CANVAS_ASCII;
		break;
	case SETTING_GLYPHS: a->ascii = setting_is(s, "auto") ? !locale_is_utf8() : setting_is(s, "ascii"); break;
	case SETTING_MOUSE: a->mouse = setting_on(s); break;
	case SETTING_LOG_Y: a->log_y = setting_on(s); break;
	case SETTING_PUBLISHED: a->bare = !setting_on(s); break;
	case SETTING_RECORD:
		if (setting_on(s) != a->recording.on)
			recording_toggle(a);
		break;
	case SETTING_FRAMES: a->frames = setting_number(s); break;
	case SETTING_SESSIONS: session_folder_set(setting_is(s, "auto") ? NULL : setting_text(s)); break;
	case SETTING_EXPERIMENT:
	case SETTING_DEVICE:
	case SETTING_COUNT: break; /* of the next start */
	}
}

void live_settings(struct app *a)
{
	bindings_read(conf_to_log, NULL);
	for (int s = 0; s < SETTING_COUNT; s++)
		live_setting(a, (enum setting)s);
	a->message[0] = 0;
}
