/* The pages of the inside view: each draws into the area below the tabs and changes nothing. */
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

/* What a span's cause looks like: its letter and its family's role (gpu/protocol/stall_reasons.h), dimmed where a wave
 * waits to issue;
 * "" has a dot. */
char stall_letter(const char *cause);
int stall_role(const char *cause, bool issue);
/* Of device memory, or of the host's as the device sees it. */
char *address_format(uint64_t at, char *out, size_t size);
/* What its end is called: "back", "acknowledged", "done". */
const char *access_end_label(const struct wave_access *a);
/* An access in words: "L1 176 cycles, DRAM 425"; where its cycles went. */
void access_format_path(const struct wave_access *a, char *out, size_t size);
/* Up to `rows` instructions around line `here` from row y on, with their addresses; `mark` of them is pointed at.
 * Returns the rows used. */
int inspector_draw_code(const struct app *a, const struct issued_code *c, struct area at, int here, int rows);

#endif
