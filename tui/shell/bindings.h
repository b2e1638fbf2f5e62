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

/* What a key means at a place, NULL nothing; *argument is set, NULL where it has none. */
const struct action *binding_for_key(int key, unsigned where, const char **argument);
/* The keys that mean this action at some of these places, "Space or Ctrl-R"; "" none. At most `most` of them. */
const char *binding_format_keys(const struct action *k, unsigned where, int most, char *out, size_t size);
/* A line of the file. */
bool binding_add(const char *key, const char *action, struct err *e);
/* Reads the person's file; NULL tells the log. False when there is none. */
bool bindings_read(conf_error_handler *bad, void *ctx);
void bindings_clear(void);

/* Places that a line may name: views, and the panes of the workbench. NULL behind the last. */
const char *scope_name(int i);

#endif
