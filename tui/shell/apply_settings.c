#include "tui/shell/apply_settings.h"

#include <string.h>

#include "base/log.h"
#include "sessions/session.h"
#include "tui/shell/bindings.h"
#include "base/conf_file.h"
#include "tui/lab/edit/file_watch.h"
#include "tui/lab/lab_measure.h"
#include "tui/toolkit/terminal.h"

static void use_theme(struct app *a)
{
	struct err e;
	if (!theme_load(setting_value(SETTING_THEME), conf_log_error, NULL, &e))
		log_printf(LOG_WARNING, "%s", e.text);
	a->redraw = true;
}

/* The fonts of the Linux console have no braille. */
static enum canvas_kind automatic_canvas(void)
{
	static const enum canvas_kind kinds[] = {
		[FONT_UNICODE] = CANVAS_BRAILLE, [FONT_CONSOLE] = CANVAS_BLOCK, [FONT_ASCII] = CANVAS_ASCII};
	return kinds[term_font()];
}

void apply_setting(struct app *a, enum setting s)
{
	switch (s) {
	case SETTING_THEME: use_theme(a); break;
	case SETTING_CANVAS:
		a->canvas = setting_equals(s, "auto")  ? automatic_canvas()
			: setting_equals(s, "braille") ? CANVAS_BRAILLE
			: setting_equals(s, "blocks")  ? CANVAS_BLOCK
						       : CANVAS_ASCII;
		break;
	case SETTING_GLYPHS:
		a->ascii = setting_equals(s, "auto") ? !locale_is_utf8() || term_font() == FONT_ASCII
						     : setting_equals(s, "ascii");
		break;
	case SETTING_MOUSE: a->mouse = setting_is_on(s); break;
	case SETTING_LOG_Y: a->log_y = setting_is_on(s); break;
	case SETTING_PUBLISHED: a->hide_published = !setting_is_on(s); break;
	case SETTING_RECORD:
		if (setting_is_on(s) && !a->recording.on)
			recording_start(a);
		else if (!setting_is_on(s) && a->recording.on)
			recording_toggle(a);
		break;
	case SETTING_WATCH: file_watch_enable(a, setting_is_on(s)); break;
	case SETTING_FRAMES: a->frames = setting_int_value(s); break;
	case SETTING_SESSIONS: session_set_default_folder(setting_equals(s, "auto") ? NULL : setting_value(s)); break;
	case SETTING_WORKERS: measure_use_worker_count(a); break;
	case SETTING_CHECK:
	case SETTING_STOP:
	case SETTING_FLUSH_L2:
	case SETTING_RESTORE:
	case SETTING_EXPERIMENT:
	case SETTING_DEVICE:
	case SETTING_UNSAVED:
	case SETTING_VOTE_FOR:
	case SETTING_VOTE_TIMER:
	case SETTING_COUNT: break; /* used at the next start, sweep or vote, or when the program quits */
	}
}

void apply_all_settings(struct app *a)
{
	bindings_read(conf_log_error, NULL);
	for (int s = 0; s < SETTING_COUNT; s++)
		apply_setting(a, (enum setting)s);
	a->message[0] = 0;
}
