/* The code view: its parts never overlap or leave the screen, and it draws at any size in any state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/keymap.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/code/code_view_draw.h"
#include "tui/shell/shell.h"
#include "tests/scratch.h"

static bool inside(struct rect r, int w, int h)
{
	return r.x >= 0 && r.y >= 0 && r.w >= 0 && r.h >= 0 && r.x + r.w <= w && r.y + r.h <= h;
}

static bool overlap(struct rect a, struct rect b)
{
	return a.w && b.w && a.h && b.h && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static void parts_do_not_overlap_or_leave_the_screen(void **state)
{
	(void)state;
	for (int w = 1; w <= 220; w++)
		for (int h = 1; h <= 70; h++)
			for (int pane = 0; pane < 6; pane++) {
				static const int shares[] = {0, SOURCE_SHARE_LEAST, SOURCE_SHARE_MOST};
				struct code_view_layout_rects l =
					code_view_layout(w, h, (enum code_pane)(pane % 2), shares[pane / 2]);
				const struct rect r[] = {l.source, l.lines, l.kernel, l.instruction};
				for (int i = 0; i < 4; i++) {
					assert_true(inside(r[i], w, h));
					for (int k = 0; k < i; k++)
						assert_false(overlap(r[i], r[k]));
				}
				assert_true(l.source.w || l.lines.w);
				assert_true(pane % 2 == CODE_SOURCE ? l.source.w > 0
								    : l.lines.w > 0); /* the focused pane is visible */
				if (w >= 120)
					assert_true(l.source.w && l.lines.w);
			}
}

/* An experiment without a definition has no code: the view explains why and draws at any size. */
static void draws_without_code_at_any_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	made_app(&a, &x, 5, 80, 24);
	app_set_view_state(&a, &view_code, xcalloc(1, sizeof(struct code_view)));
	a.view = &view_code;
	snprintf(code_view_of(&a)->why, sizeof code_view_of(&a)->why,
		"made-range launches no kernel; there is no code to look at");
	for (int w = 1; w <= 130; w += 3)
		for (int h = 1; h <= 40; h += 3) {
			grid_resize(&g, w, h);
			screen_draw(&a, &g);
		}
	grid_resize(&g, 80, 24);
	screen_draw(&a, &g);
	char *text = grid_dump_text(&g);
	assert_non_null(strstr(text, "launches no kernel"));
	free(text);
	grid_free(&g);
	code_view_close(&a);
	assert_null(code_view_of(&a));
	made_free(&a);
}

/* Without code no key has an effect. */
static void keys_without_code_have_no_effect(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 5, 80, 24);
	app_set_view_state(&a, &view_code, xcalloc(1, sizeof(struct code_view)));
	code_view_of(&a)->asked = true;
	code_view_of(&a)->x = &x;
	memcpy(code_view_of(&a)->values, a.labs[0].curve.points[0].values, sizeof code_view_of(&a)->values);
	a.view = &view_code;
	for (size_t i = 0; i < action_count(); i++)
		if (action_at(i)->where == view_scope(&view_code) && strncmp(action_at(i)->name, "code-next", 9) &&
			strncmp(action_at(i)->name, "code-prev", 9))
			app_handle_key(&a, action_at(i)->key);
	assert_ptr_equal(a.view, &view_code);
	assert_false(a.input.is_open);
	app_handle_key(&a, TK_ESC);
	assert_ptr_equal(a.view, views[0]);
	code_view_close(&a);
	made_free(&a);
}

/* A kernel for a target without a disassembler: its source and resources are shown, and why the instructions are
 * not. */
static struct code_object *for_gfx1030(const char *path)
{
	enum { FLAGS = 48 /* of the ELF header */, MACH_GFX1030 = 0x36 };
	char all[1 << 16];
	struct err e = {0};
	const char *build = getenv("BUILD");
	char *from = xasprintf("%s/kernels/gfx900/store.co", build ? build : "build");
	FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
	assert_true(in && out);
	size_t n = fread(all, 1, sizeof all, in);
	all[FLAGS] = MACH_GFX1030;
	fwrite(all, 1, n, out);
	fclose(in);
	fclose(out);
	free(from);
	struct code_object *o = code_object_open(path, &e);
	if (!o)
		fail_msg("%s", e.text);
	unlink(path);
	return o;
}

static void a_target_without_disassembler_shows_its_source(void **state)
{
	(void)state;
	char path[SCRATCH_PATH];
	struct app a;
	struct experiment x;
	struct grid g = {0};
	const struct kernel_info *list;
	close(mkstemp(scratch_path(path, "code-XXXXXX")));
	setenv("WAVEDECK_SYSROOT", "/proc/none", 1);
	setenv("PATH", "/proc/none", 1);
	struct code_object *o = for_gfx1030(path);
	assert_true(code_object_list_kernels(o, &list) > 0);
	made_app(&a, &x, 5, 120, 36);
	a.ascii = true;
	app_set_view_state(&a, &view_code, xcalloc(1, sizeof(struct code_view)));
	code_view_of(&a)->asked = true;
	code_view_of(&a)->shown.model = code_model_from_object(o, &list[0],
		&(struct code_request){.device = "hip:0", .arch = "gfx1030", .file = "store.hip"}, "store.hip");
	a.view = &view_code;
	code_view_of(&a)->pane = CODE_SOURCE;
	assert_null(code_view_of(&a)->shown.model->lines);
	action_call(action_by_name("code-down"), &a, "3");
	assert_int_equal(code_view_of(&a)->source, 3);
	action_call(action_by_name("code-down"), &a, "9223372036854775807");
	assert_int_equal(code_view_of(&a)->source, code_view_of(&a)->shown.model->source_count);
	action_call(action_by_name("code-up"), &a, "9223372036854775807");
	assert_int_equal(code_view_of(&a)->source, 1);
	action_call(action_by_name("code-hot"), &a, NULL);
	action_call(action_by_name("code-diff"), &a, NULL);
	assert_false(code_view_of(&a)->choosing);
	grid_resize(&g, 120, 36);
	screen_draw(&a, &g);
	char *text = grid_dump_text(&g);
	assert_non_null(strstr(text, "cannot disassemble gfx1030"));
	assert_non_null(strstr(text, "VGPRs"));
	assert_non_null(strstr(text, "__global__"));
	free(text);
	grid_free(&g);
	code_view_close(&a);
	code_object_close(o);
	made_free(&a);
}

static void labels_name_the_changed_values(void **state)
{
	(void)state;
	struct experiment x;
	char text[160];
	made_experiment(&x);
	double values[PARAMS_MAX] = {x.params[0].value, x.params[1].soft, 1};
	code_format_label(&x, values, text, sizeof text);
	assert_string_equal(text, "made-range, variant compiled");
	values[0] = 8192;
	code_format_label(&x, values, text, sizeof text);
	assert_string_equal(text, "made-range, rangesize 8 KiB, variant compiled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_do_not_overlap_or_leave_the_screen),
		cmocka_unit_test(draws_without_code_at_any_size),
		cmocka_unit_test(keys_without_code_have_no_effect),
		cmocka_unit_test(a_target_without_disassembler_shows_its_source),
		cmocka_unit_test(labels_name_the_changed_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
