/* The inside view's rows of the keys table (keys.h). What the arrows mean is the page's. */
#ifndef TUI_KEYS_INSIDE_H
#define TUI_KEYS_INSIDE_H

/* clang-format off */
#define ACTIONS_INSIDE(X) \
	X(inside,          "inside",           IN_ALL,    'W',           '3',           "", \
		"inside the launch at the cursor: waves, lanes, cache sets, steps, knobs; a page's name goes there") \
	X(inside_timeline, "inside-timeline",  IN_INSIDE, 't',           TK_NONE,       "", \
		"timeline: what each wave of a CU did in every cycle") \
	X(inside_lanes,    "inside-lanes",     IN_INSIDE, 'b',           TK_NONE,       "", \
		"lanes of one access on LDS banks or cache lines") \
	X(inside_sets,     "inside-sets",      IN_INSIDE, 'c',           TK_NONE,       "",      "what the sets of a cache met") \
	X(inside_steps,    "inside-steps",     IN_INSIDE, 's',           TK_NONE,       "",      "one wave step by step, forward and back") \
	X(inside_knobs,    "inside-hardware",  IN_INSIDE, 'h',           TK_NONE,       "",      "the hardware's constants as knobs") \
	X(inside_next,     "inside-next-page", IN_INSIDE, TK_TAB,        TK_NONE,       "page",  "next page") \
	X(inside_prev,     "inside-prev-page", IN_INSIDE, TK_BACKTAB,    TK_NONE,       "",      "previous page") \
	X(inside_right,    "inside-right",     IN_INSIDE, TK_RIGHT,      TK_NONE,       "move", \
		"later, next set, next execution, one step forward, knob up; a number: so many") \
	X(inside_left,     "inside-left",      IN_INSIDE, TK_LEFT,       TK_NONE,       "", \
		"earlier, previous set, previous execution, one step back, knob down") \
	X(inside_down,     "inside-down",      IN_INSIDE, TK_DOWN,       'j',           "", \
		"next wave slot, instruction, row of sets, registers further down, next knob") \
	X(inside_up,       "inside-up",        IN_INSIDE, TK_UP,         'k',           "",      "the other way") \
	X(inside_page_down, "inside-page-down", IN_INSIDE, TK_PAGE_DOWN, TK_SPACE,      "", \
		"to where the wave's next span begins; next cache; 16 steps; a page of knobs") \
	X(inside_page_up,  "inside-page-up",   IN_INSIDE, TK_PAGE_UP,    TK_NONE,       "",      "the other way") \
	X(inside_first,    "inside-first",     IN_INSIDE, TK_HOME,       TK_NONE,       "",      "first cycle, set, execution, step, knob") \
	X(inside_last,     "inside-last",      IN_INSIDE, TK_END,        TK_NONE,       "",      "last cycle, set, knob; the last step that is there") \
	X(inside_more,     "inside-more",      IN_INSIDE, ']',           TK_NONE,       "CU, lane", \
		"next CU, wave, cache instance, lane; a number: that one") \
	X(inside_less,     "inside-less",      IN_INSIDE, '[',           TK_NONE,       "",      "the one before") \
	X(inside_zoom_in,  "inside-zoom-in",   IN_INSIDE, '+',           TK_NONE,       "zoom",  "timeline: half the cycles a column") \
	X(inside_zoom_out, "inside-zoom-out",  IN_INSIDE, '-',           TK_NONE,       "",      "timeline: twice the cycles a column") \
	X(inside_what,     "inside-what",      IN_INSIDE, 'v',           TK_NONE,       "", \
		"cache sets: misses, evictions, hits; lanes: the other access of an instruction with two") \
	X(inside_follow,   "inside-follow",    IN_INSIDE, 'f',           TK_NONE,       "", \
		"the steps of the wave at the timeline's cursor, from that cycle on") \
	X(inside_wave,     "inside-wave",      IN_INSIDE, 'w',           TK_NONE,       "",      "type the number of the wave to follow") \
	X(inside_load,     "inside-next-load", IN_INSIDE, 'n',           TK_NONE,       "", \
		"steps: to the next access to memory or LDS") \
	X(inside_barrier,  "inside-next-barrier", IN_INSIDE, 'N',        TK_NONE,       "",      "steps: to the next barrier") \
	X(inside_go,       "inside-go",        IN_INSIDE, 'g',           TK_NONE,       "go to", \
		"type a cycle, an execution, a set, a step (1200) or an address to run to (+000040)") \
	X(inside_set,      "inside-set",       IN_INSIDE, '=',           TK_NONE,       "", \
		"hardware: type the knob's value; in scripts NAME=VALUE") \
	X(inside_filter,   "inside-filter",    IN_INSIDE, '/',           TK_NONE,       "", \
		"hardware: show only constants with these letters") \
	X(inside_reset,    "inside-reset",     IN_INSIDE, 'd',           TK_NONE,       "",      "hardware: this knob as the model has it") \
	X(inside_reset_all, "inside-reset-all", IN_INSIDE, 'X',          TK_NONE,       "",      "hardware: all knobs as the model has them") \
	X(inside_point_right, "inside-point-right", IN_INSIDE, '>',      TK_NONE,       "",      "the curve's next point") \
	X(inside_point_left, "inside-point-left", IN_INSIDE, '<',        TK_NONE,       "",      "the curve's previous point") \
	X(inside_cancel,   "inside-cancel",    IN_INSIDE, TK_BACKSPACE,  TK_NONE,       "",      "stop looking; what is there stays") \
	X(inside_again,    "inside-again",     IN_INSIDE, 'r',           TK_NONE,       "",      "look again, from the start")
/* clang-format on */

#endif
