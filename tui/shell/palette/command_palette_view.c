/* Draws the command palette: the matches above the status line, the text in it. */
#include <stdio.h>
#include <string.h>

#include "tui/toolkit/screen_layout.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/screen_draw.h"

enum { ROWS_MOST = 14, NAME_WIDTH = 34, NAME_WIDTH_LEAST = 22, WIDE = 100 };

static void draw_palette_entry(const struct app *a, const struct palette_entry *o, bool selected, struct area row)
{
	int role = selected ? ROLE_SELECTED : ROLE_KEY, name = row.r.w >= WIDE ? NAME_WIDTH : NAME_WIDTH_LEAST;
	struct mouse_region hit = {.click = "palette"};
	int used = text_width(o->text) + 2;
	for (int x = 0; x < row.r.w; x++)
		area_draw_text(row, x, 0, selected ? ROLE_SELECTED : ROLE_TEXT, " ");
	if (selected)
		area_draw_text(row, 0, 0, role, glyph_text(a->ascii, GLYPH_SELECT));
	area_draw_fitted(row, 1, 0, row.r.w - 1, role, o->text);
	int x = used > name ? used + 1 : name + 1;
	area_draw_fitted(row, x, 0, row.r.w - x, selected ? ROLE_SELECTED : ROLE_DIM, o->help);
	snprintf(hit.argument, sizeof hit.argument, "%s", o->text);
	area_add_hit(row, 0, 0, row.r.w, 1, hit);
}

static void draw_palette_line(const struct palette *p, struct area line)
{
	area_clear(line);
	int x = area_draw_text(line, 1, 0, ROLE_KEY, ":") + 1, over = x + text_width(p->text) + 1 - line.r.w;
	const char *text = p->text;
	for (; over > 0 && *text; text++) /* the end of the text is what is being typed */
		over -= (text[1] & 0xc0) != 0x80;
	while ((*text & 0xc0) == 0x80)
		text++;
	x += area_draw_text(line, x, 0, ROLE_ENTRY, text);
	area_draw_text(line, x, 0, ROLE_ENTRY, "_");
}

void palette_draw(const struct app *a, struct grid *g)
{
	const struct palette *p = a->palette;
	struct layout l = layout_single_pane(g->w, g->h);
	struct rect status =
		layout_has_pane(&l, PANE_STATUS) ? l.pane[PANE_STATUS] : (struct rect){0, g->h - 1, g->w, 1};
	int room = status.y - 3, rows = p->shown_count < ROWS_MOST ? p->shown_count : ROWS_MOST;
	char text[60];
	if (rows > room)
		rows = room;
	draw_palette_line(p, area_of_grid(g, status));
	if (room < 1)
		return;
	struct area box =
		area_of_grid(g, (struct rect){0, status.y - (rows ? rows : 1) - 2, g->w, (rows ? rows : 1) + 2});
	area_clear(box);
	snprintf(text, sizeof text, "%d of %d", p->shown_count ? p->selected + 1 : 0, p->shown_count);
	area_draw_frame(box, true, "Commands", text);
	struct area in = area_inner(box);
	int first = list_first_visible_row(p->selected, rows, p->shown_count);
	for (int i = 0; i < rows; i++)
		draw_palette_entry(a, p->shown[first + i], first + i == p->selected, area_sub(in, 0, i, in.r.w, 1));
	if (!rows)
		area_draw_text(in, 1, 0, ROLE_WARN, "no command matches; Enter runs the line as typed");
}
