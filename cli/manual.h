/* The manual, generated from the program's tables: commands, settings, actions and keys, theme roles, script lines.
 *
 * For translators, the program's English texts are in: the NAME_keys.def files (hints and help of actions),
 * settings.h, theme.h (roles), screen_script.c (script lines), cli_commands.c, exporters.def, manual.c. Messages are
 * written where they occur: in err_set, app_show_message, log_printf, input_line_open and the area_ functions.
 * Experiments and lessons are files of their own. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdbool.h>

/* Prints one topic as text on standard output; false if no topic has that name. */
bool manual_print_topic(const char *name);
/* Names topic `i` and describes it in *about; NULL after the last. */
const char *manual_topic_name(int i, const char **about);
/* Prints the whole manual as roff on standard output. */
void manual_print_roff(void);

#endif
