/* The terminal's clipboard. */
#ifndef TUI_TOOLKIT_CLIPBOARD_H
#define TUI_TOOLKIT_CLIPBOARD_H

/* The control sequence that puts a text there: OSC 52, base64; the caller frees it. */
char *clipboard_sequence(const char *text);

#endif
