#include "tui/toolkit/terminal.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/fatal_signals.h"
#include "tui/toolkit/clipboard.h"
#include "tui/toolkit/key_codes.h"
#include "tui/toolkit/theme.h"

enum {
	ESCAPE_DELAY_MS = 25,
	SGR_MOUSE = KEY_MAX + 1,
	X10_MOUSE, /* starts of mouse events; the reader of curses would block until the event is complete */
};
static const char mouse_on[] = "\033[?1000h\033[?1006h", mouse_off[] = "\033[?1006l\033[?1000l";

static struct {
	SCREEN *screen;
	int in, out, w, h, colors;
	enum terminal_font font;
	bool ascii, active, hung_up, mouse;
	struct grid shown; /* what the terminal shows */
	bool send_all;     /* the next frame sends every cell */
} term;

/* --- restoring the terminal when a signal ends the program: only async-signal-safe calls --- */
static struct {
	char text[256]; /* escape sequences that restore the terminal */
	size_t len;
	int out, in;
	struct termios modes; /* before term_open */
	volatile sig_atomic_t armed;
} restore;

static void restore_now(void)
{
	if (!restore.armed)
		return;
	restore.armed = 0;
	ssize_t n = write(restore.out, restore.text, restore.len);
	(void)n;
	tcsetattr(restore.in, TCSANOW, &restore.modes);
}

/* --- preparing for such a signal --- */
static void add_restore_sequence(const char *capability)
{
	const char *s = tigetstr(capability);
	if (!s || s == (const char *)-1)
		return;
	while (*s && restore.len < sizeof restore.text) {
		if (s[0] == '$' && s[1] == '<') { /* padding, which no terminal needs today */
			const char *end = strchr(s, '>');
			if (end) {
				s = end + 1;
				continue;
			}
		}
		restore.text[restore.len++] = *s++;
	}
}

static void prepare_restore(void)
{
	restore.len = sizeof mouse_off - 1; /* has no effect when the mouse is off */
	memcpy(restore.text, mouse_off, restore.len);
	add_restore_sequence("sgr0");
	add_restore_sequence("cnorm");
	add_restore_sequence("rmkx");
	add_restore_sequence("rmcup");
	restore.armed = 1;
}

/* --- open, close --- */
/* A screen needs a movable cursor and a clear command; the type "dumb" has neither. */
static bool can_move_cursor(void)
{
	static const char *const needed[] = {"cup", "clear"};
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		const char *s = tigetstr(needed[i]);
		if (!s || s == (const char *)-1)
			return false;
	}
	return true;
}

/* Turns off flow control (Ctrl-S would freeze the screen) and the special meaning of Ctrl-V and Ctrl-O. */
static void pass_all_keys(void)
{
	struct termios modes;
	if (tcgetattr(term.in, &modes))
		return;
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
	modes.c_lflag &= ~(tcflag_t)IEXTEN;
	tcsetattr(term.in, TCSADRAIN, &modes);
	def_prog_mode(); /* the modes that curses sets after a suspension */
}

