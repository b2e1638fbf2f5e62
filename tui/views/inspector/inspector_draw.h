/* The pages of the inspector: each draws into the area below the tabs. */
#ifndef TUI_VIEWS_INSPECTOR_INSPECTOR_DRAW_H
#define TUI_VIEWS_INSPECTOR_INSPECTOR_DRAW_H

#include "tui/views/inspector/inspector.h"
#include "tui/shell/screen_draw.h"

void inspector_draw(const struct app *a, struct area at);
void inspector_draw_timeline(const struct app *a, struct area at);
void inspector_draw_lanes(const struct app *a, struct area at);
void inspector_draw_sets(const struct app *a, struct area at);
void inspector_draw_steps(const struct app *a, struct area at);
void inspector_draw_tunables(const struct app *a, struct area at);

char stall_letter(const char *cause); /* of a stall reason (gpu/protocol/stalls/stall_reasons.h); "" is a dot */
/* An address in device memory, or in host memory as the device sees it. */
char *address_format(uint64_t at, char *out, size_t size);
/* What the end of an access is called: "back", "acknowledged", "done". */
const char *access_end_label(const struct wave_access *a);
/* Where the access spent its cycles: "L1 176 cycles, DRAM 425". */
void access_format_path(const struct wave_access *a, char *out, size_t size);
/* Draws up to `rows` instructions around line `here`, with their addresses; marks `here`. Returns the rows used. */
int inspector_draw_code(const struct app *a, const struct issued_code *c, struct area at, int here, int rows);

/* Draws the source line of an instruction, with its number, into row y; nothing if it is not known. */
void inspector_draw_source(const struct inspector *v, struct area at, int y, int64_t offset);

void inspector_add_legend(const struct app *a, struct text_page *page);

#endif
