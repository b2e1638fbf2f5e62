/* The code view's rows of the keys table. */
#ifndef TUI_VIEWS_CODE_KEYS_CODE_H
#define TUI_VIEWS_CODE_KEYS_CODE_H

/* clang-format off */
#define ACTIONS_CODE(X) \
	X(code,           "code",           IN_ALL,     'I',           '2',           "", \
		"the kernel's code: source and instructions, the loop, where its cycles go") \
	X(code_pane,      "code-pane",      IN_CODE,    TK_TAB,        's',           "source", \
		"between source and instructions; on a narrow screen the other one takes the place") \
	X(code_down,      "code-down",      IN_CODE,    TK_DOWN,       'j',           "",         "next instruction or source line") \
	X(code_up,        "code-up",        IN_CODE,    TK_UP,         'k',           "",         "previous instruction or source line") \
	X(code_page_down, "code-page-down", IN_CODE,    TK_PAGE_DOWN,  TK_SPACE,      "",         "one page down") \
	X(code_page_up,   "code-page-up",   IN_CODE,    TK_PAGE_UP,    TK_BACKSPACE,  "",         "one page up") \
	X(code_first,     "code-first",     IN_CODE,    TK_HOME,       'g',           "",         "to the first line") \
	X(code_last,      "code-last",      IN_CODE,    TK_END,        'G',           "",         "to the last line") \
	X(code_all,       "code-all",       IN_CODE,    'a',           TK_NONE,       "all", \
		"the whole kernel, or its hot loop alone") \
	X(code_hot,       "code-hot",       IN_CODE,    'n',           TK_NONE,       "hot", \
		"next instruction that takes a good part of the cycles; without them one of the dependence chain") \
	X(code_hot_back,  "code-hot-back",  IN_CODE,    'N',           TK_NONE,       "",         "the one before") \
	X(code_diff,      "code-diff",      IN_CODE,    'd',           TK_NONE,       "diff", \
		"beside other code: a variant, the pinned curve's, the edited copy's, what was marked") \
	X(code_search,    "code-search",    IN_CODE,    '/',           TK_NONE,       "find", \
		"find text in the pane that has the focus; again with Enter: the next place") \
	X(code_choose,    "code-choose",    IN_CODE,    TK_ENTER,      TK_NONE,       "",         "compare with the one chosen") \
	X(code_renamed,   "code-renamed",   IN_CODE,    'r',           TK_NONE,       "", \
		"while two are compared: registers' numbers and branch distances set aside, and back") \
	X(code_mark,      "code-mark",      IN_CODE,    'x',           TK_NONE,       "", \
		"mark this code, for d to compare another experiment's or point's with it") \
	X(code_next,      "code-next-point", IN_CODE,   ']',           TK_RIGHT,      "point",    "the code of the curve's next point") \
	X(code_previous,  "code-previous-point", IN_CODE, '[',         TK_LEFT,       "",         "the code of the curve's previous point")
/* clang-format on */

#endif
