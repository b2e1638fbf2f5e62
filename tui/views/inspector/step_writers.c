/* Back from a step to the one that wrote the value that it uses. */
#include <stdlib.h>

#include "base/buf.h"
#include "tui/views/inspector/inspector.h"

/* The instruction of loaded step k; NULL: the kernel's code is not known. */
static const struct isa_inst *find_step_instruction(const struct inspector *v, int k)
{
	const struct code_model *m = v->model;
	for (size_t i = 0; m && m->lines && i < m->count; i++)
		if (m->lines[i].va == m->info.code_va + (uint64_t)v->steps.step[k].offset)
			return &m->lines[i].inst;
	return NULL;
}

static bool lane_executes(const struct inspector *v, int k)
{
	struct wave_registers *r = xmalloc(sizeof *r);
	wave_steps_registers(&v->steps, k, r);
	uint64_t exec = (uint64_t)r->s[REG_EXEC + 1] << 32 | r->s[REG_EXEC];
	free(r);
	return exec >> v->lane & 1;
}

/* A trace has changes only: a write of the same value is in the code. */
static bool step_writes(const struct inspector *v, int k, const struct value_source *s)
{
	uint64_t changed = wave_steps_changed_lanes(&v->steps, k, s->first);
	if (changed && (!s->vector || changed >> v->lane & 1))
		return true;
	const struct isa_inst *in = find_step_instruction(v, k);
	return in && value_source_is_written(in, s) && (!s->vector || lane_executes(v, k));
}

/* The latest write of any of the registers in the loaded steps; -1: none. *which gets the register. */
static int find_last_write(const struct inspector *v, int *which)
{
	const struct wave_steps *t = &v->steps;
	uint64_t loaded = v->seek_step > t->first ? v->seek_step - t->first : 0;
	int k = loaded < (uint64_t)t->steps ? (int)loaded : t->steps;
	while (--k >= 0)
		for (*which = 0; *which < v->sought.count; (*which)++)
			if (step_writes(v, k, &v->sought.list[*which]))
				return k;
	return -1;
}

static void list_sought(const struct inspector *v, struct buf *b)
{
	for (int i = 0; i < v->sought.count; i++)
		buf_printf(b, "%s%s", i ? ", " : "", v->sought.list[i].name);
}

/* The steps up to the wave's first one have no write. */
static void report_start_value(struct app *a, struct inspector *v)
{
	struct buf names = {0};
	list_sought(v, &names);
	v->at = 0;
	app_show_message(
		a, ROLE_DIM, "no step wrote %s before: the wave began with it; this is its first step", names.data);
	buf_free(&names);
}

static void request_steps_before(struct app *a, struct inspector *v)
{
	v->request_step = v->steps.first > STEP_WINDOW_SIZE ? v->steps.first - STEP_WINDOW_SIZE : 0;
	v->request_cycle = 0;
	v->request_offset = -1;
	inspector_request_parts(a, PART_STEPS);
}

void inspector_continue_write_seek(struct app *a)
{
	struct inspector *v = inspector_get(a);
	int which = 0, k = find_last_write(v, &which);
	if (k < 0 && v->steps.first && ++v->seek_windows <= SEEK_WINDOWS_MAX) {
		request_steps_before(a, v);
		return;
	}
	v->seek = SEEK_NONE;
	if (k >= 0) {
		v->at = k;
		app_show_message(a, ROLE_OK,
			"%s is written here, for the last time before step %llu; Right shows its value",
			v->sought.list[which].name, (unsigned long long)v->seek_step);
	} else if (!v->steps.first)
		report_start_value(a, v);
	else
		app_show_message(a, ROLE_WARN, "no write in the %d steps before", SEEK_WINDOWS_MAX * STEP_WINDOW_SIZE);
}

void inspector_seek_write(struct app *a)
{
	struct inspector *v = inspector_get(a);
	if (v->at >= v->steps.steps)
		return;
	const struct isa_inst *in = find_step_instruction(v, v->at);
	if (in)
		value_sources_find(in, &v->sought);
	if (!in || !v->sought.count) {
		app_show_message(a, ROLE_DIM,
			in ? "this instruction reads no register"
			   : "the registers of this kernel's instructions are not known");
		return;
	}
	v->seek = SEEK_WRITE;
	v->seek_step = v->steps.first + (uint64_t)v->at;
	v->seek_windows = 0;
	inspector_continue_write_seek(a);
	app_request_redraw(a);
}
