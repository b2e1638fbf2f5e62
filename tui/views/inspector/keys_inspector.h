/* The inside view's rows of the keys table (keymap.h). What the arrows mean is the page's. */
#ifndef TUI_VIEWS_INSPECTOR_KEYS_INSPECTOR_H
#define TUI_VIEWS_INSPECTOR_KEYS_INSPECTOR_H

/* clang-format off */
#define ACTIONS_INSPECTOR(X) \
	X(inside,          "inside",           IN_ALL,    'W',           '3',           "", \
		"inside the launch at the cursor: waves, lanes, cache sets, steps, knobs; a page's name goes there") \
	X(inspector_timeline, "inside-timeline",  IN_INSPECTOR, 't',           TK_NONE,       "", \
		"timeline: what each wave of a CU did in every cycle") \
	X(inspector_lanes,    "inside-lanes",     IN_INSPECTOR, 'b',           TK_NONE,       "", \
		"lanes of one access on LDS banks or cache lines") \
	X(inspector_sets,     "inside-sets",      IN_INSPECTOR, 'c',           TK_NONE,       "",      "what the sets of a cache met") \
	X(inspector_steps,    "inside-steps",     IN_INSPECTOR, 's',           TK_NONE,       "",      "one wave step by step, forward and back") \
	X(inspector_knobs,    "inside-hardware",  IN_INSPECTOR, 'h',           TK_NONE,       "",      "the hardware's constants as knobs") \
	X(inspector_next,     "inside-next-page", IN_INSPECTOR, TK_TAB,        TK_NONE,       "page",  "next page") \
	X(inspector_prev,     "inside-prev-page", IN_INSPECTOR, TK_BACKTAB,    TK_NONE,       "",      "previous page") \
	X(inspector_right,    "inside-right",     IN_INSPECTOR, TK_RIGHT,      TK_NONE,       "move", \
		"later, next set, next execution, one step forward, knob up; a number: so many") \
	X(inspector_left,     "inside-left",      IN_INSPECTOR, TK_LEFT,       TK_NONE,       "", \
		"earlier, previous set, previous execution, one step back, knob down") \
	X(inspector_down,     "inside-down",      IN_INSPECTOR, TK_DOWN,       'j',           "", \
		"next wave slot, instruction, row of sets, registers further down, next knob") \
	X(inspector_up,       "inside-up",        IN_INSPECTOR, TK_UP,         'k',           "",      "the other way") \
	X(inspector_page_down, "inside-page-down", IN_INSPECTOR, TK_PAGE_DOWN, TK_SPACE,      "", \
		"to where the wave's next span begins; next cache; 16 steps; a page of knobs") \
	X(inspector_page_up,  "inside-page-up",   IN_INSPECTOR, TK_PAGE_UP,    TK_NONE,       "",      "the other way") \
	X(inspector_first,    "inside-first",     IN_INSPECTOR, TK_HOME,       TK_NONE,       "",      "first cycle, set, execution, step, knob") \
	X(inspector_last,     "inside-last",      IN_INSPECTOR, TK_END,        TK_NONE,       "",      "last cycle, set, knob; the last step that is there") \
	X(inspector_more,     "inside-more",      IN_INSPECTOR, ']',           TK_NONE,       "CU, lane", \
		"next CU, wave, cache instance, lane; a number: that one") \
	X(inspector_less,     "inside-less",      IN_INSPECTOR, '[',           TK_NONE,       "",      "the one before") \
	X(inspector_zoom_in,  "inside-zoom-in",   IN_INSPECTOR, '+',           TK_NONE,       "zoom",  "timeline: half the cycles a column") \
	X(inspector_zoom_out, "inside-zoom-out",  IN_INSPECTOR, '-',           TK_NONE,       "",      "timeline: twice the cycles a column") \
	X(inspector_what,     "inside-what",      IN_INSPECTOR, 'v',           TK_NONE,       "", \
		"cache sets: misses, evictions, hits; lanes: the other access of an instruction with two") \
	X(inspector_follow_wave,   "inside-follow",    IN_INSPECTOR, 'f',           TK_NONE,       "", \
		"the steps of the wave at the timeline's cursor, from that cycle on") \
	X(inspector_wave,     "inside-wave",      IN_INSPECTOR, 'w',           TK_NONE,       "",      "type the number of the wave to follow") \
	X(inspector_load,     "inside-next-load", IN_INSPECTOR, 'n',           TK_NONE,       "", \
		"steps: to the next access to memory or LDS") \
	X(inspector_barrier,  "inside-next-barrier", IN_INSPECTOR, 'N',        TK_NONE,       "",      "steps: to the next barrier") \
	X(inspector_go,       "inside-go",        IN_INSPECTOR, 'g',           TK_NONE,       "go to", \
		"type a cycle, an execution, a set, a step (1200) or an address to run to (+000040)") \
	X(inspector_set,      "inside-set",       IN_INSPECTOR, '=',           TK_NONE,       "", \
		"hardware: type the knob's value; in scripts NAME=VALUE") \
	X(inspector_filter,   "inside-filter",    IN_INSPECTOR, '/',           TK_NONE,       "", \
		"hardware: show only constants with these letters") \
	X(inspector_reset_tunables,    "inside-reset",     IN_INSPECTOR, 'd',           TK_NONE,       "",      "hardware: this knob as the model has it") \
	X(inspector_reset_all, "inside-reset-all", IN_INSPECTOR, 'X',          TK_NONE,       "",      "hardware: all knobs as the model has them") \
	X(inspector_point_right, "inside-point-right", IN_INSPECTOR, '>',      TK_NONE,       "",      "the curve's next point") \
	X(inspector_point_left, "inside-point-left", IN_INSPECTOR, '<',        TK_NONE,       "",      "the curve's previous point") \
	X(inspector_cancel_request,   "inside-cancel",    IN_INSPECTOR, TK_BACKSPACE,  TK_NONE,       "",      "stop looking; what is there stays") \
	X(inspector_reload,    "inside-again",     IN_INSPECTOR, 'r',           TK_NONE,       "",      "look again, from the start")
/* clang-format on */

#endif
