/* Text of other people in a definition. */
#ifndef CAPTURES_LUA_TEXT_H
#define CAPTURES_LUA_TEXT_H

#include "base/buf.h"

/* Appends a Lua string of at most `most` bytes of the text, which may be anything: what is not printable
 * becomes '?', and it is one line. */
void lua_text_put(struct buf *b, const char *text, size_t most);

#endif
