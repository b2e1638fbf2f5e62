/* Keys as the person has bound them, in $XDG_CONFIG_HOME/wavedeck/keys, before the table's (keymap.h):
 *   Ctrl-R = run                    wherever the action works
 *   plot: n = cursor-right 4        at one place only, with an argument
 *   unbind q                        the key means nothing any more; plot: unbind q
 * Later lines win. */
#ifndef TUI_SHELL_BINDINGS_H
#define TUI_SHELL_BINDINGS_H

#include "base/err.h"
#include "base/conf_file.h"
#include "tui/shell/keymap.h"

/* The action of a key in a scope; NULL: none. *argument is set, NULL without one. */
const struct action *binding_for_key(int key, uint64_t where, const char **argument);
/* The keys that run this action in at least one place of the scope: "Space or Ctrl-R"; "" for none. At most `most`
 * keys. */
const char *binding_format_keys(const struct action *k, uint64_t where, int most, char *out, size_t size);
/* Adds one line of the file. */
bool binding_add(const char *key, const char *action, struct err *e);
/* Replaces all bindings by those of the user's file; `bad` NULL: mistakes go to the log. False when the file does not
 * exist. */
bool bindings_read(conf_error_handler *bad, void *ctx);

/* Scopes that a line may name: views and their places. NULL after the last. */
const char *scope_name(int i);

#endif
