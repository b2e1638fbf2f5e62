/* Actions of the steps page. */
#include <stdlib.h>
#include <string.h>

#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_pages.h"

void act_steps_move(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	int64_t to = (int64_t)v->steps.first + v->at + by;
	if (by && v->steps.loaded)
		inspector_seek_step(a, SEEK_STEP, to < 0 ? 0 : (uint64_t)to);
}

void act_steps_first(struct app *a)
{
	inspector_seek_step(a, SEEK_STEP, 0);
}

void act_steps_last(struct app *a)
{
	struct inspector *v = inspector_get(a);
	if (v->steps.steps)
		v->at = v->steps.steps - 1;
}

void act_steps_scroll_registers(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	v->first_register = inspector_clamp(v->first_register + by, 0, WAVE_VGPRS_MAX + WAVE_SGPRS);
}

void act_steps_more(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	v->lane = inspector_next_lane(v->lane, 1, argument);
}

void act_steps_less(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	v->lane = inspector_next_lane(v->lane, -1, argument);
}

void act_steps_format(struct app *a)
{
	struct inspector *v = inspector_get(a);
	v->format = (v->format + 1) % REGISTER_FORMATS;
	app_show_message(a, ROLE_DIM, "registers: %s", register_format_name(v->format));
}

void act_steps_access(struct app *a)
{
	inspector_seek_step(a, SEEK_ACCESS, 0);
}
void act_steps_barrier(struct app *a)
{
	inspector_seek_step(a, SEEK_BARRIER, 0);
}

void act_steps_write(struct app *a)
{
	inspector_seek_write(a);
}

/* "+000040" or "0x40": the address of an instruction; "1200": a step. */
static bool take_step(struct app *a, const char *text)
{
	char *end;
	bool offset = *text == '+' || !strncmp(text, "0x", 2);
	unsigned long long n = strtoull(text + (*text == '+'), &end, offset ? 16 : 10);
	if (end == text || *end) {
		app_show_message(a, ROLE_BAD, "neither a step (1200) nor an address (+000040): '%s'", text);
		return false;
	}
	if (offset)
		inspector_run_to_offset(a, (int64_t)n);
	else
		inspector_seek_step(a, SEEK_STEP, n);
	return true;
}

void act_steps_goto(struct app *a, const char *argument)
{
	inspector_type(a, take_step, argument, "", "step, or +ADDRESS to run to: ");
}

static bool take_memory_address(struct app *a, const char *text)
{
	struct err e = {0};
	if (inspector_watch_memory(a, text, &e))
		return true;
	app_show_message(a, ROLE_BAD, "%s", e.text);
	return false;
}

void act_steps_memory(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	char text[80] = "";
	if (v->steps.loaded && v->at < v->steps.steps)
		memory_watch_suggest(issued_code_text(&v->code, v->steps.step[v->at].offset), text, sizeof text);
	inspector_type(
		a, take_memory_address, argument, text, "memory at (buffer+0x40, s[4:5]+v2, lds v1; empty: none): ");
}
