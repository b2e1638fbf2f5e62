/* Codes of keys: a character's Unicode code point, and codes beyond Unicode for keys without a character. */
#ifndef TUI_TOOLKIT_KEY_CODES_H
#define TUI_TOOLKIT_KEY_CODES_H

enum {
	TK_NONE = 0,
	TK_BASE = 0x110000,
	TK_UP,
	TK_DOWN,
	TK_LEFT,
	TK_RIGHT,
	TK_HOME,
	TK_END,
	TK_PAGE_UP,
	TK_PAGE_DOWN,
	TK_BACKTAB,
	TK_BACKSPACE,
	TK_DELETE,
	TK_SHIFT_LEFT,
	TK_SHIFT_RIGHT,
	TK_INSERT,
	TK_MOUSE, /* term_mouse() returns the event */
	TK_F1,
	TK_F2,
	TK_F3,
	TK_F4,
	TK_F12 = TK_F1 + 11,
	TK_END_OF_KEYS,
	TK_TAB = '\t',
	TK_ENTER = '\n',
	TK_ESC = 27,
	TK_SPACE = ' ',
	TK_CTRL_L = 12,
	TK_CTRL_U = 21,
	TK_CTRL_W = 23,
};

#endif
