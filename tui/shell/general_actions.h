/* The actions of general_keys.def and undo_keys.def. */
#ifndef TUI_SHELL_GENERAL_ACTIONS_H
#define TUI_SHELL_GENERAL_ACTIONS_H

#include "tui/shell/keymap.h"

#define ACTION ACTION_FUNCTION
#include "tui/shell/general_keys.def"
#define UNDO_PLACES 0
#include "tui/shell/undo_keys.def"
#undef ACTION

#endif