static int usable_colors(void)
{
	const char *no = getenv("NO_COLOR");
	if ((no && *no) || !has_colors())
		return 0;
	start_color();
	use_default_colors();
	return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

static void make_color_pairs(void)
{
	for (int r = 0; term.colors && r < ROLE_COUNT; r++) {
		struct cell_style l = theme_cell_style((enum role)r, term.colors);
		init_pair((short)(r + 1), l.fg, l.bg);
	}
	/* Erased cells have the theme's background too. */
	bkgdset(COLOR_PAIR(term.colors ? ROLE_TEXT + 1 : 0) | ' ');
}

bool term_open(FILE *in, FILE *out, struct err *e)
{
	const char *type = getenv("TERM");
	int unused;
	term.in = restore.in = fileno(in);
	term.out = restore.out = fileno(out);
	if (tcgetattr(term.in, &restore.modes) || !isatty(term.out))
		return err_set(
			e, ST_REQUEST, "not a terminal; use `wavedeck run EXPERIMENT` or `wavedeck --script FILE`");
	if (!type || !*type || setupterm(type, term.out, &unused) != OK)
		return err_set(e, ST_REQUEST, "unknown terminal type '%s'; set TERM, for example TERM=xterm-256color",
			type ? type : "");
	if (!can_move_cursor())
		return err_set(e, ST_REQUEST,
			"the terminal type '%s' cannot move the cursor; set TERM, for example TERM=xterm-256color",
			type);
	prepare_restore();
	set_escdelay(ESCAPE_DELAY_MS);
	TERMINAL *first = cur_term; /* setupterm's; newterm makes its own */
	term.screen = newterm(type, out, in);
	if (first != cur_term)
		del_curterm(first);
	if (!term.screen) {
		restore.armed = 0;
		return err_set(e, ST_REQUEST,
			"cannot use a terminal of type '%s'; set TERM, for example TERM=xterm-256color", type);
	}
	fatal_signals_add(restore_now);
	cbreak();
	noecho();
	nonl();
	pass_all_keys();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	term.colors = usable_colors();
	term.ascii = !locale_is_utf8();
	term.font = terminal_font_of(type);
	make_color_pairs();
	term.active = term.send_all = true;
	term.mouse = false;
	define_key("\033[<", SGR_MOUSE);
	define_key("\033[M", X10_MOUSE);
	term.hung_up = false;
	getmaxyx(stdscr, term.h, term.w);
	atexit(term_close);
	return true;
}

/* Writes directly, not through curses; curses has no output pending when this is called. */
static void write_sequence(const char *sequence)
{
	for (size_t left = strlen(sequence); left;) {
		ssize_t n = write(term.out, sequence, left);
		if (n < 0 && errno != EINTR)
			return;
		sequence += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
}

void term_set_clipboard(const char *text)
{
	char *sequence = clipboard_sequence(text);
	if (term.active)
		write_sequence(sequence);
	free(sequence);
}

/* Without an alternate screen the frame stays, and the shell continues in its last row. */
static void clear_last_row(void)
{
	if (exit_ca_mode)
		return;
	chtype background = getbkgd(stdscr);
	bkgdset(' ');
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
	bkgdset(background);
}

/* The normal way; a crash uses restore_now. */
static void restore_terminal(void)
{
	if (term.mouse)
		write_sequence(mouse_off);
	clear_last_row();
	endwin();
	restore.armed = 0;
	tcsetattr(term.in, TCSANOW, &restore.modes);
}

void term_close(void)
{
	if (!term.active)
		return;
	term.active = false;
	restore_terminal();
	fatal_signals_remove(restore_now);
	delscreen(term.screen);
	term.screen = NULL;
	grid_free(&term.shown);
}

void term_release(void)
{
	restore_terminal();
}

void term_reclaim(void)
{
	tcgetattr(term.in, &restore.modes);
	restore.armed = 1;
	term.send_all = true;
	refresh();
	if (term.mouse)
		write_sequence(mouse_on);
}

void term_suspend(void)
{
	term_release();
	struct sigaction ours, stop = {.sa_handler = SIG_DFL};
	sigset_t only, before;
	sigaction(SIGTSTP, &stop, &ours);
	sigemptyset(&only);
	sigaddset(&only, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &only, &before);
	raise(SIGTSTP);
	sigprocmask(SIG_SETMASK, &before, NULL); /* continued */
	sigaction(SIGTSTP, &ours, NULL);
	term_reclaim();
}

/* --- size, keys --- */
int term_fd(void)
{
	return term.in;
}
bool term_is_disconnected(void)
{
	return term.hung_up;
}

void term_size(int *w, int *h)
{
	*w = term.w;
	*h = term.h;
}

enum terminal_font term_font(void)
{
	return term.active ? term.font : FONT_UNICODE;
}

int term_color_count(void)
{
	return term.active ? term.colors : 256;
}

bool term_resized(int *w, int *h)
{
	struct winsize size;
	int old_w = term.w, old_h = term.h;
	if (!ioctl(term.out, TIOCGWINSZ, &size) && size.ws_col && size.ws_row) {
		term.w = size.ws_col;
		term.h = size.ws_row;
	}
	bool changed = term.w != old_w || term.h != old_h;
	if (changed) {
		resizeterm(term.h, term.w);
		term.send_all = true;
	}
	term_size(w, h);
	return changed;
}

static const struct {
	int curses, key;
} translation[] = {
	{KEY_UP, TK_UP},
	{KEY_DOWN, TK_DOWN},
	{KEY_LEFT, TK_LEFT},
	{KEY_RIGHT, TK_RIGHT},
	{KEY_HOME, TK_HOME},
	{KEY_END, TK_END},
	{KEY_PPAGE, TK_PAGE_UP},
	{KEY_NPAGE, TK_PAGE_DOWN},
	{KEY_BTAB, TK_BACKTAB},
	{KEY_BACKSPACE, TK_BACKSPACE},
	{KEY_DC, TK_DELETE},
	{KEY_SLEFT, TK_SHIFT_LEFT},
	{KEY_SRIGHT, TK_SHIFT_RIGHT},
	{KEY_ENTER, TK_ENTER},
	{KEY_IC, TK_INSERT},
};

/* Decodes UTF-8 one byte at a time: 0 while the character is incomplete, -1 for invalid bytes. get_wch() could do this,
 * but after invalid bytes it reports an error while keys are still in its queue, where poll() does not see them. */
static int decode_utf8_byte(int byte)
{
	static int code, more;
	if (byte < 0x80 || byte > 0xff) {
		more = 0;
		return byte;
	}
	if ((byte & 0xc0) == 0x80) {
		if (!more)
			return -1;
		code = code << 6 | (byte & 0x3f);
		return --more ? 0 : code;
	}
	more = byte >= 0xf5 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
	code = byte & (0x3f >> more);
	return more ? 0 : -1;
}

static int translate_curses_key(int c)
{
	if (c == '\r')
		return TK_ENTER;
	if (c == 127 || c == 8)
		return TK_BACKSPACE;
	for (size_t i = 0; i < sizeof translation / sizeof *translation; i++)
		if (translation[i].curses == c)
			return translation[i].key;
	return c >= KEY_F(1) && c <= KEY_F(12) ? TK_F1 + c - KEY_F(1) : TK_END_OF_KEYS; /* an unknown key */
}

/* --- mouse: "ESC [ < button ; column ; row M" (m: released), or ESC [ M and three bytes from old terminals. Events are
 * parsed byte by byte as they arrive. --- */
static struct {
	int form; /* SGR_MOUSE, X10_MOUSE; 0: no event is being read */
	int part, number[3];
	struct mouse last;
} event;

static enum mouse_button decode_button(int code, bool pressed)
{
	if (!pressed || code & 32) /* released or moved */
		return MOUSE_OTHER;
	return (code & ~0x1c) == 0     ? MOUSE_LEFT
		: (code & ~0x1c) == 64 ? MOUSE_UP
		: (code & ~0x1c) == 65 ? MOUSE_DOWN
				       : MOUSE_OTHER;
}

static int finish_mouse_event(bool pressed)
{
	event.form = 0;
	event.last = (struct mouse){event.number[1] - 1, event.number[2] - 1, decode_button(event.number[0], pressed)};
	return term.mouse ? TK_MOUSE : 0;
}

/* Adds a byte: TK_MOUSE when the event is complete, 0 when more bytes follow, -1 when the byte is not part of an event.
 */
static int add_mouse_byte(int c)
{
	if (event.form == X10_MOUSE && c >= 32) {
		event.number[event.part] = c - 32;
		return ++event.part == 3 ? finish_mouse_event(event.number[0] != 3) : 0;
	}
	if (event.form == SGR_MOUSE && c >= '0' && c <= '9') {
		event.number[event.part] = event.number[event.part] % 10000 * 10 + c - '0';
		return 0;
	}
	if (event.form == SGR_MOUSE && c == ';' && event.part < 2)
		return event.part++, 0;
	if (event.form == SGR_MOUSE && (c == 'M' || c == 'm') && event.part == 2)
		return finish_mouse_event(c == 'M');
	event.form = 0;
	return -1;
}

struct mouse term_mouse(void)
{
	return event.last;
}

void term_mouse_on(bool on)
{
	if (on == term.mouse || !term.active)
		return;
	term.mouse = on;
	write_sequence(on ? mouse_on : mouse_off);
}

/* The key of a byte or of a curses key code; 0 when more bytes are needed. */
static int decode_key(int c)
{
	int code = decode_utf8_byte(c);
	if (c == SGR_MOUSE || c == X10_MOUSE) {
		memset(&event, 0, sizeof event);
		event.form = c;
		return 0;
	}
	if (c > 0xff || c == '\r' || c == 127 || c == 8)
		return translate_curses_key(c);
	return code > 0 && (c < 0x80 || !term.ascii) ? code : 0;
}

int term_key(void)
{
	for (;;) {
		errno = 0;
		int c = getch();
		if (c == ERR) {
			term.hung_up = errno == EIO || errno == EBADF;
			return TK_NONE;
		}
		if (c > 0xff)
			event.form = 0; /* another key interrupts the event */
		int key = event.form ? add_mouse_byte(c) : -1;
		if (key < 0)
			key = decode_key(c);
		if (key)
			return key;
	}
}

/* --- drawing --- */
static attr_t cell_curses_attr(const struct cell *c)
{
	struct cell_style l = theme_cell_style((enum role)c->role, term.colors);
	attr_t a = A_NORMAL;
	if (l.attr & STYLE_ATTR_BOLD || c->attr & ATTR_BOLD)
		a |= A_BOLD;
	if (l.attr & STYLE_ATTR_DIM)
		a |= A_DIM;
	if (l.attr & STYLE_ATTR_UNDERLINE || c->attr & ATTR_UNDERLINE)
		a |= A_UNDERLINE;
	if (!(l.attr & STYLE_ATTR_REVERSE) != !(c->attr & ATTR_REVERSE))
		a |= A_REVERSE;
	return a;
}

static void send_run(const struct grid *g, int y, int from, int to)
{
	const struct cell *first = &g->cells[y * g->w + from];
	char text[4096];
	size_t len = 0;
	for (int x = from; x < to; x++) {
		const char *shown = g->cells[y * g->w + x].utf8;
		if (term.font == FONT_CONSOLE)
			shown = console_character(shown);
		size_t n = strlen(shown);
		if (len + n >= sizeof text)
			break;
		memcpy(text + len, shown, n);
		len += n;
	}
	attr_set(cell_curses_attr(first), (short)(term.colors ? first->role + 1 : 0), NULL);
	mvaddnstr(y, from, text, (int)len);
}

static bool same_style(const struct cell *a, const struct cell *b)
{
	return a->role == b->role && a->attr == b->attr;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return same_style(a, b) && !strcmp(a->utf8, b->utf8);
}

static void send_row(const struct grid *g, int y, bool all)
{
	const struct cell *row = &g->cells[y * g->w], *old = &term.shown.cells[y * g->w];
	for (int x = 0; x < g->w;) {
		if (!all && same_cell(&row[x], &old[x])) {
			x++;
			continue;
		}
		int to = x + 1;
		while (to < g->w && same_style(&row[x], &row[to]) && (all || !same_cell(&row[to], &old[to])))
			to++;
		send_run(g, y, x, to);
		x = to;
	}
}

void term_draw_grid(const struct grid *g)
{
	if (!term.active)
		return;
	if (LINES != term.h || COLS != term.w) { /* otherwise curses clips the frame to its own size */
		resizeterm(term.h, term.w);
		term.send_all = true;
	}
	bool all = term.send_all || term.shown.w != g->w || term.shown.h != g->h;
	if (all) {
		grid_resize(&term.shown, g->w, g->h);
		clearok(curscr, term.send_all);
	}
	for (int y = 0; y < g->h; y++)
		send_row(g, y, all);
	memcpy(term.shown.cells, g->cells, (size_t)g->w * (size_t)g->h * sizeof *g->cells);
	term.send_all = false;
	refresh();
}

void term_redraw(void)
{
	make_color_pairs();
	term.send_all = true;
}
